"""Threespan: three bridge games to play, to study and to research."""

__version__ = "0.1.0"
