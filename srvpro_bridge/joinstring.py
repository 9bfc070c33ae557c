"""What people type as the password to reach their table (decisions 15, duel-server.md 6)."""

from ruleset.roomcode import RoomCode
from ruleset.tournament.settings import Settings
from srvpro_bridge.capabilities import ServerFacts


def join_string(code: RoomCode, settings: Settings, facts: ServerFacts) -> str:
    """Return the text that leads to the room of *code* on that server (19 characters, see publishing).

    A server that seats players by name (Challonge) takes any text and makes the same room; this one leads
    spectators there, too. A plugin leads everybody and sets the room's options itself.
    """
    return room_prefix(settings, facts, single=code.extra or code.playoff) + str(code)


def room_prefix(settings: Settings, facts: ServerFacts, *, single: bool = False) -> str:
    """Return what stands before the code, ``#`` included: ``M#``, ``M,NF#``, or nothing.

    The extra game and the play-off are a *single* duel (5.5-12, R033), but a Challonge link makes every room
    by the server's own mode.
    """
    match facts.link:
        case "plugin":
            return ""
        case "challonge":
            return "" if facts.no_match_mode else "M#"
        case "http":
            mode = ["M"] if settings.best_of == 3 and not single else []
            marks = [*mode, *_list_marks(settings, facts)]
            return ",".join(marks) + "#" if marks else ""


def _list_marks(settings: Settings, facts: ServerFacts) -> list[str]:
    """``LFn`` where the server has the list of the environment, ``NF`` where it has only the wrong ones."""
    if facts.default_environment in {"", settings.environment}:
        return []
    place = dict(facts.lists).get(settings.environment)
    return ["NF"] if place is None else [f"LF{place}"]
