"""A duel server that behaves as shared/spec/duel-server.md says, for the demo and the tests.

It stands in for srvpro: the HTTP admin API, the Challonge module, and rooms in which nobody sees a card. It
is written from the rows of that file and speaks to the daemon over HTTP only.
"""
