"""Decks of a tournament as data: compared, written out for a duel server, counted (D46, F23)."""

from dataclasses import asdict, dataclass
from typing import Final

from deckcheck.difference import difference
from deckcheck.environments import Environment
from deckcheck.export import deck_file_name
from deckcheck.frozen import same_in_first_game, same_in_later_game
from deckcheck.reading import read_any
from deckcheck.sentences import Language
from deckcheck.usage import usage
from relayd.admin.calls.decks import held_by
from relayd.admin.methods import Methods
from relayd.admin.params import DeckText, InTournament, PlayerNumber
from relayd.admin.parts import Call, Shown
from relayd.admin.roles import Role
from relayd.decklists import deck_of, frozen_deck_of
from relayd.submitting import environment_of
from relayd.views.people import View, person
from ruleset.errors import CommandRejected
from ruleset.tournament.decks import DeckList
from ruleset.tournament.guards import known_player
from ruleset.tournament.state import Player, Tournament

METHODS: Final = Methods()


class Diff(InTournament):
    """A deck to be compared with the one that is in."""

    player: PlayerNumber
    deck: DeckText
    language: Language = "en"


@METHODS.add("deck.diff", Role.JUDGE, own=True)
async def diff(call: Call, params: Diff) -> Shown:
    """Say what a deck has more and less than the one that the player handed in (D46)."""
    state = await call.state()
    held = held_by(known_player(state, params.player))
    text = params.deck.encode("utf-8", "surrogatepass")
    compared = await call.parts.submitting.environments.ask(
        environment_of(state), lambda environment: _compared(held, text, environment, params.language)
    )
    return {**person(state, params.player), **asdict(compared)}


@METHODS.add("deck.export", Role.COHOST)
async def export(call: Call, _params: InTournament) -> Shown:
    """Return every deck as a file for a duel server in tournament mode, named so that it finds its player."""
    state = await call.state()
    return {"decks": await call.parts.submitting.environments.work(lambda: _files(state))}


@METHODS.add("deck.stats", Role.COHOST)
async def stats(call: Call, _params: InTournament) -> Shown:
    """Count which cards and archetypes were played, after the end."""
    state, environments = await call.state(), call.parts.submitting.environments
    if state.phase not in {"finished", "cancelled"}:
        raise CommandRejected("not_ended")
    names = await environments.set_names()
    decks = [deck_of(held) for _, held in _played(state)]
    return await environments.ask(
        environment_of(state), lambda environment: usage(decks, environment.cards, names).as_data()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """How a deck stands to the one that is in."""

    same: bool
    """A duel server takes it in the first game."""
    same_cards: bool
    """A duel server takes it in later games: siding may move cards."""
    difference: str
    """Empty where there is none."""


def _compared(held: DeckList, text: bytes, environment: Environment, language: Language) -> _Compared:
    frozen, deck = frozen_deck_of(held), read_any(text).complete()
    return _Compared(
        same=same_in_first_game(frozen, deck),
        same_cards=same_in_later_game(frozen, deck),
        difference=difference(frozen, deck, environment.cards, language),
    )


def _files(state: Tournament) -> list[View]:
    return [
        {
            **person(state, player.number),
            "file": deck_file_name(player.number, player.nickname),
            "text": frozen_deck_of(held).text,
        }
        for player, held in _played(state)
    ]


def _played(state: Tournament) -> list[tuple[Player, DeckList]]:
    """Return the decks of the entrants; before the start, of all whose deck has passed."""
    players = [state.players[number] for number in state.entrants] or [*state.players.values()]
    return [(p, p.deck) for p in players if p.deck is not None and p.deck_status == "approved"]
