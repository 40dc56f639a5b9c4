"""Nim, the smallest game that shows every room: the worked example of docs/add-a-game.md."""
