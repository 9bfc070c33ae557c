"""Builders that several tests share: small tournaments, brought to the moment that a test is about."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from ruleset.ids import MINUTE_MS, Instant, PlayerId, RoundNo, Seat, ServerId, TableId, TableNo, TournamentNo
from ruleset.standings.table import Row, Standings
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.evolve import replay
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.results import Outcome, Reason, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY, Table, Tournament
from ruleset.tournament.verdicts import games_of

NUMBER = TournamentNo(12)
SERVER = ServerId("main")
SEED = "5eed" * 16
START = Instant(1_800_000_000_000)
"""When the builders' tournaments start."""
ENVIRONMENT = FrozenTable(key="goat", list_name="2005.4", list_hash=1, pool_hash="00", table=b"")
SWISS = Settings(title="Weekly", format="swiss", rounds=3, ends_after_ms=0)
"""Of the clock it has only what rounds have: it never ends by itself (S137)."""


def minutes(number: float, since: Instant = START) -> Instant:
    """Return the moment so many minutes after *since*."""
    return Instant(since + int(number * MINUTE_MS))


def after(state: Tournament, *commands: c.Command) -> Tournament:
    """Return the state after *commands*, none of which is refused."""
    return reduce(lambda state, command: replay(decide(state, command), state), commands, state)


def numbers(count: int) -> list[PlayerId]:
    """Return the player numbers 1 to *count*."""
    return [PlayerId(n) for n in range(1, count + 1)]


def deck_of(player: int) -> DeckList:
    """Return a deck that only *player* has."""
    return DeckList(main=(player,) * 40, sha256=f"{player:064x}")


def publish(settings: Settings = SWISS, now: Instant | None = None) -> c.Publish:
    """Return the command that opens tournament 12, a week before the builders' start."""
    early = minutes(-7 * 24 * 60)
    return c.Publish(number=NUMBER, settings=settings, environment=ENVIRONMENT, seed=SEED, now=now or early)


def entered(count: int, settings: Settings = SWISS) -> Tournament:
    """Return a published tournament with *count* players signed in, 1 first."""
    state = after(EMPTY, publish(settings))
    for player in numbers(count):
        state = after(
            state,
            c.Register(player=player, nickname=f"Nick{player}", now=minutes(-120)),
            c.SubmitDeck(player=player, deck=deck_of(player), verdict="legal"),
            c.SignIn(player=player, by_host=True, now=minutes(-45)),
        )
    return state


def start(state: Tournament, now: Instant = START, dp: Mapping[PlayerId, int] | None = None) -> c.Start:
    """Return the host's start with everybody free, each with 1000 DP unless *dp* says so."""
    granted = dict.fromkeys(state.signed_in(), 1_000) | dict(dp or {})
    return c.Start(confirmed=True, granted=granted, now=now)


def started(count: int, settings: Settings = SWISS, now: Instant = START) -> Tournament:
    """Return a tournament of *count* players in its first round."""
    state = entered(count, settings)
    return after(state, start(state, now))


def table_id(round_no: int, table: int) -> TableId:
    """Return ``R<round>T<table>``."""
    return TableId(RoundNo(round_no), TableNo(table))


def tables(state: Tournament) -> list[Table]:
    """Return the tables of the present round."""
    return [] if state.round is None else [*state.round.tables.values()]


def result(outcome: Outcome, wins: tuple[int, int] = (0, 0), reason: Reason = "played") -> Result:
    """Return a result with games in plain order."""
    return Result(outcome=outcome, reason=reason, games=games_of(wins))


def won(table: Table, seat: Seat, now: Instant, wins: tuple[int, int] | None = None) -> c.Rule:
    """Return the ruling that *seat* won 2-0, or by *wins*."""
    score = wins or ((2, 0) if seat == "a" else (0, 2))
    return c.Rule(table=table.id, result=result(seat, score), now=now)


def all_won(state: Tournament, seat: Seat, now: Instant) -> Tournament:
    """Return the state after every open table of the round was won by *seat*, in order."""
    return reduce(lambda state, table: after(state, won(table, seat, now)), _open(state), state)


def play_out(state: Tournament, seat: Seat = "a") -> Tournament:
    """Return the state at the end: every table is won by *seat*, every gap runs out."""
    now = START
    while state.phase == "running":
        now = minutes(10, now)
        state = all_won(state, seat, now)
        state = after(state, c.Tick(now=minutes(10, now)))
    return state


def counted_anew(state: Tournament, *, draft: bool = False) -> tuple[Row, ...]:
    """Return the list of *state* from the beginning, whatever was known of its tournament before."""
    scores = state.settings.scores
    return Standings(
        records_of(state, draft=draft),
        order=scores.order,
        scoring=scoring_of(state.settings),
        seed=bytes.fromhex(state.seed),
        seats_by=scores.seats_by,
    ).rows


def report(
    a: str | int, b: str | int, winner: Seat | str | None = None, table: TableId | None = None, **more: Any
) -> c.FileReport:
    """Return a Challonge report of R1T1 from its two scores: numbers of wins, or -9, -1, 99 as words.

    ``left`` is -9, ``death`` -1, ``match_card`` 99.
    """
    now, extra = more.pop("now", minutes(20)), more.pop("extra", False)
    told = Report(
        source=more.pop("source", "challonge"),
        server=SERVER,
        a=_score(a),
        b=_score(b),
        winner=winner,  # type: ignore[arg-type] # tests write the literals
        body=f"{a}-{b} {winner}",
        **more,
    )
    return c.FileReport(table=table or table_id(1, 1), report=told, extra=extra, now=now)


def clock(settings: Settings = SWISS, **changes: Any) -> Settings:
    """Return *settings* with another clock."""
    return replace(settings, clock=replace(settings.clock, **changes))


def _score(score: str | int) -> SeatScore:
    if isinstance(score, int):
        return SeatScore(wins=score)
    return SeatScore(ending=score)  # type: ignore[arg-type] # tests write the literals


def _open(state: Tournament) -> list[Table]:
    return [table for table in tables(state) if table.open]
