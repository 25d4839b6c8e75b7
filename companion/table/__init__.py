"""An evening at one table: its log, its repair, its ledger. Pure, like the engine and the games."""
