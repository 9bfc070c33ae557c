"""How a table is settled, disputed, opened again, and what follows from it (T11-T14, T22)."""

from typing import Final

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, Instant, PlayerId
from ruleset.tournament import events as e
from ruleset.tournament.ratings import rate_table
from ruleset.tournament.results import ABSENCE, Result
from ruleset.tournament.rounds import follow_up, revise
from ruleset.tournament.state import DECISIVE, Table, Tournament
from ruleset.tournament.story import Story
from ruleset.tournament.verdicts import Doubt

CORRECTABLE_MS: Final = 7 * 24 * 60 * MINUTE_MS
"""How long after the end results may be corrected (decisions 16)."""


def confirm(story: Story, table: Table, result: Result, now: Instant, *, ruled: bool = False) -> None:
    """Settle *table*; a tie where there must be a winner orders the extra game instead (R033, R070)."""
    decisive = story.frame.played(table.id.round_no).stage in DECISIVE
    if decisive and result.outcome == "draw":
        story.tell(e.ExtraGameOrdered(table=table.id, games=result.games, at=now))
        return
    story.tell(e.ResultConfirmed(table=table.id, result=result, ruled=ruled, at=now))
    settled(story, table, now)


def dispute(story: Story, table: Table, why: Doubt | str, now: Instant) -> None:
    """Hand *table* to the judge; what its earlier result had brought goes back (T13, 5.6-5)."""
    story.tell(e.ResultDisputed(table=table.id, why=why, at=now))  # type: ignore[arg-type]
    settled(story, table, now)


def reopen(story: Story, table: Table, carried: tuple[int, int], now: Instant) -> None:
    """Let *table* play again, from the games in *carried*."""
    story.tell(e.TableReopened(table=table.id, carried=carried, at=now))
    settled(story, table, now)


def settled(story: Story, table: Table, now: Instant) -> None:
    """Draw the consequences of a changed table: DP, absences, the round, ranks."""
    after = story.table(table.id)
    rate_table(story, after)
    _drop_absent(story, after, now)
    follow_up(story, now)
    revise(story)


def paired_since(state: Tournament, table: Table) -> bool:
    """Say whether something has been paired on the result of *table*: a round, the play-off (5.6-5, T22)."""
    return table.id.round_no != state.current_round.number


def correctable(state: Tournament, now: Instant) -> None:
    """Refuse with ``ended`` or ``too_late`` what is no longer corrected (decisions 16)."""
    if state.phase == "cancelled":
        raise CommandRejected("ended", phase=state.phase)
    if state.ended_at is not None and now > state.ended_at + CORRECTABLE_MS:
        raise CommandRejected("too_late", until=state.ended_at + CORRECTABLE_MS)


def absences(state: Tournament, player: PlayerId) -> int:
    """Return how often *player* has not come to his table."""
    return sum(
        (table.a == player and table.result.outcome in {"b", "double_loss"})
        or (table.b == player and table.result.outcome in {"a", "double_loss"})
        for table in state.all_tables()
        if table.result is not None and table.result.reason in ABSENCE
    )


def _drop_absent(story: Story, table: Table, now: Instant) -> None:
    limit = story.frame.settings.clock.drop_after_absences
    if not limit or table.result is None or table.result.reason not in ABSENCE:
        return
    for player in (table.a, table.b):
        gone = story.state.players[player].dropped_in is not None
        if not gone and absences(story.state, player) >= limit:
            story.tell(e.PlayerDropped(player=player, why="absences", at=now))
