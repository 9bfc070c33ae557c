"""The bracket of a tournament as it stands: who is out, who goes on, who came where (4.8, 4.9, 5.5-13)."""

from ruleset.ids import PlayerId
from ruleset.pairing.bracket import Places, advanced, placings
from ruleset.tournament.state import Round, Table, Tournament


def bracket_rounds(state: Tournament) -> tuple[Round, ...]:
    """Return the rounds of the bracket, first to last."""
    return tuple(played for played in state.rounds if played.stage == "elimination")


def outs(state: Tournament) -> tuple[frozenset[PlayerId], ...]:
    """Return who went out in each round of the bracket, the last one as it stands.

    A round behind it tells who did: a pairing is kept when a result before it is corrected (T22).
    """
    rounds = bracket_rounds(state)
    went_on = [frozenset(played.slots) for played in rounds[1:]]
    kept = [_players(played) - on for played, on in zip(rounds, went_on, strict=False)]
    return (*kept, *(out(played) for played in rounds[-1:]))


def out(played: Round) -> frozenset[PlayerId]:
    """Return who goes out in *played* by its results; both players of an open table are still in."""
    still_in = {*played.byes, *played.walkovers}
    for table in played.tables.values():
        still_in |= _not_out(table)
    return _players(played) - still_in


def next_slots(played: Round) -> Places:
    """Return the places of the round behind *played*, which is done."""
    return advanced(played.slots, out(played))


def left_in(state: Tournament, slots: Places) -> tuple[PlayerId, ...]:
    """Return who of *slots* can still play: not those who have dropped."""
    return tuple(p for p in slots if p is not None and state.players[p].dropped_in is None)


def no_champion(state: Tournament, played: Round) -> bool:
    """Say whether the bracket ends without a champion because everybody left in it is out (5.5-13)."""
    return played.stage == "elimination" and not left_in(state, next_slots(played))


def runs_for(state: Tournament) -> tuple[PlayerId, ...]:
    """Return whom a tournament that runs has, be it ended by itself: not dropped, not eliminated (R057)."""
    gone = frozenset().union(*outs(state)) if state.phase == "running" else frozenset(state.entrants)
    return tuple(player for player in state.active() if player not in gone)


def places(state: Tournament) -> dict[PlayerId, int]:
    """Return everybody's place in the bracket once it is over.

    Who won and then dropped was beaten by the one who did not have to play him any more (5.5-15). Two whom a
    correction brings into a final that nobody can play any more are second, as if both had lost it (5.5-13).
    """
    rounds = bracket_rounds(state)
    if not rounds:
        return {}
    gone, slots = [*outs(state)], next_slots(rounds[-1])
    while len(slots) > 1:
        there, able = frozenset(p for p in slots if p is not None), left_in(state, slots)
        gone.append(there.difference(able) if len(able) < 2 else there)
        slots = advanced(slots, gone[-1])
    return placings(rounds[0].slots, gone)


def _players(played: Round) -> frozenset[PlayerId]:
    return frozenset(player for player in played.slots if player is not None)


def _not_out(table: Table) -> set[PlayerId]:
    if table.status != "confirmed" or table.result is None:
        return {table.a, table.b}
    return {"a": {table.a}, "b": {table.b}}.get(table.result.outcome, set())
