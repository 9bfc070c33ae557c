"""What else a plugin says: who it is, what it sees, what it asks, what came of an order."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from ruleset.ids import Seat
from srvpro_bridge.protocol.facts import Fact
from srvpro_bridge.protocol.values import (
    Cards,
    Code,
    Count,
    Id,
    Message,
    Name,
    Number,
    Part,
    Position,
    Score,
    Seq,
    Stage,
    Text,
)


class CardList(Part, frozen=True):
    """One list of the server's lflist.conf; its place in ``ServerFacts.lists`` is its index."""

    date: Name
    tcg: bool


class ServerFacts(Part, frozen=True):
    """The settings of the duel server that decide what can be done with it."""

    client_version: Count
    challonge: bool
    """With it the plugin leads nobody: Challonge names the rooms (duel-server.md 10.a)."""
    tournament_mode: bool
    quick_death_rule: Number
    reconnect_ms: Count
    """How long a dropped player may return; 0: not at all."""
    kick_reconnect: bool
    halfway_watch: bool
    connect_limit: bool
    """At most five connections of one address: in the way of a venue behind one router."""
    lists: Annotated[tuple[CardList, ...], Meta(max_length=200)]


class Hello(Message, frozen=True, tag="hello"):
    """The first message of a connection."""

    versions: Annotated[tuple[Annotated[int, Meta(ge=1, le=1000)], ...], Meta(min_length=1, max_length=100)]
    server: Id
    """The id of the duel server in the daemon's settings; its token came with the connection."""
    plugin: Name
    boot: Id
    """New at each start of the duel server: the rooms of another boot are gone."""
    spool: Id
    """New when the spool was lost: sequence numbers count from 1 again."""
    first: Count
    """The oldest record that is still there; 0: none."""
    next: Seq
    """The number that the next record will have."""
    lost: Count
    """Records that a full spool refused since it began."""
    facts: ServerFacts


class SeenPlayer(Part, frozen=True):
    """A player as he is seen now."""

    pos: Position
    nickname: Name
    seat: Seat | None
    score: Score
    lp: Number | None
    ready: bool
    away: bool


class Sight(Part, frozen=True):
    """A room as it is seen now."""

    room: Id
    name: Name
    code: Code | None
    stage: Stage
    best_of: Literal[1, 3]
    game: Count
    turn: Count
    death: Number
    """srvpro's own: 0 off, n compared when turn n begins, -1 or -2 sudden (duel-server.md 2)."""
    players: Annotated[tuple[SeenPlayer, ...], Meta(max_length=2)]
    watchers: Count


class RoomChanged(Message, frozen=True, tag="room_changed"):
    """A room looks different now; sent at most a few times a second for each room, never kept."""

    sight: Sight


class Rooms(Message, frozen=True, tag="rooms"):
    """Every room that is open now: the end of what was kept back, at the start of each connection."""

    after: Count
    """The newest record that has been sent before it; 0: none ever."""
    rooms: Annotated[tuple[Sight, ...], Meta(max_length=5_000)]


class AskSeat(Message, frozen=True, tag="ask_seat"):
    """Where does he sit, whom no table of the plugin knows? Answered by SeatFound."""

    id: Id
    nickname: Name
    typed: Name
    """What he typed as the room's password."""


class AskKey(Message, frozen=True, tag="ask_key"):
    """Is this his seat key, which the table does not tell? Answered by KeyJudged."""

    id: Id
    code: Code
    seat: Seat
    key: Name


class AskDeck(Message, frozen=True, tag="ask_deck"):
    """May he play this deck? Answered by DeckVerdict."""

    id: Id
    code: Code
    seat: Seat
    siding: bool
    main: Cards
    """Main and extra deck together, as the client sends them."""
    side: Cards


class Done(Message, frozen=True, tag="done"):
    """What came of an order. The same order again gets the same answer and is not carried out twice."""

    id: Id
    ok: bool
    outcome: Text
    """``done``, ``already``, ``pending`` (death, until the start), ``ended`` (the match), or why not."""


class Trouble(Message, frozen=True, tag="trouble"):
    """Something went wrong inside the plugin; the duel server lives on. Sent once a minute for each place."""

    place: Name
    text: Text
    count: Count


Question: TypeAlias = AskSeat | AskKey | AskDeck
FromPlugin: TypeAlias = Hello | Fact | RoomChanged | Rooms | Question | Done | Trouble
