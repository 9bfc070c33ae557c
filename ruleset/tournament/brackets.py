"""The bracket of a tournament as it stands: who is out, who goes on, who came where (4.8, 4.9, 5.5-13)."""

from itertools import pairwise

from ruleset.ids import PlayerId
from ruleset.pairing.bracket import Places, advanced, placings
from ruleset.tournament.state import Round, Table, Tournament


def bracket_rounds(state: Tournament) -> tuple[Round, ...]:
    """Return the rounds of the bracket, first to last."""
    return tuple(played for played in state.rounds if played.stage == "elimination")


def out(played: Round) -> frozenset[PlayerId]:
    """Return who went out in *played*; both players of an open table are still in."""
    still_in = {*played.byes, *played.walkovers}
    for table in played.tables.values():
        still_in |= _not_out(table)
    return frozenset(player for player in played.slots if player is not None and player not in still_in)


def next_slots(played: Round) -> Places:
    """Return the places of the round behind *played*, which is done."""
    return advanced(played.slots, out(played))


def left_in(state: Tournament, slots: Places) -> tuple[PlayerId, ...]:
    """Return who of *slots* can still play: not those who have dropped."""
    return tuple(p for p in slots if p is not None and state.players[p].dropped_in is None)


def no_champion(state: Tournament, played: Round) -> bool:
    """Say whether the bracket ends without a champion because everybody left in it is out (5.5-13)."""
    return played.stage == "elimination" and not left_in(state, next_slots(played))


def places(state: Tournament) -> dict[PlayerId, int]:
    """Return everybody's place in the bracket once it is over.

    Who won and then dropped was beaten by the one who did not have to play him any more (5.5-15). Who went on
    stays ahead, even where the result that took him there was corrected later (T22); two whom a correction
    brings into a final that nobody can play any more are second, as if both had lost it (5.5-13).
    """
    rounds = bracket_rounds(state)
    if not rounds:
        return {}
    outs = [_left_behind(played, later) for played, later in pairwise(rounds)]
    outs.append(out(rounds[-1]))
    slots = next_slots(rounds[-1])
    while len(slots) > 1:
        there, able = frozenset(p for p in slots if p is not None), left_in(state, slots)
        gone = there.difference(able) if len(able) < 2 else there
        outs.append(gone)
        slots = advanced(slots, gone)
    return placings(rounds[0].slots, outs)


def _left_behind(played: Round, later: Round) -> frozenset[PlayerId]:
    return frozenset(p for p in played.slots if p is not None and p not in later.slots)


def _not_out(table: Table) -> set[PlayerId]:
    if table.status != "confirmed" or table.result is None:
        return {table.a, table.b}
    return {"a": {table.a}, "b": {table.b}}.get(table.result.outcome, set())
