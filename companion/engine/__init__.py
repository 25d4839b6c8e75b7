"""What all games share: cards, entries, states and odds. Pure: see the README in this folder."""
