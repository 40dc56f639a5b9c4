"""What all games share: the Game interface, rule books, kernels, records and seeds."""
