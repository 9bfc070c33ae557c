"""What duel servers say wrong. A class says who must act, a code says what, the sentence what to do."""


class PeerError(Exception):
    """The peer spoke badly: its message is refused and changes nothing.

    ``code`` is stable and for programs; the message is one sentence for the operator.
    """

    def __init__(self, code: str, message: str, **data: object) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class BadReport(PeerError):
    """A message to the Challonge face that is not what a duel server sends (duel-server.md 3)."""


class NotSrvpro(PeerError):
    """What answers at the address of the admin API is no duel server that we know (duel-server.md 1)."""


class WrongPassword(PeerError):
    """The admin API refuses the account: unknown, disabled, or without that permission (duel-server.md 1)."""
