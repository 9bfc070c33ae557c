"""A tournament as XML in the manner of Konami's Tournament Software, for the tools that read its files.

Elements without a namespace are named as there; what they cannot say stands in one of ours. Field by field in
docs/files.md.
"""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from relayd.files.dates import first_day
from relayd.neutral import neutral
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament.ranking import standings
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.results import Result
from ruleset.tournament.state import DECISIVE, Round, Table, Tournament

OURS: Final = "urn:relayd:kts:1"
NOBODY: Final = 0
"""The opponent in a bye."""
_STRUCTURES: Final = {"swiss": "Swiss", "round_robin": "RoundRobin", "elimination": "SingleElimination"}
_STATUS: Final = {"a": "Winner", "b": "Winner", "draw": "Draw", "double_loss": "DoubleLoss"}
register_namespace("relayd", OURS)


def as_kts(state: Tournament) -> bytes:
    """Return the document. Raises CommandRejected ``not_started``."""
    if not state.entrants:
        raise CommandRejected("not_started")
    root = Element("Tournament")
    for name, value in _facts(state).items():
        _put(root, name, value)
    people, known = SubElement(root, "TournamentPlayers"), _Known(state)
    for player in known.order():
        _player(people, known, player)
    matches = SubElement(root, "Matches")
    for played in state.all_rounds():
        _round(matches, played)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


class _Known:
    """What is computed once for all players."""

    def __init__(self, state: Tournament) -> None:
        rows = standings(state)
        self.state, self.records, self.scoring = state, records_of(state), scoring_of(state.settings)
        self.ranks = {row.player: row.rank for row in rows} | dict(state.places)
        self._ordered = (*(player for player, _ in state.places), *(row.player for row in rows))

    def order(self) -> Iterator[PlayerId]:
        """Yield all entrants, the best first as far as it is known."""
        yield from dict.fromkeys((*self._ordered, *self.state.entrants))


def _facts(state: Tournament) -> dict[str, object]:
    settings = state.settings
    first_stage = sum(played.stage not in DECISIVE for played in state.rounds)
    return {
        "ID": state.number,
        "Name": settings.title,
        "Date": first_day(state).isoformat(),
        "Structure": _STRUCTURES[settings.format.removesuffix("_elimination")],
        "TopCut": settings.cut,
        "CurrentRound": len(state.rounds),
        "PlayoffRound": len(state.rounds) - first_stage,
        "Finalized": state.phase == "finished",
        _own("BestOf"): settings.best_of,
        _own("Environment"): settings.environment,
        _own("Criteria"): " ".join(settings.scores.order),
    }


def _player(parent: Element, known: _Known, player: PlayerId) -> None:
    entry, person = SubElement(parent, "TournPlayer"), known.state.players[player]
    who = SubElement(entry, "Player")
    _put(who, "ID", f"{player:010d}")
    _put(who, "FirstName", person.nickname)
    _put(who, "LastName", "")
    _put(entry, "Rank", known.ranks.get(player, 0))
    matches = known.records[player].matches
    for name, outcome in (("Wins", "win"), ("Draws", "draw"), ("Losses", "loss")):
        _put(entry, name, sum(match.outcome == outcome for match in matches))
    _put(entry, "Points", sum(map(known.scoring.points, matches)))
    _put(entry, "DropRound", person.dropped_in or 0)
    if person.team is not None:
        _put(entry, _own("Team"), known.state.teams[person.team])


def _round(parent: Element, played: Round) -> None:
    for table in played.tables.values():
        _told(_match(parent, played, table.id.table, (table.a, table.b)), table, table.result)
    for reason, players in (("bye", played.byes), ("walkover", played.walkovers)):
        for player in players:
            match = _match(parent, played, 0, (player, NOBODY))
            _put(match, "Status", "Winner")
            _put(match, "Winner", player)
            _put(match, _own("Reason"), reason)


def _match(parent: Element, played: Round, table: int, players: tuple[int, int]) -> Element:
    match = SubElement(parent, "TournMatch")
    for player in players:
        _put(match, "Player", player)
    _put(match, "Round", played.number)
    _put(match, "Table", table)
    _put(match, "PlayoffMatch", played.stage in DECISIVE)
    _put(match, _own("Stage"), played.stage)
    return match


def _told(match: Element, table: Table, result: Result | None) -> None:
    _put(match, "Status", "Incomplete" if result is None else _STATUS[result.outcome])
    winners = {"a": table.a, "b": table.b}
    _put(match, "Winner", NOBODY if result is None else winners.get(result.outcome, NOBODY))
    if result is not None:
        _put(match, _own("Games"), f"{result.wins('a')}-{result.wins('b')}-{result.drawn}")
        _put(match, _own("Reason"), result.reason)


def _own(name: str) -> str:
    return f"{{{OURS}}}{name}"


def _put(parent: Element, name: str, value: object) -> None:
    SubElement(parent, name).text = neutral(str(value))
