"""The board of a table: what all games share. A game with a board of its own has it in `games/`."""
