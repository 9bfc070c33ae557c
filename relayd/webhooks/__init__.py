"""Telling other systems what happens in a tournament: signed messages to URLs that its host names (F26)."""
