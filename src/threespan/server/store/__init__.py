"""Storage of tables, events and keys."""
