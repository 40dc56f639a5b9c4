"""Bots for Hashi: whole rounds rated by a learnt value of the board."""
