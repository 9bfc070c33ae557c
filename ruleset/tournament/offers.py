"""Wins by rule that their winner may leave, and play on (规则杀, H220)."""

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.settling import confirm
from ruleset.tournament.state import Table, Tournament
from ruleset.tournament.story import Story


def is_offer(state: Tournament, table: Table, command: c.Rule) -> bool:
    """Say whether a ruling is left to the one whom it gives the match.

    So is a foul where wins by rule are claimed, unless the judge says that it is final (H220); death-three is
    no such thing (H221), and what is over cannot be played on.
    """
    result = command.result
    claimed = state.settings.clock.late_mode == "claim" and not command.final
    return claimed and result.reason == "foul" and result.outcome in {"a", "b"} and table.unfinished


def answer(state: Tournament, command: c.AnswerOffer) -> tuple[e.Event, ...]:
    """Take the win or play on. Refuses with ``nothing_offered``, ``not_at_table``."""
    guards.running(state)
    table = guards.known_table(state, command.table)
    seat = guards.seated(table, command.player)
    if table.offered is None or table.offered.outcome != seat:
        raise CommandRejected("nothing_offered", table=str(table.id))
    if not command.take:
        return (e.OfferDeclined(table=table.id, at=command.now),)
    story = Story(state)
    confirm(story, table, table.offered, command.now, ruled=True)
    return story.events
