"""Builds the bundle and the static site: `make site`. Runs on a developer's machine only, and is not in the bundle."""
