"""The duel servers as the bridge uses them (decisions 1)."""

from dataclasses import dataclass, field

from ruleset.ids import ServerId
from srvpro_bridge.adminapi import Account
from srvpro_bridge.capabilities import ServerFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often a duel server is looked at, and how long an answer may take; real milliseconds."""

    running_ms: int = 1_000
    """While a round runs there."""
    idle_ms: int = 15_000
    timeout_ms: int = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelServer:
    """One of them, with what opens its doors."""

    facts: ServerFacts
    api_url: str | None = None
    """``http://host:port`` of its admin API; ``None``: it cannot be looked at, nor told anything."""
    account: Account | None = field(default=None, repr=False)
    challonge_key: str | None = field(default=None, repr=False)
    """What it shows us as ``api_key``; ``None``: it has no business at the Challonge face."""
    capacity: int = 100
    """Rooms that it takes."""
    pace: Pace = Pace()

    @property
    def id(self) -> ServerId:
        """Its id in the settings."""
        return self.facts.id
