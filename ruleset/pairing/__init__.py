"""Who plays whom: Swiss rounds and the bracket (rules.md 4.9, 4.10)."""
