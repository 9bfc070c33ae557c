"""From round to round: pairing, the end of a round, the cut, the end (T14-T17, 4.10, 5.5-13 to 5.5-15)."""

from typing import Final

from ruleset.ids import MINUTE_MS, Instant
from ruleset.pairing import bracket
from ruleset.tournament import events as e
from ruleset.tournament import pairings
from ruleset.tournament.brackets import left_in, next_slots, no_champion
from ruleset.tournament.pairings import Free, rounds_to_play
from ruleset.tournament.ranking import cut_seats, final_places, playoff_pair, swiss_ranks
from ruleset.tournament.ratings import rate_prizes
from ruleset.tournament.state import FIRST_STAGES, Round, Tournament
from ruleset.tournament.story import Story

ASK_HOST_MS: Final = 5 * MINUTE_MS
"""How long the host may rule before a bracket ends without a champion (5.5-13)."""


def pair_first(story: Story, now: Instant, free: Free) -> None:
    """Pair round 1 of the frozen field."""
    if story.state.settings.format == "elimination":
        _pair_bracket(story, pairings.first_places(story.state), now, free)
    else:
        _tell_round(story, pairings.next_of_first_stage(story.state, now, free))


def advance(story: Story, now: Instant, free: Free) -> None:
    """Go on behind the gap: the next round, the play-off, the cut, or the end (T15-T17, R033)."""
    state = story.state
    played = state.current_round
    if over(state):
        finish(story, now)
    elif played.stage == "elimination":
        _pair_bracket(story, next_slots(played), now, free)
    elif played.stage in FIRST_STAGES and len(state.rounds) < rounds_to_play(state):
        _tell_round(story, pairings.next_of_first_stage(state, now, free))
    elif played.stage in FIRST_STAGES and (two := playoff_pair(state)) is not None:
        _tell_round(story, pairings.playoff(state, two, now, free))
    else:
        _cut(story, now, free)


def follow_up(story: Story, now: Instant) -> None:
    """Draw what follows from a change at a table: the round ends or is open again, the tournament ends."""
    if story.frame.phase != "running":
        return
    played = story.frame.current_round
    if story.waiting_for(played.number):
        if played.done_at is not None:
            story.tell(e.RoundReopened(round_no=played.number, at=now))
        return
    if played.done_at is None:
        story.tell(e.RoundFinished(round_no=played.number, at=now))
    state = story.state
    played = state.current_round
    if no_champion(state, played) and (played.asked_until is None or now < played.asked_until):
        _ask(story, played, now)
    elif over(state):
        finish(story, now)


def over(state: Tournament) -> bool:
    """Say whether nothing is left to play once the present round is done (T17, 5.5-15)."""
    played = state.current_round
    if played.stage == "elimination":
        return len(left_in(state, next_slots(played))) <= 1
    if len(state.active()) < 2:
        return True
    return not has_bracket(state) and len(state.rounds) >= rounds_to_play(state)


def has_bracket(state: Tournament) -> bool:
    """Say whether a bracket is played, from the start or behind the cut."""
    return state.settings.format not in {"swiss", "round_robin"}


def finish(story: Story, now: Instant) -> None:
    """End the tournament: final ranks and prizes."""
    state = story.state
    finished = e.TournamentFinished(swiss_ranks=swiss_ranks(state), places=final_places(state), at=now)
    story.tell(finished)
    rate_prizes(story)


def revise(story: Story) -> None:
    """After a correction: make ranks and prizes that were given already follow from the results (T22)."""
    if not story.frame.swiss_ranks and not story.frame.places:
        return
    state = story.state
    ranks = swiss_ranks(state)
    final = final_places(state) if state.phase == "finished" else ()
    if (ranks, final) != (state.swiss_ranks, state.places):
        story.tell(e.RanksRevised(swiss_ranks=ranks, places=final))
    rate_prizes(story)


def _ask(story: Story, played: Round, now: Instant) -> None:
    if played.asked_until is None:
        tables = tuple(played.tables)
        until = Instant(now + ASK_HOST_MS)
        story.tell(
            e.HostAsked(question="no_champion", round_no=played.number, tables=tables, until=until, at=now)
        )


def _cut(story: Story, now: Instant, free: Free) -> None:
    seats = cut_seats(story.state)
    story.tell(e.CutMade(swiss_ranks=swiss_ranks(story.state), seats=seats))
    rate_prizes(story)
    _pair_bracket(story, bracket.seeded(seats), now, free)


def _pair_bracket(story: Story, slots: bracket.Places, now: Instant, free: Free) -> None:
    _tell_round(story, pairings.bracket_round(story.state, slots, now, free))


def _tell_round(story: Story, paired: e.RoundPaired) -> None:
    story.tell(paired)
    follow_up(story, paired.at)  # a round may have no table at all (5.5-13, 5.5-25)
