"""Tournaments of bots: many matches, counted fairly."""
