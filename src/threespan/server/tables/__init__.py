"""Tables that people are connected to. Every change is planned, stored, and only then sent to everybody."""
