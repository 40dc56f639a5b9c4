"""The descriptions of the built-in games, one file per game."""
