"""The plugin of the simulated duel server behaves as docs/protocol.md and duel-server.md 10 say."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleset.ids import Instant, PlayerId
from srvpro_bridge import protocol as p
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.passwords import Options
from srvpro_bridge.simulator.plugin.book import Book
from srvpro_bridge.simulator.plugin.decks import fault_of
from srvpro_bridge.simulator.plugin.door import Door, Why, options_of
from srvpro_bridge.simulator.plugin.spool import Spool
from srvpro_bridge.simulator.seats import Refused

ANY = p.AnyDeck()
PLAIN = p.Options(
    best_of=3,
    lflist=None,
    rule=None,
    time_limit=None,
    no_watch=None,
    no_check_deck=None,
    start_lp=None,
    start_hand=None,
    draw_count=None,
    duel_rule=None,
)


def table(code: str, one: str = "Alice", other: str = "Bob") -> p.Table:
    """Return a table of two."""
    return p.Table(
        code=code,
        room=code,
        finished=False,
        a=p.TableSeat(player=PlayerId(1), nickname=one, key=None, deck=ANY),
        b=p.TableSeat(player=PlayerId(2), nickname=other, key=None, deck=ANY),
        options=PLAIN,
        strangers="watch",
        seat_key="off",
        death=False,
        sudden_death=False,
        carried=(0, 0),
        welcome=None,
    )


class Entrance:
    """A door, with what a test says and wants to know."""

    def __init__(self, *tables: p.Table, runs: Sequence[str] = (), found: p.SeatFound | None = None) -> None:
        self.book = Book()
        self.book.replace(tables)
        self.refused: list[tuple[str, str | None, Why]] = []
        self.asked: list[tuple[str, str]] = []
        self._found = found
        self.door = Door(
            self.book, lambda name: name in runs, self._ask, lambda *told: self.refused.append(told)
        )

    async def _ask(self, nickname: str, typed: str) -> p.SeatFound | None:
        self.asked.append((nickname, typed))
        return self._found


def record(seq: int) -> p.JoinRefused:
    """Return a record with that number."""
    return p.JoinRefused(seq=seq, at=Instant(1), nickname="Eve", code=None, why="stranger")


# The spool


def test_records_survive_a_kill_until_they_are_acknowledged(tmp_path: Path) -> None:
    """10.j: read again in order under the same name; what was acknowledged is gone, numbers go on."""
    spool = Spool(tmp_path / "spool")
    for _ in range(5):
        spool.append(record)
    spool.ack(2)
    again = Spool(tmp_path / "spool")
    assert (again.id, again.first, again.next) == (spool.id, 3, 6)
    assert [again.line(seq) for seq in (2, 3, 5)] == [None, p.encode(record(3)), p.encode(record(5))]
    again.ack(5)
    assert (Spool(tmp_path / "spool").first, Spool(tmp_path / "spool").next) == (0, 6)


def test_numbers_that_the_daemon_knows_are_never_used_again(tmp_path: Path) -> None:
    """docs/protocol.md: an older copy of the file was put back."""
    spool = Spool(tmp_path / "spool")
    spool.skip_to(9)
    spool.append(record)
    assert (spool.first, spool.next) == (9, 10)
    spool.skip_to(3)
    assert spool.next == 10


def test_a_spool_in_memory_has_a_name_of_its_own() -> None:
    """docs/protocol.md: a spool that was lost is another one."""
    assert Spool().id != Spool().id


# The door


@pytest.mark.parametrize("name", ["Alice", "ALICE", "P000001", "1", "Ａlice"])
async def test_players_are_led_whatever_they_type(name: str) -> None:
    """10.a: by nickname or number."""
    entrance = Entrance(table("X1R1T1"))
    for typed in ("", "hello", "x1r1t1", "X9R9T9"):
        assert await entrance.door.lead(name, typed) == "X1R1T1"
    assert entrance.asked == []


async def test_the_code_decides_between_tables() -> None:
    """Issue 3: who sits at two of them says which; else he is told to."""
    entrance = Entrance(table("X1R1T1"), table("X2R1T1"))
    assert await entrance.door.lead("Alice", "x2r1t1") == "X2R1T1"
    with pytest.raises(Refused, match="X1R1T1 X2R1T1"):
        await entrance.door.lead("Alice", "hello")
    assert entrance.refused == [("Alice", None, "ambiguous")]


@pytest.mark.parametrize(
    ("strangers", "runs", "led"),
    [
        ("refuse", True, False),
        ("refuse", False, False),
        ("watch", False, False),
        ("watch", True, True),
        ("show", False, True),
    ],
)
async def test_guests_of_a_table(strangers: str, runs: bool, led: bool) -> None:  # noqa: FBT001
    """docs/protocol.md: not at all, as viewers once it runs, or as on a plain server."""
    told = replace(table("X1R1T1"), strangers=strangers)
    entrance = Entrance(told, runs=["X1R1T1"] if runs else [])
    if led:
        assert await entrance.door.lead("Eve", "X1R1T1") == "X1R1T1"
    else:
        with pytest.raises(Refused):
            await entrance.door.lead("Eve", "X1R1T1")
        assert entrance.refused == [("Eve", "X1R1T1", "stranger")]


async def test_nobody_is_led_to_a_finished_table() -> None:
    """10.0-5: it would be a new empty room; while the old one runs it may be watched."""
    over = replace(table("X1R1T1"), finished=True)
    with pytest.raises(Refused, match="over"):
        await Entrance(over).door.lead("Alice", "X1R1T1")
    assert await Entrance(over, runs=["X1R1T1"]).door.lead("Alice", "X1R1T1") == "X1R1T1"


async def test_who_is_unknown_is_asked_for() -> None:
    """docs/protocol.md: led, turned away with a text, or passed."""
    found = p.SeatFound(id="q", code="X1R1T1", seat="a", refuse=None)
    assert await Entrance(table("X1R1T1"), found=found).door.lead("Al", "hi") == "X1R1T1"
    assert await Entrance(table("X1R1T1")).door.lead("Al", "hi") == "hi"
    away = Entrance(found=replace(found, code=None, refuse="Your table is on another server."))
    with pytest.raises(Refused, match="another server"):
        await away.door.lead("Al", "hi")
    assert (away.asked, away.refused) == ([("Al", "hi")], [("Al", None, "daemon")])


def test_two_of_one_name_have_no_seat_by_it() -> None:
    """5.6-3: their numbers tell them apart."""
    twins = table("X1R1T1", "Same", "Same")
    book = Book()
    book.replace([twins])
    assert [book.seat(twins, name) for name in ("Same", "P2", "Eve")] == [None, "b", None]


# Options, decks


def test_options_of_a_table() -> None:
    """10.b: what the table says; ``None`` leaves what the room's name asked for."""
    plain = Options(mode=0, lflist=1, time_limit_s=300, start_lp=4_000)
    assert options_of(table("X1R1T1"), plain) == Options(mode=1, lflist=1, time_limit_s=300, start_lp=4_000)
    wanted = replace(
        PLAIN, best_of=1, lflist=-1, time_limit=60, no_watch=True, no_check_deck=True, start_lp=8_000
    )
    made = options_of(replace(table("X1R1T1"), options=wanted), plain)
    assert made == Options(
        mode=0, lflist=-1, time_limit_s=60, no_watch=True, no_check_deck=True, start_lp=8_000
    )


@pytest.mark.parametrize(
    ("main", "side", "siding", "card"),
    [
        ((2, 1), (3,), False, None),
        ((1, 4), (3,), False, 4),
        ((1,), (3,), False, 0),
        ((1, 3), (2,), False, 3),
        ((1, 3), (2,), True, None),
        ((1, 4), (2,), True, 4),
    ],
)
def test_decks_beside_the_frozen_one(
    main: tuple[int, ...],
    side: tuple[int, ...],
    siding: bool,  # noqa: FBT001
    card: int | None,
) -> None:
    """D46: in any order; siding moves cards and changes none; a card that is too many is shown."""
    fault = fault_of(Deck(main=main, side=side), p.FrozenDeck(main=(1, 2), side=(3,)), siding=siding)
    assert (None if fault is None else fault.card) == card
