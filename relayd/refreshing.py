"""A tournament's list as it is now: frozen anew, and every deck judged again (R045)."""

from collections.abc import Mapping
from dataclasses import dataclass

from deckcheck.check import check
from deckcheck.environments import Environment
from relayd.decklists import deck_of
from relayd.environments import Environments
from relayd.ports import Answer, Clock, VersionedTournaments
from relayd.submitting import environment_of, remarks
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import RefreshEnvironment
from ruleset.tournament.decks import DeckList, Rechecked
from ruleset.tournament.refreshing import decks_in
from ruleset.tournament.state import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshing:
    """Refreshes the frozen lists of tournaments, for the admin sockets and the pages."""

    environments: Environments
    tournaments: VersionedTournaments
    clock: Clock

    async def refresh(
        self,
        number: TournamentNo,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Freeze the environment as the operator's files are now; decks that it forbids are refused (R014).

        Raises CommandRejected (``environment_unavailable``, ``too_late_to_edit``, ``outdated``), LogErrors.
        """
        while True:
            command = await self._command(await self.tournaments.load(number))
            try:
                return await self.tournaments.handle(
                    number, command, by=by, command_id=command_id, expected_version=expected_version
                )
            except CommandRejected as refusal:
                if refusal.code != "decks_changed":
                    raise

    async def _command(self, state: Tournament) -> RefreshEnvironment:
        frozen = await self.environments.freeze(environment_of(state).key)
        decks = {player.number: deck for player, deck in decks_in(state)}
        checked = await self.environments.ask(frozen, lambda environment: _checked(decks, environment))
        return RefreshEnvironment(environment=frozen, checked=checked, now=self.clock.now())


def _checked(decks: Mapping[PlayerId, DeckList], environment: Environment) -> Mapping[PlayerId, Rechecked]:
    return {player: _rechecked(held, environment) for player, held in decks.items()}


def _rechecked(held: DeckList, environment: Environment) -> Rechecked:
    verdict = check(deck_of(held), environment)
    return Rechecked(
        sha256=held.sha256,
        verdict=verdict.status,
        remarks=remarks(verdict),
        why="; ".join(verdict.sentences(most=len(verdict.violations))),
    )
