"""From round to round: pairing, the end of a round, the cut, the end (T14-T17, 4.10, 5.5-13 to 5.5-15)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from ruleset.ids import MINUTE_MS, Instant, PlayerId, RoundNo, ServerId, TableNo
from ruleset.pairing import bracket, swiss
from ruleset.pairing.contender import Contender, Wishes, contenders
from ruleset.seeds import round_key
from ruleset.tournament import events as e
from ruleset.tournament.brackets import left_in, next_slots, no_champion
from ruleset.tournament.ranking import cut_seats, final_places, standings, swiss_ranks
from ruleset.tournament.ratings import rate_prizes
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.state import Round, Tournament
from ruleset.tournament.story import Story

ASK_HOST_MS: Final = 5 * MINUTE_MS
"""How long the host may rule before a bracket ends without a champion (5.5-13)."""
Free: TypeAlias = Mapping[ServerId, int]
Pairs: TypeAlias = Sequence[tuple[PlayerId, PlayerId]]


def pair_first(story: Story, now: Instant, free: Free) -> None:
    """Pair round 1 of the frozen field."""
    if story.state.settings.format == "elimination":
        _pair_bracket(story, _first_slots(story.state), now, free)
    else:
        _pair_swiss(story, now, free)


def advance(story: Story, now: Instant, free: Free) -> None:
    """Go on behind the gap: the next round, the cut, or the end if nobody is left to play (T15-T17)."""
    state = story.state
    played = state.rounds[-1]
    if over(state):
        finish(story, now)
    elif played.stage == "elimination":
        _pair_bracket(story, next_slots(played), now, free)
    elif played.number < state.settings.rounds:
        _pair_swiss(story, now, free)
    else:
        _cut(story, now, free)


def follow_up(story: Story, now: Instant) -> None:
    """Draw what follows from a change at a table: the round ends or is open again, the tournament ends."""
    state, played = story.state, story.state.rounds[-1]
    if state.phase != "running":
        return
    if played.open_tables:
        if played.done_at is not None:
            story.tell(e.RoundReopened(round_no=played.number, at=now))
        return
    if played.done_at is None:
        story.tell(e.RoundFinished(round_no=played.number, at=now))
    if no_champion(state, played) and (played.asked_until is None or now < played.asked_until):
        _ask(story, played, now)
    elif over(story.state):
        finish(story, now)


def over(state: Tournament) -> bool:
    """Say whether nothing is left to play once the present round is done (T17, 5.5-15)."""
    played = state.rounds[-1]
    if played.stage == "elimination":
        return len(left_in(state, next_slots(played))) <= 1
    if len(state.active()) < 2:
        return True
    return state.settings.format == "swiss" and played.number >= state.settings.rounds


def finish(story: Story, now: Instant) -> None:
    """End the tournament: final ranks and prizes."""
    state = story.state
    finished = e.TournamentFinished(swiss_ranks=swiss_ranks(state), places=final_places(state), at=now)
    story.tell(finished)
    rate_prizes(story)


def revise(story: Story) -> None:
    """After a correction: make ranks and prizes that were given already follow from the results (T22)."""
    state = story.state
    if not state.swiss_ranks and not state.places:
        return
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


def _first_slots(state: Tournament) -> bracket.Places:
    return bracket.placed(state.entrants, round_key(bytes.fromhex(state.seed), RoundNo(1)))


def _pair_bracket(story: Story, slots: bracket.Places, now: Instant, free: Free) -> None:
    """Seat those who meet; who has nobody opposite goes on: by a bye at first, later by a walkover."""
    able = set(left_in(story.state, slots))
    pairs = [tuple(p for p in pair if p in able) for pair in bracket.pairs(slots)]
    met = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    through = tuple(pair[0] for pair in pairs if len(pair) == 1)
    first = not any(played.stage == "elimination" for played in story.state.rounds)
    _tell_round(
        story,
        e.RoundPaired(
            round_no=RoundNo(len(story.state.rounds) + 1),
            stage="elimination",
            tables=tuple(_seatings(story.state, met, free)),
            byes=through if first else (),
            walkovers=() if first else through,
            slots=slots,
            at=now,
        ),
    )


def _pair_swiss(story: Story, now: Instant, free: Free) -> None:
    state = story.state
    round_no = RoundNo(len(state.rounds) + 1)
    key = round_key(bytes.fromhex(state.seed), round_no)
    pairing = swiss.pair(_contenders(state), key, _wishes(state))
    _tell_round(
        story,
        e.RoundPaired(
            round_no=round_no,
            stage="swiss",
            tables=tuple(_seatings(state, pairing.tables, free)),
            byes=() if pairing.bye is None else (pairing.bye,),
            rematches=len(pairing.rematches),
            at=now,
        ),
    )


def _tell_round(story: Story, paired: e.RoundPaired) -> None:
    story.tell(paired)
    follow_up(story, paired.at)  # a round may have no table at all (5.5-13, 5.5-25)


def _contenders(state: Tournament) -> list[Contender]:
    rules = state.settings.pairing
    by_rank = rules.within == "rank" or rules.bye_within == "standing"
    positions = {row.player: row.position for row in standings(state)} if by_rank else None
    return contenders(records_of(state), state.active(), scoring_of(state.settings), positions=positions)


def _wishes(state: Tournament) -> Wishes:
    rules = state.settings.pairing
    return Wishes(
        within=rules.within,
        bye_within=rules.bye_within,
        absence_counts_as_bye=rules.absence_counts_as_bye,
    )


def _seatings(
    state: Tournament,
    pairs: list[tuple[PlayerId, PlayerId]] | tuple[tuple[PlayerId, PlayerId], ...],
    free: Free,
) -> Iterator[e.Seating]:
    """Number the tables and give each a duel server, the one with the most room first (decisions 1)."""
    left = {use.id: min(use.capacity, free.get(use.id, use.capacity)) for use in state.settings.servers}
    for number, (a, b) in enumerate(pairs, 1):
        server = max(left, key=lambda use: left[use], default=None)
        if server is not None:
            left[server] -= 1
        yield e.Seating(table=TableNo(number), a=a, b=b, server=server)
