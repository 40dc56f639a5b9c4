"""The server: it runs tables for people and bots, and stores every change before sending it to anybody."""
