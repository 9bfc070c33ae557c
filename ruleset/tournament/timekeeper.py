"""``Tick``: whatever is due happens, in the order late, time-up, cap, next round (5.3-3, T1, T2, T6-T16)."""

from collections.abc import Callable
from typing import Final

from ruleset.ids import MINUTE_MS, SEATS
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import (
    absence_at,
    cap_at,
    lapses_at,
    next_at,
    present_until,
    signin_closes_at,
    signin_opens_at,
    time_up_at,
    warnings,
)
from ruleset.tournament.results import Result
from ruleset.tournament.rounds import advance, follow_up
from ruleset.tournament.settling import confirm, reopen
from ruleset.tournament.state import Table, Tournament
from ruleset.tournament.story import Story
from ruleset.tournament.verdicts import games_so_far


def tick(state: Tournament, command: c.Tick) -> tuple[e.Event, ...]:
    """Return all that is due at ``command.now``; each deadline fires once."""
    if state.lapsed_at is not None:
        return ()
    story = Story(state)
    _signin(story, command)
    seen = -1
    while len(story.events) > seen and story.state.phase == "running":
        seen = len(story.events)
        for step in _STEPS:
            if story.state.phase == "running":
                step(story, command)
    _lapse(story, command)
    return story.events


def _lapse(story: Story, command: c.Tick) -> None:
    """End what nobody has touched for a week; what else is due comes first and keeps it alive (S137)."""
    if not command.held and lapses_at(story.state) <= command.now:
        story.tell(e.TournamentLapsed(at=command.now))


def _signin(story: Story, command: c.Tick) -> None:
    if story.state.phase == "published" and signin_opens_at(story.state) <= command.now:
        story.tell(e.SigninOpened(at=command.now))
    if story.state.phase == "signin_open" and signin_closes_at(story.state) <= command.now:
        story.tell(e.SigninClosed(at=command.now))


def _late(story: Story, command: c.Tick) -> None:
    """T6: absence wins and double losses; in claim mode an offer to the one who is there (R067, H220)."""
    if command.held or not story.state.auto:
        return
    for table in story.state.current_round.open_tables:
        played = story.state.current_round
        due = absence_at(story.state, played, table)
        if due > command.now:
            continue
        there = [seat for seat in SEATS if present_until(table.presence(seat)) > due]
        if there and story.state.settings.clock.late_mode == "claim":
            story.tell(e.AbsenceClaimable(table=table.id, seat=there[0], at=command.now))
        else:
            result = Result(outcome=there[0] if there else "double_loss", reason="late")
            confirm(story, table, result, command.now)


def _warn(story: Story, command: c.Tick) -> None:
    """Say how many minutes are left; of several that are due, the last (S104)."""
    played = story.state.current_round
    due = [left for at, left in warnings(story.state, played) if at <= command.now < at + left * MINUTE_MS]
    if due and story.state.auto:
        story.tell(e.TimeWarned(round_no=played.number, left_min=min(due), at=command.now))


def _time_up(story: Story, command: c.Tick) -> None:
    """T8; a claim that nobody took becomes the win of the one who is there (5.5-5)."""
    if not story.state.auto:
        return
    played = story.state.current_round
    due = [t for t in played.open_tables if time_up_at(story.state, played, t) <= command.now]
    if not command.held:
        due = [table for table in due if not _unclaimed(story, table, command)]
    if due:
        tables = tuple(table.id.table for table in due)
        story.tell(e.TimeCalled(round_no=played.number, tables=tables, at=command.now))


def _unclaimed(story: Story, table: Table, command: c.Tick) -> bool:
    if table.claimable_by is None:
        return False
    confirm(story, table, Result(outcome=table.claimable_by, reason="late"), command.now)
    return True


def _cap(story: Story, command: c.Tick) -> None:
    """T10: unfinished matches are double losses; finished games stay (R066, 5.7)."""
    if command.held or not story.state.auto:
        return
    played = story.state.current_round
    due = [table for table in played.open_tables if cap_at(story.state, played, table) <= command.now]
    if not due:
        return
    tables = tuple(table.id.table for table in due)
    story.tell(e.CapReached(round_no=played.number, tables=tables, at=command.now))
    for table in due:
        games = table.tied_games or games_so_far(table)
        confirm(story, table, Result(outcome="double_loss", reason="cap", games=games), command.now)


def _questions(story: Story, command: c.Tick) -> None:
    """What the host did not answer in time goes on by itself (5.5-8, 5.5-13)."""
    for table in story.state.current_round.open_tables:
        if table.asked_until is not None and table.asked_until <= command.now:
            reopen(story, table, table.wins_so_far, command.now)
    asked = story.state.current_round.asked_until
    if asked is not None and asked <= command.now:
        follow_up(story, command.now)


def _next(story: Story, command: c.Tick) -> None:
    """T15, T16."""
    if story.state.auto and next_at(story.state, story.state.current_round) <= command.now:
        advance(story, command.now, command.free)


_STEPS: Final[tuple[Callable[[Story, c.Tick], None], ...]] = (_questions, _late, _warn, _time_up, _cap, _next)
