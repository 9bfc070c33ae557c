"""How each stage is paired: by the rules of Swiss, by schedule, by bracket, two for a seat (4.10, S100)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from ruleset.copies import replace
from ruleset.ids import PLAYOFF, Instant, PlayerId, RoundNo, ServerId, TableNo
from ruleset.pairing import bracket, report, round_robin, swiss
from ruleset.pairing.contender import Contender, Wishes, contenders
from ruleset.seeds import round_key
from ruleset.tournament import events as e
from ruleset.tournament.brackets import left_in
from ruleset.tournament.ranking import standings
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.state import Round, Tournament

Free: TypeAlias = Mapping[ServerId, int]
Pairs: TypeAlias = Iterable[tuple[PlayerId, PlayerId]]


def next_of_first_stage(state: Tournament, now: Instant, free: Free) -> e.RoundPaired:
    """Pair the next round of the Swiss or the round robin."""
    if robin(state):
        return _robin_round(state, now, free)
    round_no = _next_number(state)
    key = round_key(bytes.fromhex(state.seed), round_no)
    pairing = swiss.pair(field_of(state), key, wishes_of(state))
    return e.RoundPaired(
        round_no=round_no,
        stage="swiss",
        tables=seatings(state, pairing.tables, free),
        byes=() if pairing.bye is None else (pairing.bye,),
        rematches=len(pairing.rematches),
        at=now,
    )


def bracket_round(state: Tournament, slots: bracket.Places, now: Instant, free: Free) -> e.RoundPaired:
    """Seat those who meet; who has nobody opposite goes on: by a bye at first, later by a walkover."""
    able = set(left_in(state, slots))
    pairs = [tuple(p for p in pair if p in able) for pair in bracket.pairs(slots)]
    met = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    through = tuple(pair[0] for pair in pairs if len(pair) == 1)
    first = not any(played.stage == "elimination" for played in state.rounds)
    return e.RoundPaired(
        round_no=_next_number(state),
        stage="elimination",
        tables=seatings(state, met, free),
        byes=through if first else (),
        walkovers=() if first else through,
        slots=slots,
        at=now,
    )


def playoff(state: Tournament, two: tuple[PlayerId, PlayerId], now: Instant, free: Free) -> e.RoundPaired:
    """Seat the two who play for the last seat (R033)."""
    tables = seatings(state, [two], free)
    return e.RoundPaired(round_no=PLAYOFF, stage="playoff", tables=tables, at=now)


def first_places(state: Tournament) -> bracket.Places:
    """Return the places of a bracket that is played from the start (R020)."""
    return bracket.placed(state.entrants, round_key(bytes.fromhex(state.seed), RoundNo(1)))


def robin(state: Tournament) -> bool:
    """Say whether the first stage is a round robin."""
    return state.settings.format in {"round_robin", "round_robin_elimination"}


def rounds_to_play(state: Tournament) -> int:
    """Return how many rounds the first stage has; a round robin has as many as everybody has turns (S100)."""
    rounds = state.settings.rounds
    if not robin(state):
        return rounds
    turns = len(state.entrants) - 1 + len(state.entrants) % 2
    return min(rounds, turns) if rounds else turns


def field_of(state: Tournament, active: Iterable[PlayerId] | None = None) -> list[Contender]:
    """Return who is to be paired: those who have not dropped, or *active*."""
    rules = state.settings.pairing
    by_rank = rules.within == "rank" or rules.bye_within == "standing"
    positions = {row.player: row.position for row in standings(state)} if by_rank else None
    teams = {number: player.team for number, player in state.players.items() if player.team is not None}
    there = state.active() if active is None else active
    return contenders(records_of(state), there, scoring_of(state.settings), teams=teams, positions=positions)


def wishes_of(state: Tournament) -> Wishes:
    """Return what the host wishes of pairings (4.10, S107)."""
    rules = state.settings.pairing
    return Wishes(
        within=rules.within,
        bye_within=rules.bye_within,
        absence_counts_as_bye=rules.absence_counts_as_bye,
        same_team=state.settings.teams.avoid_same_team,
        forbidden=frozenset(map(frozenset, state.forbidden)),
    )


def seatings(state: Tournament, pairs: Pairs, free: Free) -> tuple[e.Seating, ...]:
    """Number the tables and give each a duel server, the one with the most room first (decisions 1)."""
    return tuple(_seatings(state, pairs, free))


def pairing_of(played: Round) -> swiss.Pairing:
    """Return a Swiss round as it was paired, or as the host changed it."""
    return swiss.Pairing(
        tables=tuple((table.a, table.b) for table in played.tables.values()),
        bye=next(iter(played.byes), None),
        rematches=(),
        proof="none",
    )


def pairing_report(state: Tournament, number: RoundNo) -> report.Report:
    """Return why a Swiss round is as it is, by the results before it as they stand now (4.10)."""
    return report.report(pairing_of(state.played(number)), field_before(state, number), wishes_of(state))


def field_before(state: Tournament, number: RoundNo) -> list[Contender]:
    """Return who was paired in a Swiss round, as they stood before it."""
    pairing = pairing_of(state.played(number))
    there = [player for pair in pairing.tables for player in pair]
    before = replace(
        state, rounds=state.rounds[: number - 1], settings=replace(state.settings, rounds=number)
    )
    return field_of(before, there if pairing.bye is None else [*there, pairing.bye])


def _robin_round(state: Tournament, now: Instant, free: Free) -> e.RoundPaired:
    """Take the next turn of the schedule; who would meet somebody who has dropped wins without a game."""
    key = round_key(bytes.fromhex(state.seed), RoundNo(1))
    turn = round_robin.schedule(state.entrants, key)[len(state.rounds)]
    active = frozenset(state.active())
    there = [tuple(player for player in pair if player in active) for pair in turn.tables]
    met = [(pair[0], pair[1]) for pair in there if len(pair) == 2]
    alone = tuple(pair[0] for pair in there if len(pair) == 1)
    return e.RoundPaired(
        round_no=_next_number(state),
        stage="round_robin",
        tables=seatings(state, met, free),
        walkovers=alone,
        at=now,
    )


def _next_number(state: Tournament) -> RoundNo:
    return RoundNo(len(state.rounds) + 1)


def _seatings(state: Tournament, pairs: Pairs, free: Free) -> Iterator[e.Seating]:
    left = {use.id: min(use.capacity, free.get(use.id, use.capacity)) for use in state.settings.servers}
    for number, (a, b) in enumerate(pairs, 1):
        server = max(left, key=lambda use: left[use], default=None)
        if server is not None:
            left[server] -= 1
        yield e.Seating(table=TableNo(number), a=a, b=b, server=server)
