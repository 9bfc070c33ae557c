"""From a text to a deck of a tournament: read, judged as frozen, handed in (R014, D40-D46)."""

from collections.abc import Iterator
from dataclasses import dataclass

from deckcheck.check import Listed, Verdict, check
from deckcheck.frozen import freeze_deck
from deckcheck.reading import read_any
from deckcheck.sentences import card_text
from relayd.environments import Environments
from relayd.errors import InvariantBroken
from relayd.ports import Answer, Tournaments
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import SubmitDeck
from ruleset.tournament.decks import DeckList


class DeckRefused(Exception):
    """The sender: the deck is illegal. ``verdict`` has every violation; nothing was written (D40)."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("\n".join(verdict.sentences()))
        self.verdict = verdict


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
        frozen = (await self.tournaments.load(number)).environment
        if frozen is None:
            raise InvariantBroken(f"tournament {number} has no environment")
        return check(read_any(text), await self.environments.thaw(frozen))

    async def submit(
        self, number: TournamentNo, player: PlayerId, text: bytes, *, by: str, command_id: str | None = None
    ) -> Submitted:
        """Hand a deck in. Raises as ``check``, and DeckRefused; one for review waits for the host (D44)."""
        verdict = await self.check(number, text)
        if verdict.status == "illegal":
            raise DeckRefused(verdict)
        command = _command(player, verdict)
        answer = await self.tournaments.handle(number, command, by=by, command_id=command_id)
        return Submitted(answer=answer, verdict=verdict)


def _command(player: PlayerId, verdict: Verdict) -> SubmitDeck:
    frozen = freeze_deck(verdict.deck)
    deck = frozen.deck
    return SubmitDeck(
        player=player,
        deck=DeckList(main=deck.main, extra=deck.extra, side=deck.side, sha256=frozen.sha256),
        verdict="review" if verdict.review else "legal",
        remarks=tuple(_remarks(verdict)),
    )


def _remarks(verdict: Verdict) -> Iterator[str]:
    yield from (f"pre-release: {_card(card)}" for card in verdict.prerelease)
    yield from (f"unknown: {_card(card)}" for card in verdict.review)


def _card(card: Listed) -> str:
    return f"{card.count} × {card_text(card.code, card.name)}"
