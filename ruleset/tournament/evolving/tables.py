"""How events change one table."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ruleset.copies import replace
from ruleset.ids import Seat
from ruleset.tournament import events as e
from ruleset.tournament.results import shared
from ruleset.tournament.round import IN_ROOM, UNSEEN, Table, Word

OfTable: TypeAlias = Callable[[Table, Any], Table]


def reopened(table: Table, event: e.TableReopened) -> Table:
    """Return *table* as it plays again; its clock is the round's."""
    return replace(
        table,
        status="playing",
        result=None,
        ruled=False,
        confirmed_at=None,
        dispute="",
        wins=(0, 0),
        order=(),
        duel=0,
        reopened=True,
        carried=event.carried,
        reports=(),
        words={},
        offered=None,
        capped=False,
        asked_until=None,
    )


def _pressed(table: Table, event: e.PlayerPresent) -> Table:
    return _present(table, event.seat, button_at=event.at)


def _seated(table: Table, event: e.PlayerSeated) -> Table:
    if table.presence(event.seat) is not UNSEEN or table.claimable_by is not None:
        return _present(table, event.seat, in_room=True)
    return replace(table, presence_a=IN_ROOM) if event.seat == "a" else replace(table, presence_b=IN_ROOM)


def _left(table: Table, event: e.PlayerLeft) -> Table:
    return _with_presence(table, event.seat, in_room=False, left_at=event.at)


def _present(table: Table, seat: Seat, **changes: Any) -> Table:  # noqa: ANN401  fields of Presence
    """Let somebody be there; an offer of a win by his absence is off (H219)."""
    table = _with_presence(table, seat, **changes)
    return table if table.claimable_by in {None, seat} else replace(table, claimable_by=None)


def _with_presence(table: Table, seat: Seat, **changes: Any) -> Table:  # noqa: ANN401  fields of Presence
    presence = replace(table.presence(seat), **changes)
    return replace(table, presence_a=presence) if seat == "a" else replace(table, presence_b=presence)


def _started(table: Table, _event: e.TableStarted) -> Table:
    return replace(table, status="playing", claimable_by=None)


def _score_seen(table: Table, event: e.ScoreSeen) -> Table:
    one, two = event.wins[0] - table.wins[0], event.wins[1] - table.wins[1]
    new: list[Seat] = ["a"] * one
    new += ["b"] * two
    return replace(table, wins=event.wins, duel=event.duel, order=(*table.order, *new))


def _claimable(table: Table, event: e.AbsenceClaimable) -> Table:
    return replace(table, claimable_by=event.seat)


def _filed(table: Table, event: e.ReportFiled) -> Table:
    return replace(table, reports=(*table.reports, event.report))


def _told(table: Table, event: e.PlayerReported) -> Table:
    others = {seat: word for seat, word in table.words.items() if seat != event.seat}
    word = Word(outcome=event.outcome, wins=event.wins)
    return replace(table, status="reported", words={**others, event.seat: word}, asked_until=None)


def _confirmed(table: Table, event: e.ResultConfirmed) -> Table:
    return replace(
        table,
        status="confirmed",
        result=shared(event.result),
        ruled=table.ruled or event.ruled,
        confirmed_at=event.at,
        dispute="",
        claimable_by=None,
        offered=None,
        lost_at=None,
        asked_until=None,
    )


def _offered(table: Table, event: e.RulingOffered) -> Table:
    return replace(table, offered=event.result)


def _declined(table: Table, _event: e.OfferDeclined) -> Table:
    return replace(table, offered=None)


def _disputed(table: Table, event: e.ResultDisputed) -> Table:
    return replace(
        table,
        status="disputed",
        dispute=event.why,
        result=None,
        confirmed_at=None,
        offered=None,
        asked_until=None,
    )


def _extra_game(table: Table, event: e.ExtraGameOrdered) -> Table:
    return replace(
        table,
        status="playing",
        extra_games=table.extra_games + 1,
        tied_games=event.games,
        reports=(),
        reports_before=(*table.reports_before, *table.reports),
    )


def _extended(table: Table, event: e.TableExtended) -> Table:
    return replace(table, ext_ms=table.ext_ms + event.by_ms)


OF_TABLE: Final[Mapping[type[e.Event], OfTable]] = {
    e.PlayerPresent: _pressed,
    e.PlayerSeated: _seated,
    e.PlayerLeft: _left,
    e.TableStarted: _started,
    e.ScoreSeen: _score_seen,
    e.AbsenceClaimable: _claimable,
    e.ReportFiled: _filed,
    e.PlayerReported: _told,
    e.ResultConfirmed: _confirmed,
    e.RulingOffered: _offered,
    e.OfferDeclined: _declined,
    e.ResultDisputed: _disputed,
    e.ExtraGameOrdered: _extra_game,
    e.TableExtended: _extended,
}
"""All with a field ``table``."""
