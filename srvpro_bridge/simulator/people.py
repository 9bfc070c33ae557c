"""Who is in a room, and the score map that is kept by their names."""

from dataclasses import dataclass, field
from typing import Final

from srvpro_bridge.simulator.clients import SPECTATOR, Client

LEFT_MARK: Final = -9
DEATH_MARK: Final = -1
CARD_MARK: Final = 99
"""Marks in the score map (duel-server.md 2)."""


@dataclass(slots=True)
class People:
    """The seats 0 and 1, in the order of coming, and those who watch."""

    players: list[Client] = field(default_factory=list)
    watchers: list[Client] = field(default_factory=list)

    def seat(self, client: Client) -> bool:
        """Give him the first free seat; ``False``: both are taken."""
        free = {0, 1} - {player.pos for player in self.players}
        if free:
            client.pos = min(free)
            self.players.append(client)
        return bool(free)

    def watch(self, client: Client, *, late: bool) -> None:
        """Let him look on."""
        client.pos, client.late = SPECTATOR, late
        self.watchers.append(client)

    def remove(self, client: Client) -> None:
        """Take him out."""
        for group in (self.players, self.watchers):
            if client in group:
                group.remove(client)

    @property
    def host(self) -> Client:
        """Return the one whose start counts: whoever of the seated came first."""
        return self.players[0]

    @property
    def listed(self) -> list[Client]:
        """Return everybody whom getrooms shows."""
        return [*self.players, *(watcher for watcher in self.watchers if not watcher.late)]

    @property
    def everybody(self) -> list[Client]:
        """Return all of them."""
        return [*self.players, *self.watchers]

    def at(self, pos: int) -> Client:
        """Return the player at *pos*."""
        return next(player for player in self.players if player.pos == pos)

    def across(self, client: Client) -> Client:
        """Return the other player."""
        return self.at(1 - client.pos)

    def named(self, name: str) -> Client:
        """Return the player who is shown as *name*. Raises LookupError."""
        for player in self.players:
            if player.name == name:
                return player
        raise LookupError(f"nobody called {name!r} sits here, only {[p.name for p in self.players]}")


@dataclass(slots=True)
class Score:
    """Scores and wins, kept by ``Client.key``: two players of one name share an entry."""

    points: dict[str, int] = field(default_factory=dict)
    wins: list[str] = field(default_factory=list)
    """Who won each game, in order; empty text: drawn."""

    def start(self, players: list[Client]) -> None:
        """Open an entry for each player."""
        self.points = {player.key: 0 for player in players}

    def add(self, winner: Client | None, *, by_card: bool = False) -> None:
        """Book a game."""
        self.wins.append("" if winner is None else winner.name)
        if winner is not None:
            self.points[winner.key] = CARD_MARK if by_card else self.points[winner.key] + 1

    def mark(self, client: Client, mark: int) -> None:
        """Put a mark in the place of his wins."""
        self.points[client.key] = mark

    def clear(self) -> None:
        """Set everybody to 0; the wins stay."""
        self.points = dict.fromkeys(self.points, 0)

    def of(self, client: Client) -> int:
        """Return what stands for him."""
        return self.points.get(client.key, 0)

    def leader(self, one: Client, other: Client) -> Client | None:
        """Return who has more; ``None``: equal."""
        difference = self.of(one) - self.of(other)
        return None if difference == 0 else one if difference > 0 else other
