"""A whole tournament before your eyes: the daemon and a simulated duel server, through the real protocols."""
