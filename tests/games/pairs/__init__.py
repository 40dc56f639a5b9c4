"""Pairs, a small card game with hidden hands, as an example of a game with hidden information."""
