"""Records written as people write results, for the tests of standings."""

from collections import defaultdict
from dataclasses import replace
from typing import Final

from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.record import Match, MatchOutcome, Record

MIRRORED: Final[dict[MatchOutcome, MatchOutcome]] = {"win": "loss", "loss": "win", "draw": "draw"}


def player(name: str) -> PlayerId:
    """Return the number of player A, B, C and so on; it is his place in the sign-in, too."""
    return PlayerId(ord(name) - ord("A") + 1)


def names(players: object) -> str:
    """Return the names of *players* in order, as one word."""
    assert isinstance(players, list | tuple)
    return "".join(chr(ord("A") + number - 1) for number in players)


def played(*rounds: str, dropped: str = "") -> dict[PlayerId, Record]:
    """Return the records after *rounds* like ``"A-B 2:0, C-D 2:1:1, E bye"``.

    Games won, lost, drawn, from the first one's side. A word after them: ``win`` whatever the games say,
    ``double`` for a double loss. In place of them: ``absent`` if the second did not come, ``none`` if
    nobody did.
    """
    matches = defaultdict[PlayerId, list[Match]](list)
    for number, tables in enumerate(rounds, 1):
        for table in tables.split(", "):
            for who, match in _table(RoundNo(number), table):
                matches[who].append(match)
    return {
        who: Record(player=who, signin=who, matches=tuple(found), dropped=chr(ord("A") + who - 1) in dropped)
        for who, found in sorted(matches.items())
    }


def _table(round_no: RoundNo, text: str) -> list[tuple[PlayerId, Match]]:
    who, _, result = text.partition(" ")
    if result == "bye":
        return [(player(who), Match(round_no=round_no, opponent=None, outcome="win", kind="bye"))]
    a, b = (player(name) for name in who.split("-"))
    kind, (games, _, word) = "played", result.partition(" ")
    if games in {"absent", "none"}:
        kind, games, word = "absence", "0:0", "win" if games == "absent" else "double"
    won, lost, drawn = [*map(int, games.split(":")), 0][:3]
    outcome: MatchOutcome = "win" if won > lost or word == "win" else "loss" if won < lost else "draw"
    own = Match(round_no=round_no, opponent=b, outcome=outcome, won=won, lost=lost, drawn=drawn)
    own = replace(own, kind="absence" if kind == "absence" else "played")
    other = replace(own, opponent=a, outcome=MIRRORED[outcome], won=lost, lost=won)
    if word == "double":
        own, other = replace(own, outcome="loss"), replace(other, outcome="loss")
    return [(a, own), (b, other)]
