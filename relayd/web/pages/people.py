"""Players across tournaments: the DP ladder, a player's page, his curve."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from aiohttp import web
from markupsafe import Markup

from relayd.storage.ledger import FIRST_DP, LedgerRow
from relayd.views.whole import summary
from relayd.web.visit import Visit
from ruleset.ids import PlayerId, TournamentNo, player_label
from ruleset.tournament.state import Tournament

PAGE: Final = 100
LOOKED_AT: Final = 50
"""Tournaments of a profile, newest first."""
_WIDTH: Final = 600
_HEIGHT: Final = 160


async def ladder(visit: Visit) -> web.StreamResponse:
    """Rank all players by DP; equal DP, equal rank."""
    wanted = visit.request.query.get("q", "")[:40].casefold()
    text = visit.request.query.get("after", "0")
    start = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    names = dict(visit.parts.roster())
    ranked = _ranked(names, await visit.parts.ledger.dp(list(names)))
    found = [row for row in ranked if wanted in f"{row['nickname']} {row['label']}".casefold()]
    shown = found[start : start + PAGE]
    more = start + PAGE if len(found) > start + PAGE else 0
    return visit.page("ladder.html", rows=shown, q=wanted, more=more, faces=await _faces(visit, shown))


async def _faces(visit: Visit, rows: Iterable[Mapping[str, Any]]) -> Mapping[PlayerId, str]:
    return await visit.parts.accounts.store.avatars([row["player"] for row in rows])


async def profile(visit: Visit) -> web.StreamResponse:
    """Show who a player is: DP, its curve, where he played."""
    player = PlayerId(int(visit.request.match_info["player"]))
    nickname = visit.parts.players.nickname(player)
    rows = await visit.parts.ledger.history(player)
    running = visit.parts.running_in(player)
    return visit.page(
        "profile.html",
        person={"player": player, "label": player_label(player), "nickname": nickname},
        faces=await visit.parts.accounts.store.avatars([player]),
        dp=FIRST_DP + sum(row.delta for row in rows),
        running=None if running is None else summary(await visit.parts.tournaments.load(running)),
        curve=curve(rows, visit.t("profile.curve")),
        events=[_event(state, player, rows) async for state in _played(visit, player)],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """DP over time."""

    picture: Markup
    lowest: int
    highest: int
    matches: int
    """That count: neither prizes nor what was corrected away."""


def curve(rows: Sequence[LedgerRow], title: str) -> Curve | None:
    """Draw DP after each row, oldest first; ``None`` where there is nothing to draw."""
    values = [*accumulate((row.delta for row in rows), initial=FIRST_DP)]
    if len(values) < 3:
        return None
    low, spread = min(values), max(max(values) - min(values), 16)
    heights = [_HEIGHT - 10 - (value - low) * (_HEIGHT - 20) / spread for value in values]
    points = " L".join(f"{n * _WIDTH / len(rows):.1f} {height:.1f}" for n, height in enumerate(heights))
    picture = Markup(  # noqa: S704  numbers only, and a title of ours
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{title}"><line class="base" x1="0" x2="{_WIDTH}" y1="{heights[0]:.1f}" '
        f'y2="{heights[0]:.1f}"/><path d="M{points}"/></svg>'
    )
    return Curve(picture=picture, lowest=low, highest=max(values), matches=_matches(rows))


def _matches(rows: Iterable[LedgerRow]) -> int:
    booked = {row.key for row in rows if row.table is not None and row.reverses is None}
    return len(booked - {row.reverses for row in rows})


async def _played(visit: Visit, player: PlayerId) -> Any:  # noqa: ANN401  an async generator of tournaments
    tournaments = visit.parts.tournaments
    for number in list(reversed(tournaments.numbers()))[:LOOKED_AT]:
        state = await tournaments.load(number)
        if player in state.entrants:
            yield state


def _event(state: Tournament, player: PlayerId, rows: Iterable[LedgerRow]) -> dict[str, Any]:
    deltas = [row.delta for row in rows if row.tournament == TournamentNo(state.number)]
    return {
        **summary(state),
        "place": dict(state.places).get(player),
        "delta": sum(deltas) if deltas else None,
        "tables": list(_tables(state, player)),
    }


def _tables(state: Tournament, player: PlayerId) -> Iterable[dict[str, Any]]:
    for table in state.all_tables():
        seat = table.seat_of(player)
        if seat is None or table.result is None:
            continue
        opponent = table.b if seat == "a" else table.a
        wins = (table.result.wins("a"), table.result.wins("b"))
        outcome = table.result.outcome
        yield {
            "table": str(table.id),
            "opponent": {
                "player": opponent,
                "label": player_label(opponent),
                "nickname": state.players[opponent].nickname,
            },
            "score": wins if seat == "a" else wins[::-1],
            "outcome": outcome
            if outcome in {"draw", "double_loss"}
            else "won"
            if outcome == seat
            else "lost",
        }


def _ranked(names: dict[PlayerId, str], dp: Any) -> list[dict[str, Any]]:  # noqa: ANN401  a mapping of numbers
    ordered = sorted(names, key=lambda player: (-dp[player], player))
    rows, rank = list[dict[str, Any]](), 0
    for place, player in enumerate(ordered, 1):
        if not rows or rows[-1]["dp"] != dp[player]:
            rank = place
        rows.append(
            {
                "rank": rank,
                "player": player,
                "label": player_label(player),
                "nickname": names[player],
                "dp": dp[player],
            }
        )
    return rows
