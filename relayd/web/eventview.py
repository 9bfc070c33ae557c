"""What every page of one tournament shows around its own matter."""

from typing import Any

from relayd.views.people import player_rows
from relayd.views.tables import round_view
from relayd.views.whole import whole
from relayd.web.openness import decks_are_open, shows_count
from relayd.web.parts import SiteParts
from relayd.web.said import current, minutes_left
from relayd.web.visit import Visit
from ruleset.ids import PlayerId
from ruleset.tournament.state import Round, Tournament

View = dict[str, Any]
ENDED = frozenset({"finished", "cancelled"})


async def frame(visit: Visit, state: Tournament, tab: str) -> View:
    """Return the values of event_base.html."""
    rights = await visit.rights(state)
    base, host = f"/e/{state.number}", rights.at_least("judge")
    tabs = [
        ("overview", base),
        ("players", f"{base}/players"),
        ("rounds", f"{base}/r"),
        ("standings", f"{base}/standings"),
    ]
    if state.teams:
        tabs.append(("teams", f"{base}/teams"))
    if state.settings.format.endswith("elimination"):
        tabs.append(("bracket", f"{base}/bracket"))
    tabs.append(("results", f"{base}/results"))
    if decks_are_open(state):
        tabs.append(("decks", f"{base}/decks"))
    if host:
        tabs.append(("host", f"{base}/host"))
    return {
        "e": _with_organiser(visit, whole(state, visit.now)),
        "s": state.settings,
        "version": visit.parts.tournaments.version(state.number),
        "ended": state.phase in ENDED,
        "tabs": tabs,
        "tab": tab,
        "host": host,
        "counted": host or shows_count(state),
        "said": current(await visit.parts.said(state.number), visit.now),
        "warned": minutes_left(state),
        "scale": visit.parts.frontage.scale,
    }


def one_round(parts: SiteParts, state: Tournament, played: Round) -> View:
    """Return a round with its tables as they stand now."""
    sights = parts.sights
    return round_view(state, played, sights.live(state.number), sights.join_string, parts.clock.now())


def entry_of(state: Tournament, player: PlayerId | None) -> View | None:
    """Return the reader's own line in the list of players."""
    if player is None or player not in state.players:
        return None
    return next(row for row in player_rows(state) if row["player"] == player)


def _with_organiser(visit: Visit, view: View) -> View:
    """Name the organiser, who need not play, as he is called today."""
    organiser = view["organiser"]
    if organiser is None or organiser["nickname"]:
        return view
    return {**view, "organiser": {**organiser, "nickname": visit.parts.players.nickname(organiser["player"])}}
