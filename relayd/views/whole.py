"""A tournament by itself: in a line of a list, and as a whole."""

from typing import Any

import msgspec

from relayd.views.clock import clock
from relayd.views.people import View, person
from relayd.views.ranks import places_view
from relayd.views.tables import parked_view
from ruleset.ids import Instant, ServerId
from ruleset.rating import rated
from ruleset.seeds import commitment, round_key
from ruleset.tournament.ranking import winners
from ruleset.tournament.state import Tournament


def summary(state: Tournament) -> View:
    """Return a tournament in a line."""
    played = state.round
    return {
        "tournament": state.number,
        "title": state.settings.title,
        "format": state.settings.format,
        "environment": state.settings.environment,
        "phase": state.phase,
        "start_at": state.settings.start_at,
        "time_zone": state.settings.time_zone,
        "players": len(state.players),
        "signed_in": len(state.signed_in()),
        "entrants": len(state.entrants),
        "round": None if played is None else played.number,
        "open_tables": 0 if played is None else len(played.open_tables),
        "started_at": state.started_at,
        "ended_at": state.ended_at,
    }


def whole(state: Tournament, now: Instant) -> View:
    """Return everything that a host looks at, but its tables, players and standings."""
    return {
        **summary(state),
        "organiser": None if state.organiser is None else person(state, state.organiser),
        "published_at": state.published_at,
        "settings": settings(state),
        "frozen": _frozen(state),
        "exhibition": _exhibition(state),
        "clock": clock(state, now),
        "seed": _seed(state),
        "disputed": [str(t.id) for t in state.all_tables() if t.status == "disputed"],
        "asked": [str(t.id) for t in state.all_tables() if t.asked_until is not None],
        "parked": [parked_view(state, parked) for parked in state.parked.values()],
        "lost_servers": dict[ServerId, Instant](state.lost_servers),
        "lapsed_at": state.lapsed_at,
        "last_action": _last_action(state),
        "forbidden": [[person(state, one), person(state, other)] for one, other in state.forbidden],
        "prizes": [{**person(state, p), "prize": prize.name, "place": n} for prize, p, n in winners(state)],
        "places": places_view(state),
    }


def settings(state: Tournament) -> dict[str, Any]:
    """Return the settings as they may be sent back."""
    plain: dict[str, Any] = msgspec.to_builtins(state.settings)
    return plain


def _last_action(state: Tournament) -> View | None:
    """Return what can be undone now, and by which number."""
    action = state.last_action
    if action is None:
        return None
    return {
        "action": action.number,
        "what": action.what,
        "tables": [str(table.id) for table in action.tables],
        "players": [person(state, player.number) for player in action.players],
    }


def _frozen(state: Tournament) -> View | None:
    table = state.environment
    if table is None:
        return None
    return {
        "environment": table.key,
        "list_name": table.list_name,
        "list_hash": f"{table.list_hash:08x}",
        "pool_hash": table.pool_hash,
    }


def _exhibition(state: Tournament) -> bool:
    """Say whether DP stays as it is because of the number of players, as far as it is known (R052, R054)."""
    return not rated(len(state.entrants or state.signed_in()))


def _seed(state: Tournament) -> View:
    """Return the commitment, the key of each round so far, and after the end the seed itself (R030)."""
    seed = bytes.fromhex(state.seed)
    ended = state.phase in {"finished", "cancelled"}
    return {
        "sha256": commitment(seed),
        "round_keys": [round_key(seed, played.number).hex() for played in state.rounds],
        "seed": state.seed if ended else None,
    }
