"""Brings an event of elsewhere in as a tournament of its own, which is over and never rated (H208)."""

import asyncio
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from relayd.files.adoption import rounds_of, settings_of
from relayd.files.challonge import Event
from relayd.ports import Clock, Players, Tournaments
from ruleset.directory.nickname import LONGEST, normalised
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.decks import FrozenTable
from ruleset.tournament.state import EMPTY

UNKNOWN: Final = FrozenTable(key="unknown", list_name="", list_hash=0, pool_hash="", table=b"")
"""Nobody knows by which list its decks were checked."""
_DRY: Final = TournamentNo(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a host makes of an event."""

    event: Event
    choice: str
    """How it counts (pastevents.CHOICES)."""
    title: str
    text: str
    time_zone: str
    numbers: Mapping[int, PlayerId]
    """Who is who, as far as they have numbers here; the others are given new ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopting:
    """Checks and takes in."""

    tournaments: Tournaments
    players: Players
    clock: Clock
    draw_seed: Callable[[], str]

    async def check(self, wish: Wish) -> int:
        """Return how many would be given new numbers; nothing is written.

        Raises NotOurs, and CommandRejected: ``unknown_player``, ``player_twice``, ``bad_settings``.
        """
        if len({*wish.numbers.values()}) < len(wish.numbers):
            raise CommandRejected("player_twice")
        for player in wish.numbers.values():
            self.players.nickname(player)
        free = max(wish.numbers.values(), default=0)
        new = [place for place in range(len(wish.event.entrants)) if place not in wish.numbers]
        stand_ins = {place: PlayerId(free + n) for n, place in enumerate(new, 1)}
        command = self._command(wish, {**wish.numbers, **stand_ins}, _DRY, None)
        await asyncio.to_thread(decide, EMPTY, command)
        return sum(player in stand_ins.values() for player, _ in command.players)

    async def adopt(self, wish: Wish, *, organiser: PlayerId, by: str, command_id: str) -> TournamentNo:
        """Give numbers to those who have none, then take the event in. Asked again, it is the same one.

        Raises as ``check``, and LogErrors.
        """
        await self.check(wish)
        numbers = dict(wish.numbers)
        for place, entrant in enumerate(wish.event.entrants):
            if place not in numbers and place in _playing(wish.event):
                once = f"{command_id[:48]}-{place}"
                name = nickname_for(entrant.name, entrant.seed)
                numbers[place] = await self.players.register(name, by=by, command_id=once)
        number = await self.players.new_tournament(by=by, command_id=f"{command_id[:48]}-t")
        if number not in self.tournaments.numbers():
            command = self._command(wish, numbers, number, organiser)
            await self.tournaments.handle(number, command, by=by, command_id=command_id)
        return number

    def _command(
        self,
        wish: Wish,
        numbers: Mapping[int, PlayerId],
        number: TournamentNo,
        organiser: PlayerId | None,
    ) -> c.Adopt:
        now, event = self.clock.now(), wish.event
        rounds = rounds_of(event, {**dict.fromkeys(range(len(event.entrants)), PlayerId(0)), **numbers})
        settings = settings_of(event, rounds, wish.choice, wish.title, wish.time_zone)
        started = min(_instant(event.started_at, now), now)
        return c.Adopt(
            number=number,
            settings=replace(settings, text=wish.text),
            organiser=organiser,
            environment=UNKNOWN,
            seed=self.draw_seed(),
            players=tuple((numbers[place], self._name(wish, place)) for place in _playing(event)),
            rounds=rounds,
            started_at=started,
            ended_at=max(started, min(_instant(event.ended_at, started), now)),
            now=now,
        )

    def _name(self, wish: Wish, place: int) -> str:
        """Return how somebody was called there, which is what stands in an old event."""
        entrant = wish.event.entrants[place]
        return nickname_for(entrant.name, entrant.seed)


def nickname_for(name: str, seed: int) -> str:
    """Return the nickname that is nearest to *name*; by his seed where nothing of it can be one."""
    kept = "".join(mark for mark in unicodedata.normalize("NFKC", name) if mark not in "$#").strip()
    while len(kept.encode("utf-16-le", "replace")) > 2 * LONGEST:
        kept = kept[:-1].strip()
    try:
        return normalised(kept)
    except CommandRejected:
        return f"Seed {seed}"


def _playing(event: Event) -> Sequence[int]:
    """Return the places of those who have a match, by seed."""
    bouts = (*(bout for bouts in event.groups for bout in bouts), *event.bracket)
    return sorted({place for bout in bouts for place in (bout.a, bout.b)})


def _instant(moment: datetime | None, otherwise: Instant) -> Instant:
    return otherwise if moment is None else Instant(max(0, int(moment.timestamp() * 1_000)))
