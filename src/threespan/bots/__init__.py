"""Computer players. A bot only gets what its seat may know."""
