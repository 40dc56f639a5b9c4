"""The messages between clients and tables, by direction. `docs/protocol.md` describes how they work together.

The page's TypeScript types are generated from these structs (`python -m threespan.server.typescript`).
"""
