"""What is known of the best play of Hashi: the exact solver of solo matches."""
