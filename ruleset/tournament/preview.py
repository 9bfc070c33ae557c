"""What a command would bring about, before anybody gives it: a correction above all (T22)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import PlayerId, TableId
from ruleset.tournament.commands import Command
from ruleset.tournament.decide import decide
from ruleset.tournament.events import Event
from ruleset.tournament.evolve import replay
from ruleset.tournament.ranking import Ranks, cut_seats, standings
from ruleset.tournament.results import Result
from ruleset.tournament.state import Tournament

Warned: TypeAlias = Literal["pairing_kept", "gap_cancelled", "seats_kept", "ends"]
"""``pairing_kept``: a later round was paired on the result and stays as it is; ``gap_cancelled``: the round
is open again; ``seats_kept``: others would go on, but the bracket is drawn; ``ends``: the tournament ends."""
Moved: TypeAlias = Mapping[PlayerId, tuple[int | None, int | None]]
"""Rank or place before and after; ``None``: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What would be different; nothing of it has happened."""

    events: tuple[Event, ...]
    results: Mapping[TableId, tuple[Result | None, Result | None]]
    ranks: Moved
    """Of the list of the first stage."""
    places: Moved
    """Of the final ranking."""
    dp: Mapping[PlayerId, int]
    """What players gain or lose by it."""
    warnings: tuple[Warned, ...]


def preview(state: Tournament, command: Command) -> Consequences:
    """Return what *command* would bring about in *state*. Raises CommandRejected as it would."""
    events = decide(state, command)
    after = replay(events, state)
    return Consequences(
        events=events,
        results=dict(_results(state, after)),
        ranks=_moved(_ranks(state), _ranks(after)),
        places=_moved(state.places, after.places),
        dp={player: dp - state.dp[player] for player, dp in after.dp.items() if dp != state.dp[player]},
        warnings=tuple(_warnings(state, after)),
    )


def _results(
    before: Tournament, after: Tournament
) -> Iterator[tuple[TableId, tuple[Result | None, Result | None]]]:
    for table in before.all_tables():
        now = after.table(table.id)
        result = None if now is None else now.result
        if result != table.result:
            yield table.id, (table.result, result)


def _ranks(state: Tournament) -> Ranks:
    return tuple((row.player, row.rank) for row in standings(state))


def _moved(before: Ranks, after: Ranks) -> Moved:
    old, new = dict(before), dict(after)
    return {
        player: (old.get(player), new.get(player))
        for player in (old | new)
        if old.get(player) != new.get(player)
    }


def _warnings(before: Tournament, after: Tournament) -> Iterator[Warned]:
    played, now = before.round, after.round
    changed = [table.round_no for table, _ in _results(before, after)]
    if played is not None and any(number != played.number for number in changed):
        yield "pairing_kept"
    if played is not None and now is not None and played.done_at is not None and now.done_at is None:
        yield "gap_cancelled"
    if before.seats and before.seats == after.seats != cut_seats(after):
        yield "seats_kept"
    if before.phase != after.phase == "finished":
        yield "ends"
