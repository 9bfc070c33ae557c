"""From what a host wishes to a published tournament: settings, duel servers, environment, number, seed."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from relayd.environments import Environments
from relayd.ports import Answer, Clock, Players, Tournaments
from relayd.settings import Settings as DaemonSettings
from relayd.tournamentform import Wishes, edit_form, read_form
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo, player_label
from ruleset.tournament.commands import EditSettings, Publish
from ruleset.tournament.decide import decide
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY
from srvpro_bridge.publishing import problems

_DRY: Final = TournamentNo(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A tournament and its number."""

    number: TournamentNo
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """Publishes and edits tournaments, for the admin sockets and the pages."""

    daemon: Callable[[], DaemonSettings]
    """The settings that are in force now."""
    environments: Environments
    tournaments: Tournaments
    players: Players
    clock: Clock
    draw_seed: Callable[[], str] = lambda: secrets.token_hex(32)

    async def check(self, wishes: Wishes) -> Publish:
        """Return the command that would publish, with a number of its own left out; nothing is written.

        Raises CommandRejected: ``bad_settings`` with every problem, ``unfit_servers``, those of environments.
        """
        settings = read_form(wishes, time_zone=self.daemon().time_zone, capacities=self._capacities())
        self._refuse_strangers(settings)
        self._refuse_unfit(settings)
        command = Publish(
            number=_DRY,
            settings=settings,
            environment=await self.environments.freeze(settings.environment),
            seed=self.draw_seed(),
            now=self.clock.now(),
        )
        decide(EMPTY, command)
        return command

    async def publish(
        self, wishes: Wishes, *, by: str, organiser: PlayerId | None = None, command_id: str | None = None
    ) -> Published:
        """Publish a tournament. Asked again with the same *command_id* it is the same tournament.

        Raises as ``check``, and LogErrors.
        """
        command = await self.check(wishes)
        number = await self.players.new_tournament(by=by, command_id=command_id)
        self._refuse_unfit(command.settings, number)
        command = replace(command, number=number, organiser=organiser, now=self.clock.now())
        answer = await self.tournaments.handle(number, command, by=by, command_id=command_id)
        return Published(number=number, answer=answer)

    async def edited(self, number: TournamentNo, wishes: Wishes) -> EditSettings:
        """Return the command that changes what *wishes* names (R056). Raises CommandRejected as ``check``."""
        state = await self.tournaments.load(number)
        settings = edit_form(state.settings, wishes, capacities=self._capacities())
        self._refuse_strangers(settings)
        self._refuse_unfit(settings, number)
        return EditSettings(settings=settings, now=self.clock.now())

    async def check_edit(self, number: TournamentNo, wishes: Wishes) -> Settings:
        """Return what the settings would be; nothing is written. Raises CommandRejected as the edit would."""
        command = await self.edited(number, wishes)
        decide(await self.tournaments.load(number), command)
        return command.settings

    def _refuse_strangers(self, settings: Settings) -> None:
        problems = (*self._unknown_people(settings), *self._unknown_events(settings))
        if problems:
            raise CommandRejected("bad_settings", problems=problems)

    def _unknown_people(self, settings: Settings) -> Iterator[str]:
        for player in settings.co_hosts:
            try:
                self.players.nickname(player)
            except CommandRejected:
                yield f"co_hosts: there is no player {player_label(player)}"

    def _unknown_events(self, settings: Settings) -> Iterator[str]:
        known = set(self.tournaments.numbers()) if settings.linked_events else set[TournamentNo]()
        for number in settings.linked_events:
            if number not in known:
                yield f"linked_events: there is no tournament {number}"

    def _refuse_unfit(self, settings: Settings, number: TournamentNo | None = None) -> None:
        if unfit := tuple(self._unfit(settings, number)):
            raise CommandRejected("unfit_servers", problems=unfit)

    def _unfit(self, settings: Settings, number: TournamentNo | None) -> Iterator[str]:
        used = {server.id for server in settings.servers}
        for server in self.daemon().duel_server:
            if server.id in used:
                yield from (problem.message for problem in problems(settings, server.facts, number))

    def _capacities(self) -> dict[str, int]:
        return {server.id: server.capacity for server in self.daemon().duel_server}
