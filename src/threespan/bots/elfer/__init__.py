"""Bots for Elfer: tiles rated by what they open, matches played out on imagined racks."""
