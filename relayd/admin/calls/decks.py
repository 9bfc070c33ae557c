"""Decks: handed in, judged by the frozen environment, approved or refused (R014, R071, D40-D46)."""

from dataclasses import asdict
from typing import Annotated, Final

from pydantic import Field

from deckcheck.check import Verdict
from deckcheck.writing import Form, write_any
from relayd.admin.methods import Methods
from relayd.admin.params import ChangePlayer, DeckText, InTournament, PlayerNumber
from relayd.admin.parts import Call, Done, Shown, done
from relayd.admin.roles import Role
from relayd.decklists import deck_of
from relayd.submitting import environment_of
from relayd.views.people import deck
from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from ruleset.tournament.guards import known_player
from ruleset.tournament.state import Player, Tournament

METHODS: Final = Methods()


class Submit(ChangePlayer):
    """A deck as text: ydk, ydke, a deck link, or a deck buffer in base64."""

    deck: DeckText


class Check(InTournament):
    """A deck to look at."""

    deck: DeckText


class Revoke(ChangePlayer):
    """A refusal."""

    why: Annotated[str, Field(max_length=500)] = ""


class Show(InTournament):
    """Whose deck, and in which form it is to be written as well."""

    player: PlayerNumber
    form: Form | None = None


@METHODS.add("deck.check", Role.VIEWER)
async def check(call: Call, params: Check) -> Shown:
    """Judge a deck by the tournament's environment; nothing is written."""
    judged = await call.parts.submitting.judge(call.tournament, _bytes(params.deck))
    return {**_shown(judged.verdict), "violations": judged.violations}


@METHODS.add("deck.submit", Role.COHOST, own=True)
async def submit(call: Call, params: Submit) -> Done:
    """Hand a deck in; an illegal one is refused with every violation, and nothing is written."""
    await call.refuse_outdated()
    submitted = await call.parts.submitting.submit(
        call.tournament,
        params.player,
        _bytes(params.deck),
        by=call.peer.name,
        command_id=call.command_id,
    )
    return {**done(submitted.answer), **_shown(submitted.verdict), "violations": []}


@METHODS.add("deck.approve", Role.COHOST)
async def approve(call: Call, params: ChangePlayer) -> Done:
    """Let a deck pass that waits for a look."""
    return await call.do(c.ApproveDeck(player=params.player))


@METHODS.add("deck.revoke", Role.COHOST)
async def revoke(call: Call, params: Revoke) -> Done:
    """Refuse a deck, also one that had passed; the sign-in goes with it (R014)."""
    return await call.do(c.RevokeDeck(player=params.player, why=params.why))


@METHODS.add("deck.show", Role.JUDGE, own=True)
async def show(call: Call, params: Show) -> Shown:
    """Show a player's deck with the names of its cards and what its check remarked."""
    state = await call.state()
    player = known_player(state, params.player)
    view = {**deck(state, player), "names": await _names(call, state, player)}
    if params.form is None:
        return view
    return {**view, "form": params.form, "text": write_any(deck_of(held_by(player)), params.form)}


def held_by(player: Player) -> DeckList:
    """Return the deck that is in. Raises CommandRejected ``no_deck``."""
    if player.deck is None:
        raise CommandRejected("no_deck", player=player.number)
    return player.deck


async def _names(call: Call, state: Tournament, player: Player) -> dict[str, str]:
    """Return the name of each card of a deck by its passcode, as far as the environment knows it."""
    if player.deck is None:
        return {}
    cards = (await call.parts.submitting.environments.thaw(environment_of(state))).cards
    held = player.deck
    return {str(code): cards[code].name for code in (*held.main, *held.extra, *held.side) if code in cards}


def _shown(verdict: Verdict) -> dict[str, object]:
    return {
        "status": verdict.status,
        "sentences": list(verdict.sentences()),
        "review": [asdict(card) for card in verdict.review],
        "prerelease": [asdict(card) for card in verdict.prerelease],
    }


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
