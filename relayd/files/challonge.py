"""A Challonge tournament as its API v1 gives it out, with participants and matches in it.

What is read: title, kind, points, days, participants by name, seed and final rank, and every match with its
round, players, winner and score. What is not carried stands in docs/files.md.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import lcm
from typing import Final, Literal, TypeAlias

import msgspec

from relayd.files.challongewire import Document, Envelope, Match, Number, Person
from relayd.files.refusal import bad_file
from relayd.neutral import neutral
from ruleset.tournament.results import Outcome

Kind: TypeAlias = Literal["swiss", "round_robin", "elimination", "double_elimination"]
MOST_PARTICIPANTS: Final = 512
MOST_MATCHES: Final = 20_000
LONGEST_NAME: Final = 60
"""Characters of a name or title that are kept."""
_KINDS: Final[Mapping[str, Kind]] = {
    "swiss": "swiss",
    "round robin": "round_robin",
    "single elimination": "elimination",
    "double elimination": "double_elimination",
}
_BRACKETS: Final = frozenset({"elimination", "double_elimination"})
_SCORE: Final = re.compile(r"(-?[0-9]{1,4})-(-?[0-9]{1,4})", re.ASCII)
_POINTS: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,4})?", re.ASCII)
_LAST_ROUND: Final = 99
_MARK: Final = b"\xef\xbb\xbf"
"""Of UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A participant."""

    name: str
    seed: int
    final_rank: int | None
    """As Challonge has it."""
    active: bool
    """Whether he had not been taken out before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """A match between two who are known; players are places in the list of entrants."""

    round: int
    """From 1 up; in the losers' bracket negative."""
    a: int
    b: int
    outcome: Outcome | None
    """``None``: it is not over."""
    wins: tuple[int, int]
    """Games, or points, of the first and the second player."""
    forfeited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What the file says."""

    title: str
    kind: Kind
    entrants: tuple[Entrant, ...]
    """By seed."""
    groups: tuple[tuple[Bout, ...], ...]
    """The matches of each list of the first stage; of several groups several."""
    bracket: tuple[Bout, ...]
    win: int
    draw: int
    bye: int
    """Points as whole numbers: ``scale`` of them are one of Challonge's."""
    scale: int
    complete: bool
    started_at: datetime | None
    ended_at: datetime | None


def read_challonge(data: bytes) -> Event:
    """Read a document. Raises CommandRejected ``bad_file``: of another shape or kind, unknown players."""
    try:
        found = msgspec.json.decode(data.removeprefix(_MARK), type=Envelope).tournament
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise bad_file("not_json") from error
    if found.tournament_type not in _KINDS:
        raise bad_file("kind")
    if len(found.participants) > MOST_PARTICIPANTS or len(found.matches) > MOST_MATCHES:
        raise bad_file("long")
    people = sorted(
        (p.participant for p in found.participants), key=lambda p: p.seed or MOST_PARTICIPANTS + 1
    )
    return _event(found, people, _KINDS[found.tournament_type])


def compact(data: bytes) -> str:
    """Return of a sound document what is read of it, so that a page can carry it along."""
    return msgspec.json.encode(msgspec.json.decode(data.removeprefix(_MARK), type=Envelope)).decode()


def byes(bouts: Iterable[Bout], entrants: Sequence[Entrant]) -> Iterator[tuple[int, int]]:
    """Yield round and player of each bye of a Swiss, which Challonge does not list.

    Who has no match in a round has a bye if he has one in a later round, or was never taken out.
    """
    last, played = dict[int, int](), dict[int, set[int]]()
    for bout in bouts:
        for player in (bout.a, bout.b):
            played.setdefault(bout.round, set()).add(player)
            last[player] = max(last.get(player, 0), bout.round)
    for number in sorted(played):
        for player, entrant in enumerate(entrants):
            still_in = entrant.active or last.get(player, 0) > number
            if player not in played[number] and still_in and player in last:
                yield number, player


def _event(found: Document, people: Sequence[Person], kind: Kind) -> Event:
    places = dict[str, int]()
    for place, person in enumerate(people):
        places |= dict.fromkeys(map(str, (person.id, *(person.group_player_ids or ()))), place)
    matches = [box.match for box in found.matches]
    grouped = dict[str, list[Bout]]()
    for match in matches:
        if match.player1_id is not None and match.player2_id is not None:
            grouped.setdefault(_stage(match, kind), []).append(_bout(match, places))
    win, draw, bye, scale = _points(found)
    return Event(
        title=_text(found.name) or "Challonge",
        kind=kind,
        entrants=tuple(map(_entrant, range(len(people)), people)),
        groups=tuple(tuple(bouts) for stage, bouts in grouped.items() if stage),
        bracket=tuple(grouped.get("", ())),
        win=win,
        draw=draw,
        bye=bye,
        scale=scale,
        complete=found.state in {"complete", "awaiting_review"}
        and all(m.state == "complete" for m in matches),
        started_at=_moment(found.started_at),
        ended_at=_moment(found.completed_at),
    )


def _stage(match: Match, kind: Kind) -> str:
    """Return the name of the list that a match belongs to; empty: it is one of the bracket."""
    if match.group_id is not None:
        return f"group {match.group_id}"
    return "" if kind in _BRACKETS else "all"


def _entrant(place: int, person: Person) -> Entrant:
    name = _text(person.name or "") or _text(person.display_name or "") or _text(person.username or "")
    return Entrant(
        name=name or f"#{place + 1}",
        seed=place + 1,
        final_rank=person.final_rank,
        active=person.active is not False,
    )


def _bout(match: Match, places: Mapping[str, int]) -> Bout:
    try:
        a, b = places[str(match.player1_id)], places[str(match.player2_id)]
    except KeyError as error:
        raise bad_file("not_json") from error
    number = match.round or 0
    if a == b:
        raise bad_file("not_json")
    if abs(number) > _LAST_ROUND:
        raise bad_file("long")
    return Bout(
        round=number,
        a=a,
        b=b,
        outcome=_outcome(match),
        wins=_wins(match.scores_csv or ""),
        forfeited=bool(match.forfeited),
    )


def _outcome(match: Match) -> Outcome | None:
    if match.state != "complete":
        return None
    if match.winner_id is None or match.winner_id == "tie":
        return "draw"
    return "a" if str(match.winner_id) == str(match.player1_id) else "b"


def _wins(text: str) -> tuple[int, int]:
    """Return the one score that there is, of several how many each of the two won."""
    sets = [(int(found[1]), int(found[2])) for found in _SCORE.finditer(text)]
    if len(sets) == 1:
        return max(0, sets[0][0]), max(0, sets[0][1])
    return sum(x > y for x, y in sets), sum(x < y for x, y in sets)


def _points(found: Document) -> tuple[int, int, int, int]:
    """Return points of a win, a draw and a bye in whole numbers, and how many of them are one of theirs."""
    win = _fraction(found.pts_for_match_win, Fraction(1))
    draw, bye = _fraction(found.pts_for_match_tie, win / 2), _fraction(found.pts_for_bye, win)
    scale = lcm(win.denominator, draw.denominator, bye.denominator)
    return int(win * scale), int(draw * scale), int(bye * scale), scale


def _fraction(said: Number, usual: Fraction) -> Fraction:
    if said is None or said == "":
        return usual
    if not _POINTS.fullmatch(str(said)):
        raise bad_file("not_json")
    return Fraction(str(said))


def _moment(text: str | None) -> datetime | None:
    try:
        moment = None if text is None else datetime.fromisoformat(text)
    except ValueError as error:
        raise bad_file("not_json") from error
    return None if moment is None or moment.tzinfo is None else moment


def _text(text: str) -> str:
    return neutral(text).strip()[:LONGEST_NAME]
