"""Nim, a small game that has every file."""
