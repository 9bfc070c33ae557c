"""What a Challonge tournament looks like on the wire (API v1); what we do not read is not named."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec

Id: TypeAlias = int | str
Number: TypeAlias = str | float | None
Moment = Annotated[str, msgspec.Meta(max_length=60)]


class Person(msgspec.Struct):
    """A participant."""

    id: Id
    name: str | None = None
    display_name: str | None = None
    username: str | None = None
    seed: int | None = None
    final_rank: int | None = None
    active: bool | None = None
    group_player_ids: Sequence[Id] | None = None


class Match(msgspec.Struct):
    """A match; of those in groups the players have ids of their own, which participants list."""

    player1_id: Id | None = None
    player2_id: Id | None = None
    winner_id: Id | None = None
    round: int | None = None
    state: str = ""
    scores_csv: str | None = None
    group_id: Id | None = None
    forfeited: bool | None = None


class ParticipantBox(msgspec.Struct):
    """How a participant is wrapped."""

    participant: Person


class MatchBox(msgspec.Struct):
    """How a match is wrapped."""

    match: Match


class Document(msgspec.Struct):
    """The tournament itself."""

    tournament_type: str
    participants: Sequence[ParticipantBox]
    matches: Sequence[MatchBox]
    name: str = ""
    state: str = ""
    pts_for_match_win: Number = None
    pts_for_match_tie: Number = None
    pts_for_bye: Number = None
    started_at: Moment | None = None
    completed_at: Moment | None = None


class Envelope(msgspec.Struct):
    """The answer to GET /v1/tournaments/<name>.json?include_participants=1&include_matches=1."""

    tournament: Document
