"""Elfer: numbered tiles on four rows joined by bridges, for two to four players with hidden racks."""
