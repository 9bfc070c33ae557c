"""The command ``deckcheck``; exit codes of decisions 11."""

from deckcheck.cli.program import main

__all__ = ["main"]
