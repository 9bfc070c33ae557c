"""Swiss tournaments with results by a seeded generator, as peers of any language can read them."""

from random import Random
from typing import Any, TypeAlias

from ruleset import seeds
from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing.contender import Contender, contenders
from ruleset.pairing.swiss import pair
from ruleset.standings.record import Match, MatchOutcome, Record
from ruleset.standings.scoring import DEFAULT

Row: TypeAlias = list[Any]
"""Player, opponent or None, and games won and lost; a bye has no games."""


def history(size: int, rounds: int, seed: int) -> list[list[Row]]:
    """Return the tables of so many rounds, paired as we pair."""
    rng = Random(seed)  # noqa: S311  a repeatable play, nothing secret
    strength = {PlayerId(n): rng.gauss(0, 250) for n in range(1, size + 1)}
    played: list[list[Row]] = []
    for number in range(1, rounds + 1):
        field = field_after(size, played)
        found = pair(field, seeds.round_key(b"%d" % seed, RoundNo(number)))
        tables: list[Row] = [[a, b, *_games(rng, strength[a] - strength[b])] for a, b in found.tables]
        played.append(tables if found.bye is None else [*tables, [found.bye, None, 0, 0]])
    return played


def records_after(size: int, played: list[list[Row]]) -> dict[PlayerId, Record]:
    """Return everybody's record."""
    matches: dict[PlayerId, list[Match]] = {PlayerId(n): [] for n in range(1, size + 1)}
    for number, tables in enumerate(played, 1):
        for row in tables:
            for player, match in _matches(RoundNo(number), row):
                matches[player].append(match)
    return {p: Record(player=p, signin=p, matches=tuple(found)) for p, found in matches.items()}


def field_after(size: int, played: list[list[Row]]) -> list[Contender]:
    """Return everybody before the next round."""
    records = records_after(size, played)
    return contenders(records, records, DEFAULT)


def _games(rng: Random, lead: float) -> tuple[int, int]:
    if rng.random() < 0.05:
        return 1, 1
    games = (2, rng.randrange(2))
    return games if rng.random() < 1 / (1 + 10 ** (-lead / 400)) else games[::-1]


def _matches(round_no: RoundNo, row: Row) -> list[tuple[PlayerId, Match]]:
    a, b, won, lost = row
    if b is None:
        return [(a, Match(round_no=round_no, opponent=None, outcome="win", kind="bye"))]
    return [(a, _match(round_no, b, won, lost)), (b, _match(round_no, a, lost, won))]


def _match(round_no: RoundNo, opponent: PlayerId, won: int, lost: int) -> Match:
    outcome: MatchOutcome = "win" if won > lost else "loss" if won < lost else "draw"
    return Match(round_no=round_no, opponent=opponent, outcome=outcome, won=won, lost=lost)
