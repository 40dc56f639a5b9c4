"""Stege: jetties, dice and stones that cross the water with dry feet, for two to four players."""
