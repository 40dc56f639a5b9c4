"""Tournaments of bots, with fair statistics."""
