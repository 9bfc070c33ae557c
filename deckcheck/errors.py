"""What can go wrong around a deck, by who must act: a class says who, a code what, the data where."""


class DeckcheckError(Exception):
    """Base of this package's errors: a stable ``code``, a sentence for people, data for programs."""

    def __init__(self, code: str, message: str, **data: object) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class DeckInvalid(DeckcheckError):
    """The sender: this is no deck that can be read or written, so nothing in it can be judged (D32, D33)."""


class SourceBroken(DeckcheckError):
    """The operator: a file that an environment is made of is missing or damaged (D44)."""
