"""Bots for Stege: ways weighed by steps on jetties and over open water."""
