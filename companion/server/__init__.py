"""Serving the program, and keeping its data."""
