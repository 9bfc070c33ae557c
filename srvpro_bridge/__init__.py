"""What is true of a duel server: its messages, its habits, and a simulator that has them too."""
