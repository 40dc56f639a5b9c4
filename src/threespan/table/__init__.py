"""Tables as pure data and functions: what has happened, what may happen next, and what each viewer may know.

No database, event loop, clock or network: time and randomness are passed in as arguments.
"""
