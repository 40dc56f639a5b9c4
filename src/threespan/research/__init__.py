"""Environments for research: PettingZoo, Gymnasium, OpenSpiel, and batches of matches in kernels."""
