"""Handing a deck in, and looking at one's own: the verdict at once, all violations readable (D40)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from aiohttp import web

from deckcheck.cards import Card
from deckcheck.check import SHOWN, Verdict
from deckcheck.deck import Deck
from deckcheck.errors import DeckInvalid
from deckcheck.ydk import write_ydk
from relayd.decklists import deck_of
from relayd.submitting import environment_of
from relayd.web.eventview import entry_of, frame
from relayd.web.parts import CallFailed
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, player_label
from ruleset.tournament.decks import DeckList
from ruleset.tournament.state import Tournament


async def show(visit: Visit) -> web.StreamResponse:
    """Show the reader's own deck, and the form for another."""
    visit.signed_in()
    return await _page(visit, await visit.tournament())


async def hand_in(visit: Visit) -> web.StreamResponse:
    """Judge a deck and take it; an illegal one is told in full and nothing is written."""
    state, account, form = await visit.tournament(), visit.signed_in(), await visit.form()
    text = form.get("file", "").encode("latin-1", "replace") or form.get("deck", "").encode(
        "utf-8", "surrogatepass"
    )
    try:
        verdict = await visit.parts.submitting.check(state.number, text)
        if verdict.status == "illegal":
            return await _page(visit, state, verdict=verdict, text=form.get("deck", ""))
        params = {"tournament": state.number, "player": account.player, "deck": write_ydk(verdict.deck)}
        await visit.parts.calls(await visit.caller(state.number), "deck.submit", params)
    except DeckInvalid as error:
        return await _page(visit, state, problem=visit.t("deck.unreadable", why=error.message))
    except CommandRejected as error:
        return await _page(visit, state, problem=refusal(visit.language, error.code, error.data, error.code))
    except CallFailed as error:
        words = refusal(visit.language, error.code, error.data, error.sentence)
        return await _page(visit, state, problem=words)
    key = "deck.taken" if verdict.status == "legal" else "deck.for_review"
    return visit.redirect(f"/e/{state.number}/deck", visit.t(key))


async def download(visit: Visit) -> web.StreamResponse:
    """Give the reader's own deck of the tournament as a .ydk (R060, D62)."""
    state, account = await visit.tournament(), visit.signed_in()
    player = state.players.get(account.player)
    if player is None or player.deck is None:
        raise web.HTTPNotFound
    return deck_file(state, player.number, deck_of(player.deck))


def deck_file(state: Tournament, player: PlayerId, deck: Deck) -> web.Response:
    """Answer with a deck as a file that is named by numbers alone (F23)."""
    response = web.Response(text=write_ydk(deck))
    name = f"{player_label(player)}-{state.number}.ydk"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def listed(visit: Visit, state: Tournament, deck: DeckList) -> dict[str, list[dict[str, Any]]]:
    """Return a deck by section with names and counts, as people read it."""
    cards = (await visit.parts.environments.thaw(environment_of(state))).cards
    sections = {"main": deck.main, "extra": deck.extra, "side": deck.side}
    return {section: list(_counted(codes, cards)) for section, codes in sections.items()}


async def _page(
    visit: Visit, state: Tournament, *, verdict: Verdict | None = None, problem: str = "", text: str = ""
) -> web.Response:
    own = state.players.get(PlayerId(visit.player or 0))
    held = None if own is None or own.deck is None else await listed(visit, state, own.deck)
    return visit.page(
        "deck.html",
        status=422 if verdict or problem else 200,
        **await frame(visit, state, "overview"),
        entry=entry_of(state, visit.player),
        deck=held,
        remarks=() if own is None else own.remarks,
        violations=() if verdict is None else verdict.sentences(visit.language, SHOWN),
        problem=problem,
        text=text[:20_000],
    )


def _counted(codes: Iterable[int], cards: Mapping[int, Card]) -> Iterable[dict[str, Any]]:
    for code, count in Counter(codes).items():
        name = cards[code].name if code in cards else ""
        yield {"code": f"{code:08d}", "name": name, "count": count}
