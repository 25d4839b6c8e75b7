"""The blueprints: each view reads the request, asks, and answers."""
