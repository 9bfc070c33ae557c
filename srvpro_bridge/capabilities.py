"""What a duel server is set up to do (decisions 15)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import ServerId

Link: TypeAlias = Literal["challonge", "http", "plugin"]
"""How results come: Challonge module, nothing but the HTTP API, our plugin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFacts:
    """What the operator declares of his duel server; the defaults are srvpro's own."""

    id: ServerId
    link: Link = "challonge"
    no_match_mode: bool = False
    """``challonge.no_match_mode``: the match id is the room name, so rooms are single duels."""
    default_environment: str = "ocg"
    """The environment whose list stands first in its lflist.conf; empty: it checks no list."""
    lists: tuple[tuple[str, int], ...] = ()
    """Environments with the place of their list in its lflist.conf, from 1 up."""
    post_detailed_score: bool = True
    quick_death_rule: Literal[0, 1, 2, 3] = 2
