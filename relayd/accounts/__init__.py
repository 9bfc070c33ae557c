"""E-mail, password, sessions and tokens: who may sign in as which player number."""
