"""A small tournament from its publishing to a correction after its end, as the golden log tells it."""

from dataclasses import replace
from typing import Any

from relayd.reducers import TOURNAMENT
from relayd.storage.codec import digest_of
from relayd.storage.log import Entry, start_of
from ruleset.ids import Instant
from ruleset.tournament import commands as c
from ruleset.tournament.state import EMPTY, Table, Tournament
from tests.builders import (
    SWISS,
    deck_of,
    minutes,
    numbers,
    publish,
    report,
    result,
    start,
    table_id,
    tables,
    won,
)

STREAM = "t12"


class _Play:
    """Sends commands and keeps the entries."""

    def __init__(self) -> None:
        self.state: Tournament = EMPTY
        self.entries: list[Entry] = []

    def send(self, *commands: c.Command) -> None:
        """Carry commands out, one after the other; each changes something."""
        for command in commands:
            self._send(command)

    def _send(self, command: c.Command) -> None:
        after = self.entries[-1].head if self.entries else start_of(STREAM)
        entry = TOURNAMENT.codec.seal(
            after,
            command_id=f"c{after.version + 1}",
            digest=digest_of(command),
            at=minutes(after.version),
            by="host",
            events=TOURNAMENT.decide(self.state, command),
        )
        assert entry.events, command
        self.state = TOURNAMENT.replay(entry.events, self.state)
        self.entries.append(entry)


def played() -> tuple[list[Entry], Tournament]:
    """Play ten players through two Swiss rounds, a cut to two and a final; return the log and the end."""
    play = _Play()
    play.send(publish(replace(SWISS, format="swiss_elimination", rounds=2, cut=2)))
    for player in numbers(10):
        play.send(
            c.Register(player=player, nickname=f"Nick{player}", now=minutes(-120)),
            c.SubmitDeck(player=player, deck=deck_of(player), verdict="legal"),
            c.SignIn(player=player, by_host=True, now=minutes(-45)),
        )
    play.send(start(play.state))
    _first_round(play)
    play.send(c.Tick(now=minutes(78)))
    _rule_all(play, minutes(90))
    play.send(c.Tick(now=minutes(93)))
    play.send(report(1, 2, "b", table_id(3, 1), now=minutes(110)))
    play.send(c.Rule(table=table_id(3, 1), result=result("a", (2, 1)), now=minutes(120)))
    return play.entries, play.state


def _first_round(play: _Play) -> None:
    """A clean result, a crash that is ruled, a late limit, a drop, and a table that runs into the cap."""
    play.send(c.SeeRoom(table=table_id(1, 5), seated=("a", "b"), playing=True, now=minutes(1)))
    play.send(report(2, 1, "a", now=minutes(5)), report(1, 0, "a", table_id(1, 2), now=minutes(6)))
    play.send(c.Rule(table=table_id(1, 2), result=result("a", (1, 0), "disconnect"), now=minutes(7)))
    play.send(c.Drop(player=tables(play.state)[3].b, now=minutes(8)))
    for now in (15, 40, 70):
        play.send(c.Tick(now=minutes(now)))


def _rule_all(play: _Play, now: Instant) -> None:
    for table in tables(play.state):
        if table.open:
            play.send(won(table, "a", now))


def facts(state: Tournament) -> dict[str, Any]:
    """Return what must come out of the log whatever becomes of the classes."""
    return {
        "phase": state.phase,
        "places": state.places,
        "swiss_ranks": state.swiss_ranks,
        "dp": {str(player): dp for player, dp in sorted(state.dp.items())},
        "rows": len(state.rows),
        "results": [_told(table) for table in state.all_tables()],
    }


def _told(table: Table) -> str:
    result = table.result
    assert result is not None
    return f"{table.id}: {result.outcome} {result.reason} {result.wins('a')}-{result.wins('b')}"
