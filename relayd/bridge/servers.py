"""The duel servers as the bridge uses them (decisions 1)."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ruleset.ids import ServerId
from srvpro_bridge.adminapi import Account
from srvpro_bridge.capabilities import ServerFacts

Source: TypeAlias = Literal["plugin", "api"]
"""What shows the rooms of a duel server."""
LONGEST_RUNNING_MS: Final = 5_000
LONGEST_IDLE_MS: Final = 60_000
"""Between two looks at a server that fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often a duel server is looked at, and how long an answer may take; real milliseconds."""

    running_ms: int = 1_000
    """While a round runs there."""
    idle_ms: int = 15_000
    timeout_ms: int = 5_000

    def pause_ms(self, failures: int, jitter: float, *, running: bool) -> float:
        """Return the pause before the next look, doubled at each of *failures* in a row up to a bound.

        *jitter*, from 0 to 1, keeps looks at many servers apart once they fail together.
        """
        usual = self.running_ms if running else self.idle_ms
        if failures == 0:
            return usual
        longest = max(usual, LONGEST_RUNNING_MS if running else LONGEST_IDLE_MS)
        return min(usual << min(failures, 10), longest) * (0.75 + jitter / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelServer:
    """One of them, with what opens its doors."""

    facts: ServerFacts
    api_url: str | None = None
    """``http://host:port`` of its admin API; ``None``: it cannot be looked at, nor told anything."""
    account: Account | None = field(default=None, repr=False)
    challonge_key: str | None = field(default=None, repr=False)
    """What it shows us as ``api_key``; ``None``: it has no business at the Challonge face."""
    plugin_token: str | None = field(default=None, repr=False)
    """What its plugin shows at the gateway; ``None``: it has none."""
    capacity: int = 100
    """Rooms that it takes."""
    pace: Pace = Pace()

    @property
    def id(self) -> ServerId:
        """Its id in the settings."""
        return self.facts.id

    @property
    def eyes(self) -> tuple[Source, ...]:
        """How it can be seen; none: not at all."""
        plugin: tuple[Source, ...] = () if self.plugin_token is None else ("plugin",)
        return plugin if self.api_url is None or self.account is None else (*plugin, "api")
