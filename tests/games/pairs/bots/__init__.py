"""What bots know of Pairs."""
