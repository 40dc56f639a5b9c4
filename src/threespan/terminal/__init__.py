"""Playing in a terminal: draft a turn, undo, press Enter when done, and resume after a break."""

from threespan.terminal.session import Session, open_table

__all__ = ["Session", "open_table"]
