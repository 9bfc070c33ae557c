"""Challonge v1 as srvpro speaks it (duel-server.md 3): what it is answered, and what it says.

One virtual tournament per duel server: everybody who entered a running tournament there, every open table.
Match ids are room codes, player 1 has seat A and player 2 seat B. Nothing here knows HTTP.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from ruleset.ids import Seat, ServerId
from ruleset.tournament.reports import Ending, Report, SeatScore
from srvpro_bridge.errors import BadReport
from srvpro_bridge.reading import decode

MAX_SCORE_BYTES: Final = 4 * 1024
"""A score message has about a hundred."""
MAX_ROSTER_BYTES: Final = 4 * 1024 * 1024
"""A bulk_add of 4,096 players with decks of 90 cards."""

_SCORES: Final = re.compile(r"(-?[0-9]{1,3})-(-?[0-9]{1,3})", re.ASCII)
_MARKS: Final[dict[int, Ending]] = {-9: "left", -1: "death", 99: "match_card"}
_MOST_WINS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """One who may sit down: srvpro finds him by either half of ``P000123+Nick``."""

    id: str
    name: str
    deckbuf: str | None = None
    """Base64 of his frozen deck (D34); ``None``: srvpro checks nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatch:
    """A table that waits for its match; srvpro takes the first in which a participant sits."""

    id: str
    player1_id: str
    player2_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a PUT says: codes of player 1 and player 2, and who won."""

    api_key: str
    scores: tuple[int, int]
    winner_id: str | None = None
    """A participant, ``tie``, or ``None``: the match goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """What a bulk_add says: players with their decks (decisions 13)."""

    api_key: str
    players: tuple[Participant, ...]
    """``id`` is empty: they have none yet."""


def render(participants: tuple[Participant, ...], matches: tuple[OpenMatch, ...]) -> bytes:
    """Return the answer to GET /v1/tournaments/<name>.json."""
    people = [{"participant": _participant(participant)} for participant in participants]
    tables = [{"match": _match(match)} for match in matches]
    return msgspec.json.encode({"tournament": {"id": 1, "participants": people, "matches": tables}})


def parse_score(body: bytes) -> Score:
    """Read the body of PUT …/matches/<code>.json. Raises BadReport."""
    said = decode(body, _Put, limit=MAX_SCORE_BYTES, refuse=BadReport)
    scores = _codes(said.match.scores_csv)
    return Score(api_key=said.api_key, scores=scores, winner_id=said.match.winner_id)


def report(score: Score, match: OpenMatch, server: ServerId) -> Report:
    """Bring *score* to the seats of *match*. Raises BadReport where the winner does not play in it.

    A code that is neither a number of wins nor a known mark gives a score without ``wins`` and ``ending``: no
    plain result (T13).
    """
    winners: dict[str | None, Seat | Literal["draw"] | None]
    winners = {None: None, "tie": "draw", match.player1_id: "a", match.player2_id: "b"}
    if score.winner_id not in winners:
        raise BadReport(
            "unknown_winner",
            f"winner_id {score.winner_id!r} of match {match.id} is not one of its players "
            f"{match.player1_id!r} and {match.player2_id!r}, nor 'tie'",
        )
    return Report(
        source="challonge",
        server=server,
        a=_seat(score.scores[0]),
        b=_seat(score.scores[1]),
        winner=winners[score.winner_id],
        body=f"{score.scores[0]}-{score.scores[1]} {score.winner_id or ''}".rstrip(),
    )


def parse_roster(body: bytes) -> Roster:
    """Read the body of POST …/participants/bulk_add.json. Raises BadReport."""
    said = decode(body, _BulkAdd, limit=MAX_ROSTER_BYTES, refuse=BadReport)
    players = tuple(Participant(id="", name=new.name, deckbuf=new.deckbuf) for new in said.participants)
    return Roster(api_key=said.api_key, players=players)


class _Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scores_csv: str
    winner_id: str | None = None


class _Put(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    api_key: str
    match: _Result


class _New(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    deckbuf: str | None = None


class _BulkAdd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    api_key: str
    participants: list[_New]


def _participant(participant: Participant) -> dict[str, str]:
    plain = {"id": participant.id, "name": participant.name}
    return plain if participant.deckbuf is None else {**plain, "deckbuf": participant.deckbuf}


def _match(match: OpenMatch) -> dict[str, str | None]:
    players = {"player1_id": match.player1_id, "player2_id": match.player2_id}
    return {"id": match.id, "state": "open", **players, "winner_id": None}


def _codes(text: str) -> tuple[int, int]:
    """Split at the last ``-`` of the first number: ``-9-0``, ``1--9``, ``-9--9``."""
    found = _SCORES.fullmatch(text)
    if found is None:
        raise BadReport(
            "bad_scores",
            f"scores_csv {text[:40]!r} is not one pair of srvpro's codes such as '2-1', '1--9' or '-9-0'",
        )
    return int(found[1]), int(found[2])


def _seat(code: int) -> SeatScore:
    known = 0 <= code <= _MOST_WINS
    return SeatScore(wins=code if known else None, ending=_MARKS.get(code, ""))
