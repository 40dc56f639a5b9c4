"""What every game shares: the interface, the rule book, kernels, records and seeds."""
