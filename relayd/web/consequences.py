"""What a correction would bring about, as a page shows it before anybody carries it out (T22)."""

from collections.abc import Iterator
from typing import Any, Final

from relayd.views.ranks import consequences_view
from relayd.web.eventview import View
from relayd.web.languages import Language
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.tournament.commands import Command
from ruleset.tournament.preview import preview
from ruleset.tournament.state import Tournament

SHOWN: Final = 20
"""Players who move; the others are counted."""


def foreseen(language: Language, state: Tournament, command: Command) -> View:
    """Return what a command would change, or why it is refused. Writes nothing."""
    try:
        return arranged(consequences_view(state, preview(state, command)))
    except CommandRejected as error:
        return refused(refusal(language, error.code, error.data, str(error)))


def refused(words: str) -> View:
    """Return that nothing would happen, and why."""
    return {"refused": words, "results": [], "warnings": [], "moved": [], "more": 0}


def arranged(view: Any) -> View:  # noqa: ANN401  of consequences_view, or of ``table.preview``
    """Return what would change: results, who moves, those whom it hits most first, warnings."""
    moved = sorted(_moved(view), key=_far)
    return {
        "refused": "",
        "results": view["results"],
        "warnings": view["warnings"],
        "moved": moved[:SHOWN],
        "more": max(0, len(moved) - SHOWN),
    }


def _moved(view: Any) -> Iterator[View]:  # noqa: ANN401  as above
    """Yield everybody whose rank, place or DP changes, with all three in one line."""
    ranks, places = ({row["player"]: row for row in view[part]} for part in ("ranks", "places"))
    dp = {row["player"]: row for row in view["dp"]}
    for player in ranks | places | dp:
        known = ranks.get(player) or places.get(player) or dp[player]
        yield {
            **{key: known[key] for key in ("player", "label", "nickname")},
            "rank": _change(ranks.get(player)),
            "place": _change(places.get(player)),
            "dp": dp[player]["delta"] if player in dp else None,
        }


def _change(row: View | None) -> tuple[object, object] | None:
    return None if row is None else (row["before"], row["after"])


def _far(row: View) -> tuple[bool, int, int]:
    """Order by what matters: DP first, then the longest way up or down."""
    ways = [abs(change[1] - change[0]) for change in (row["place"], row["rank"]) if _both(change)]
    return row["dp"] is None, -max(ways, default=0), int(row["player"])


def _both(change: Any) -> bool:  # noqa: ANN401  of _change
    return change is not None and None not in change
