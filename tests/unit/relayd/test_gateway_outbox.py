"""What waits to be told is bounded, in order, and never stale (issue 3: level-triggered)."""

import asyncio
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from relayd.bridge.gateway.outbox import LONGEST, Outbox, Overflow
from relayd.bridge.gateway.telling import told_table
from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.protocol import Ack, Death, KeyJudged, Table, TableChanged, TableGone
from tests.builders import SERVER, started, tables

TABLE: Table = told_table(started(2), tables(started(2))[0], ServerFacts(id=SERVER, link="plugin"))


@dataclass(slots=True)
class Tables:
    """The tables as a test says they are."""

    known: dict[str, Table] = field(default_factory=lambda: {TABLE.code: TABLE})

    def __call__(self) -> dict[str, Table]:
        """Return them."""
        return dict(self.known)


async def test_only_what_has_changed_is_told() -> None:
    """Issue 3: a new table, a changed one, one that is gone; the same again is nothing."""
    known = Tables()
    outbox = Outbox(known, 0)
    assert outbox.told == (TABLE,)
    outbox.changed()
    assert await outbox.take() == ()
    ended, other = replace(TABLE, finished=True), replace(TABLE, code="X12R1T2")
    known.known = {ended.code: ended, other.code: other}
    outbox.changed()
    assert await outbox.take() == (TableChanged(table=ended), TableChanged(table=other))
    known.known = {other.code: other}
    outbox.changed()
    assert await outbox.take() == (TableGone(code=ended.code),)


async def test_changes_that_nobody_took_are_told_as_they_are_by_then() -> None:
    """Issue 3: a slow plugin hears the last state, not every step to it."""
    known = Tables()
    outbox = Outbox(known, 0)
    for death in (True, False, True):
        known.known = {TABLE.code: replace(TABLE, death=death)}
        outbox.changed()
    assert await outbox.take() == (TableChanged(table=replace(TABLE, death=True)),)


async def test_an_ack_is_told_once_and_as_far_as_it_goes() -> None:
    """docs/protocol.md: cumulative; nothing below what the welcome said."""
    outbox = Outbox(Tables(), 4)
    for seq in (4, 5, 6):
        outbox.ack(seq)
    assert await outbox.take() == (Ack(seq=6),)
    outbox.changed()
    assert await outbox.take() == ()


async def test_orders_and_answers_keep_their_order_and_are_bounded() -> None:
    """Issue 3: a plugin that does not read is let go before it costs memory."""
    outbox, order = Outbox(Tables(), 0), Death(id="o1", code=TABLE.code)
    outbox.put(order)
    outbox.put(KeyJudged(id="q1", ok=False))
    assert await outbox.take() == (order, KeyJudged(id="q1", ok=False))
    for _ in range(LONGEST):
        outbox.put(order)
    with pytest.raises(Overflow):
        outbox.put(order)


async def test_it_waits_while_there_is_nothing() -> None:
    """House 5: woken by news, not by a clock."""
    outbox = Outbox(Tables(), 0)
    waiting = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.ack(1)
    assert await waiting == (Ack(seq=1),)
