"""What the daemon says: which tables there are, what it has in the log, what to do, answers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from ruleset.ids import PlayerId, Seat
from srvpro_bridge.protocol.values import Card, Cards, Code, Count, Id, Message, Name, Part, Score, Seq, Text

Games: TypeAlias = Annotated[int, Meta(ge=0, le=3)]


class AnyDeck(Part, frozen=True, tag_field="check", tag="free"):
    """Whatever the duel server itself lets pass."""


class FrozenDeck(Part, frozen=True, tag_field="check", tag="frozen"):
    """Exactly this deck; order does not matter, and for siding neither does the split."""

    main: Cards
    """Main and extra deck together."""
    side: Cards


class AskedDeck(Part, frozen=True, tag_field="check", tag="ask"):
    """What the daemon answers to AskDeck."""


class TableSeat(Part, frozen=True):
    """Who belongs on a seat."""

    player: PlayerId
    nickname: Name
    key: Name | None
    """His seat key; ``None``: there is none, or AskKey tells."""
    deck: AnyDeck | FrozenDeck | AskedDeck


class Options(Part, frozen=True):
    """What a room is made with; ``None`` leaves what the duel server would take."""

    best_of: Literal[1, 3]
    lflist: Annotated[int, Meta(ge=-1, le=1000)] | None
    """Index in the server's lflist.conf; -1: no list."""
    rule: Annotated[int, Meta(ge=0, le=5)] | None
    time_limit: Annotated[int, Meta(ge=0, le=999)] | None
    """Seconds of a turn; 0: none."""
    no_watch: bool | None
    no_check_deck: bool | None
    start_lp: Annotated[int, Meta(ge=1, le=99_999)] | None
    start_hand: Annotated[int, Meta(ge=1, le=40)] | None
    draw_count: Annotated[int, Meta(ge=0, le=35)] | None
    duel_rule: Annotated[int, Meta(ge=1, le=5)] | None


class Table(Part, frozen=True):
    """One table whose room is, or will be, on this duel server."""

    code: Code
    room: Annotated[str, Meta(min_length=1, max_length=19)]
    """The room's name, to which its players are led whatever they type."""
    finished: bool
    """Nobody is led there any more (10.0-5)."""
    a: TableSeat
    b: TableSeat
    options: Options
    strangers: Literal["refuse", "watch", "show"]
    """Not at all; as viewers once it runs; as on a plain server, and everybody is told."""
    seat_key: Literal["off", "optional", "required"]
    death: bool
    """Death is wanted: now, or when the room starts. ``False`` calls off only what the plugin called."""
    sudden_death: bool
    """An extra game: life points are compared at every turn (rules.md 5.5-12)."""
    carried: tuple[Games, Games]
    """Games that seats A and B won in a room of this match that was lost: they count for a lead."""
    welcome: Text | None


class Policy(Part, frozen=True):
    """How the plugin behaves where no table says."""

    report: Literal["all", "coded"]
    """Which rooms' ends are told: all, for matching by name (5.6-2), or only those with a room code."""
    ask_seat: bool
    silence: Literal["pass", "refuse"]
    """What becomes of a deck or a key that the daemon did not judge in time."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to Hello: records up to ``ack`` are in the log, send the rest."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    ack: Count
    policy: Policy
    tables: Annotated[tuple[Table, ...], Meta(max_length=5_000)]


class Goodbye(Message, frozen=True, tag="goodbye"):
    """The daemon will close the connection, and why."""

    code: Literal["version", "server", "replaced", "protocol", "restart", "busy"]
    text: Text


class Ack(Message, frozen=True, tag="ack"):
    """Every record up to this one is in the log."""

    seq: Seq


class Tables(Message, frozen=True, tag="tables"):
    """All tables there are: whatever else the plugin knows is gone."""

    tables: Annotated[tuple[Table, ...], Meta(max_length=5_000)]


class TableChanged(Message, frozen=True, tag="table"):
    """A new table, or a known one that has changed."""

    table: Table


class TableGone(Message, frozen=True, tag="table_gone"):
    """There is no such table any more."""

    code: Code


class SeatFound(Message, frozen=True, tag="seat"):
    """The answer to AskSeat: lead him to that table, refuse him with a text, or (all ``None``) pass him."""

    id: Id
    code: Code | None
    seat: Seat | None
    refuse: Text | None


class KeyJudged(Message, frozen=True, tag="key"):
    """The answer to AskKey."""

    id: Id
    ok: bool


class DeckVerdict(Message, frozen=True, tag="deck"):
    """The answer to AskDeck."""

    id: Id
    ok: bool
    reason: Text
    """Shown to the player in red."""
    card: Card
    """The card that the client's dialog shows; 0: none."""


class Order(Message, frozen=True):
    """Something to do in the room of a table, once; answered by Done."""

    id: Id
    code: Code


class Death(Order, frozen=True, tag="death"):
    """Call death: at once in a running room, else when it starts."""


class DeathCancel(Order, frozen=True, tag="death_cancel"):
    """Call death off, whoever called it."""


class Say(Order, frozen=True, tag="say"):
    """Say something to the room, its viewers included, or to one seat."""

    seat: Seat | None
    text: Text
    colour: Literal[
        "plain", "red", "green", "blue", "babyblue", "pink", "yellow", "white", "gray", "darkgray"
    ]


class Kick(Order, frozen=True, tag="kick"):
    """Throw one out: a seat's player, or whoever has that nickname. After the start he has lost (-9)."""

    seat: Seat | None
    nickname: Name | None
    text: Text


class Close(Order, frozen=True, tag="close"):
    """End the room with its scores as they are, or as given."""

    text: Text
    a: Score | None
    b: Score | None


Answer: TypeAlias = SeatFound | KeyJudged | DeckVerdict
RoomOrder: TypeAlias = Death | DeathCancel | Say | Kick | Close
FromDaemon: TypeAlias = Welcome | Goodbye | Ack | Tables | TableChanged | TableGone | Answer | RoomOrder
