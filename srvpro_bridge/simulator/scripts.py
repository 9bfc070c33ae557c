"""What virtual players are told to do."""

import msgspec

from srvpro_bridge.simulator.decks import Deck


class Drop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lose the connection once, when that turn begins."""

    round_no: int
    game: int = 1
    turn: int = 2
    away_s: float | None = 30
    """``None``: never come back to this match."""


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player. All times are those of the rooms."""

    name: str
    """What he types as his name."""
    main: tuple[int, ...]
    """Main and extra deck."""
    side: tuple[int, ...] = ()
    wrong_main: tuple[int, ...] = ()
    """Sent once, before the right deck."""
    password: str = ""
    """What he types until he is told something else; anything will do where Challonge seats him by name."""
    comes: bool = True
    first_try_s: float = 20
    retry_s: float = 30
    """Between two tries to join, and from the end of a match to the next try."""
    deck_s: float = 5
    turn_s: float = 20
    side_s: float = 30
    dawdles_in: tuple[int, ...] = ()
    """Rounds in which he and his opponent play on until time is called."""
    dawdling_turn_s: float = 90
    drops: tuple[Drop, ...] = ()
    last_round: int | None = None
    """After it he comes no more."""

    @property
    def deck(self) -> Deck:
        """Return what he plays."""
        return Deck(main=self.main, side=self.side)
