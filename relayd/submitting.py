"""From a text to a deck of a tournament: read, judged as frozen, handed in (R014, D40-D46)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from deckcheck.check import Listed, Verdict, check
from deckcheck.environments import Environment
from deckcheck.frozen import freeze_deck
from deckcheck.reading import read_any
from deckcheck.sentences import card_text
from relayd.environments import QUICK_BYTES, Environments
from relayd.errors import InvariantBroken
from relayd.ports import Answer, Tournaments
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import SubmitDeck
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.state import Tournament

_encode: Final = msgspec.json.Encoder().encode


class DeckRefused(Exception):
    """The sender: the deck is illegal. ``verdict`` has every violation; nothing was written (D40)."""

    def __init__(self, judged: "Judged") -> None:
        super().__init__("\n".join(judged.verdict.sentences()))
        self.verdict: Final = judged.verdict
        self.violations: Final = judged.violations


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is to be said of a text."""

    verdict: Verdict
    violations: msgspec.Raw
    """All of them as JSON: a text can have one in each of thousands of lines (F19)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A deck that is in."""

    answer: Answer
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitting:
    """Checks and takes decks, for the admin sockets and the pages."""

    environments: Environments
    tournaments: Tournaments

    async def check(self, number: TournamentNo, text: bytes) -> Verdict:
        """Judge a deck in any form. Raises DeckInvalid where it cannot be read, CommandRejected."""
        return (await self.judge(number, text)).verdict

    async def judge(self, number: TournamentNo, text: bytes) -> Judged:
        """Judge a deck as ``check`` does, and have what is wrong ready to be sent."""
        return await self._judge(await self.tournaments.load(number), text)

    async def submit(
        self, number: TournamentNo, player: PlayerId, text: bytes, *, by: str, command_id: str | None = None
    ) -> Submitted:
        """Hand a deck in. Raises as ``check``, and DeckRefused; one for review waits for the host (D44)."""
        while True:
            state = await self.tournaments.load(number)
            judged = await self._judge(state, text)
            if judged.verdict.status == "illegal":
                raise DeckRefused(judged)
            command = _command(player, judged.verdict, state.edition)
            try:
                answer = await self.tournaments.handle(number, command, by=by, command_id=command_id)
            except CommandRejected as refusal:
                if refusal.code != "judged_before":
                    raise
            else:
                return Submitted(answer=answer, verdict=judged.verdict)

    async def _judge(self, state: Tournament, text: bytes) -> Judged:
        quick = len(text) <= QUICK_BYTES
        return await self.environments.ask(environment_of(state), partial(_judged, text), quick=quick)


def environment_of(state: Tournament) -> FrozenTable:
    """Return the frozen environment of a tournament that is published."""
    if state.environment is None:
        raise InvariantBroken(f"tournament {state.number} has no environment")
    return state.environment


def remarks(verdict: Verdict) -> tuple[str, ...]:
    """Return what the check let through or could not decide, one line each (D44)."""
    return tuple(_remarks(verdict))


def _judged(text: bytes, environment: Environment) -> Judged:
    verdict = check(read_any(text), environment)
    violations = b",".join([_encode(violation.as_data()) for violation in verdict.violations])
    return Judged(verdict=verdict, violations=msgspec.Raw(b"[%b]" % violations))


def _command(player: PlayerId, verdict: Verdict, edition: int) -> SubmitDeck:
    frozen = freeze_deck(verdict.deck)
    deck = frozen.deck
    return SubmitDeck(
        player=player,
        deck=DeckList(main=deck.main, extra=deck.extra, side=deck.side, sha256=frozen.sha256),
        verdict="review" if verdict.review else "legal",
        remarks=remarks(verdict),
        edition=edition,
    )


def _remarks(verdict: Verdict) -> Iterator[str]:
    yield from (f"pre-release: {_card(card)}" for card in verdict.prerelease)
    yield from (f"unknown: {_card(card)}" for card in verdict.review)


def _card(card: Listed) -> str:
    return f"{card.count} × {card_text(card.code, card.name)}"
