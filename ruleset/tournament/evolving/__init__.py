"""How each event changes the state: one table, one player, a round, the whole."""
