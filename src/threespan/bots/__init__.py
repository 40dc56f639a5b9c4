"""Players made of code. A bot gets what its seat may know and nothing else."""
