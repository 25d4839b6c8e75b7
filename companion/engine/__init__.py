"""The referee's rules of thought: cards, entries, states, odds. Pure: see the README in this folder."""
