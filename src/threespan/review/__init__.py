"""Reviewing matches: what the best play would have been."""
