"""Hashi: flip-and-write with islands and bridges, for one to four players at once."""
