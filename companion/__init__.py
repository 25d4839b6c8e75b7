"""Fifty-Five: a phone companion for Pairs and its family."""

__version__ = "0.2.0"
