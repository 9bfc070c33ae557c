"""A tournament as FIDE's Tournament Report File (TRF16), with JaVaFo's lines for points that are not chess's.

What it holds of ours: the rounds of the first stage that are over. Field by field in docs/files.md.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from relayd.files.dates import day, first_day
from relayd.neutral import neutral
from ruleset.copies import replace
from ruleset.errors import CommandRejected
from ruleset.ids import SEATS, PlayerId, Seat, other, player_label
from ruleset.tournament.ranking import standings
from ruleset.tournament.records import counted, outcome_for, records_of, scoring_of
from ruleset.tournament.results import UNPLAYED, Result
from ruleset.tournament.state import Round, Tournament

Numbers: TypeAlias = Mapping[PlayerId, int]
"""The starting rank of everybody: his place in the order of sign-in."""
_HIGHEST: Final = 9_999
"""Of a rating, which has four columns."""
_ABSENT: Final = "0000 - Z"
_BYE: Final = "0000 - U"
_WALKOVER: Final = "0000 - F"
_COLOURS: Final[Mapping[Seat, str]] = {"a": "w", "b": "b"}
_PLAYED: Final = {"win": "1", "draw": "=", "loss": "0"}
_FORFEIT: Final = {"win": "+", "draw": "-", "loss": "-"}
_TYPES: Final = {"swiss": "Individual: Swiss-System", "round_robin": "Individual: Round-Robin"}


def as_trf(state: Tournament) -> bytes:
    """Return the file, in UTF-8; a column is a character.

    Raises CommandRejected ``not_started``, and ``no_first_stage`` of a bracket alone.
    """
    if not state.entrants:
        raise CommandRejected("not_started")
    if state.settings.format == "elimination":
        raise CommandRejected("no_first_stage")
    past = replace(state, rounds=tuple(_over(state)))
    lines = (*_head(past), *_players(past), *_extensions(past))
    return "".join(f"{line.rstrip()}\r\n" for line in lines).encode()


def _over(state: Tournament) -> Iterator[Round]:
    """Yield the rounds that count and in which nobody plays any more."""
    return (played for played in counted(state) if not played.open_tables)


def _head(state: Tournament) -> Iterator[str]:
    settings, first = state.settings, first_day(state)
    last = first if state.ended_at is None else day(state, state.ended_at)
    yield f"012 {neutral(settings.title)}"
    yield f"042 {first:%Y/%m/%d}"
    yield f"052 {last:%Y/%m/%d}"
    yield f"062 {len(state.entrants)}"
    yield f"072 {sum(_rating(state, player) != '' for player in state.entrants)}"
    yield "082 0"
    yield f"092 {_TYPES[settings.format.removesuffix('_elimination')]}"
    if state.organiser is not None:
        yield f"102 {player_label(state.organiser)}"
    yield f"122 Best of {settings.best_of}, {settings.clock.length_ms // 60_000} minutes a round"
    days = "  ".join(f"{day(state, played.started_at):%y/%m/%d}" for played in state.rounds)
    yield f"{'132':<91}{days}" if days else ""


def _players(state: Tournament) -> Iterator[str]:
    numbers = {player: number for number, player in enumerate(state.entrants, 1)}
    ranks = {row.player: row.rank for row in standings(state)}
    scoring, records = scoring_of(state.settings), records_of(state)
    rounds = [dict(_results(played, numbers)) for played in state.rounds]
    for player, number in numbers.items():
        points = sum(map(scoring.points, records[player].matches))
        cells = "".join(f"  {results.get(player, _ABSENT)}" for results in rounds)
        name, rating = neutral(state.players[player].nickname), _rating(state, player)
        yield (
            f"001 {number:>4}      {name[:33]:<33} {rating:>4}     {player:>11}            "
            f"{_shown(points):>4} {ranks.get(player, number):>4}{cells}"
        )


def _results(played: Round, numbers: Numbers) -> Iterator[tuple[PlayerId, str]]:
    """Yield what stands for a round in the line of everybody who took part in it."""
    for table in played.tables.values():
        if table.result is not None:
            for seat in SEATS:
                opponent = numbers[table.player(other(seat))]
                yield table.player(seat), f"{opponent:>4} {_COLOURS[seat]} {_token(table.result, seat)}"
    yield from ((player, _BYE) for player in played.byes)
    yield from ((player, _WALKOVER) for player in played.walkovers)


def _token(result: Result, seat: Seat) -> str:
    tokens = _FORFEIT if result.reason in UNPLAYED else _PLAYED
    return tokens[outcome_for(result, seat)]


def _rating(state: Tournament, player: PlayerId) -> str:
    """Return the DP at entry, blank where four columns do not hold it."""
    dp = state.players[player].dp_at_entry
    return str(dp) if 0 < dp <= _HIGHEST else ""


def _shown(points: int) -> str:
    """Return ``9.0``; four columns hold no more than ``99.0``."""
    return f"{points}.0" if points < 100 else str(points)


def _extensions(state: Tournament) -> Iterator[str]:
    """Yield what TRF16 lacks and pairing programs read: how many rounds, what a result is worth."""
    points = state.settings.scores.points
    everybody = len(state.entrants)
    yield f"XXR {state.settings.rounds or everybody - 1 + everybody % 2}"
    yield (
        f"XXS W={points.win}.0 D={points.draw}.0 WL={points.loss}.0 BL={points.loss}.0 FL={points.loss}.0 "
        f"PAB={points.bye}.0 ZPB=0.0"
    )
