"""The board of a table, as all games share it. The boards of single games are in `games/`."""
