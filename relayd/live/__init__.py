"""Whoever follows a tournament while it runs."""
