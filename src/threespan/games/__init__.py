"""The games. Every folder in here that has a `game.py` with a `GAME` is a game."""
