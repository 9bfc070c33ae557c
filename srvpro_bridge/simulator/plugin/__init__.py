"""The plugin of the simulated duel server: it speaks the real protocol to a real gateway (docs/protocol.md).

What it does in rooms follows duel-server.md 10; nobody reads cards, so decks are compared and nothing more.
"""
