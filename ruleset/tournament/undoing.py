"""Undo: the last action is taken back, if nothing rests on it yet; later rounds and DP follow (T22).

What cannot be undone has a command of its own, or has gone out of the house: a start, an end, a call of time.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.publishing import editable
from ruleset.tournament.ratings import rate_prizes
from ruleset.tournament.rounds import follow_up
from ruleset.tournament.settling import correctable, settled
from ruleset.tournament.state import Action, Deed, Tournament
from ruleset.tournament.story import Story

Check: TypeAlias = Callable[[Tournament, Action, c.Undo], None]


def undo(state: Tournament, command: c.Undo) -> tuple[e.Event, ...]:
    """Take the last action back.

    Refuses with ``nothing_to_undo``, ``outdated_action`` (there was another one since, as a pairing is),
    ``changed_since``, ``round_begun``, ``runs_elsewhere`` (R057), and as the action itself would be now.
    """
    action = state.last_action
    if action is None:
        raise CommandRejected("nothing_to_undo")
    if action.number != command.action:
        raise CommandRejected("outdated_action", action=action.number, what=action.what)
    _CHECKS[action.what](state, action, command)
    story = Story(state)
    if action.what == "paired":
        _unpair(story, command)
    else:
        story.tell(e.ActionUndone(action=action.number, at=command.now))
        for table in action.tables:
            settled(story, story.state.played(table.id.round_no).tables[table.id.table], command.now)
        follow_up(story, command.now)
    return story.events


def _unpair(story: Story, command: c.Undo) -> None:
    """Take the round back; prizes that were paid at the cut go back, too."""
    played = story.state.current_round
    story.tell(e.RoundUnpaired(round_no=played.number, at=command.now))
    rate_prizes(story)


def _result(state: Tournament, action: Action, command: c.Undo) -> None:
    """Check a ruling: a result may be put back as long as it may be corrected, a match only while it runs."""
    correctable(state, command.now)
    if any(before.open for before in action.tables):
        guards.running(state)


def _reopened(state: Tournament, action: Action, command: c.Undo) -> None:
    """Check that nothing has been played or said since."""
    guards.running(state)
    before = action.tables[0]
    now = guards.known_table(state, before.id)
    if now.status != "playing" or now.wins != (0, 0) or now.words or now.reports:
        raise CommandRejected("changed_since", table=str(now.id))
    _result(state, action, command)


def _dropped(state: Tournament, action: Action, command: c.Undo) -> None:
    """Check that he is free, and that the match that was lost by it stands as it was left."""
    guards.running(state)
    guards.free_to_play((player.number for player in action.players), command.granted)
    for before in action.tables:
        now = guards.known_table(state, before.id)
        if now.result is None or now.result.reason != "drop":
            raise CommandRejected("changed_since", table=str(now.id))
    _result(state, action, command)


def _running(state: Tournament, _action: Action, _command: c.Undo) -> None:
    guards.running(state)


def _edited(state: Tournament, _action: Action, command: c.Undo) -> None:
    """Check as an edit is: it has its time (R056)."""
    guards.before_start(state)
    editable(state, command.now)


def _not_ended(state: Tournament, _action: Action, _command: c.Undo) -> None:
    guards.not_ended(state)


def _deck(state: Tournament, action: Action, _command: c.Undo) -> None:
    """Check that the deck is still the one that was judged."""
    guards.before_start(state)
    before = action.players[0]
    now = guards.known_player(state, before.number)
    if now.deck != before.deck or now.deck_status not in {"approved", "refused"}:
        raise CommandRejected("changed_since", player=now.number)


def _begun(state: Tournament, _action: Action, _command: c.Undo) -> None:
    guards.nobody_plays(guards.running(state))


_CHECKS: Final[Mapping[Deed, Check]] = {
    "ruled": _result,
    "reopened": _reopened,
    "dropped": _dropped,
    "drop_undone": _running,
    "postponed": _running,
    "extended": _running,
    "auto": _not_ended,
    "edited": _edited,
    "steered": _not_ended,
    "deck": _deck,
    "paired": _begun,
    "swapped": _begun,
    "pairs": _not_ended,
    "team": _not_ended,
}
