"""The server: tables where people and bots play, stored before anybody is told."""
