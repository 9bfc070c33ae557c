"""The host's hand on a pairing: anew, two seats exchanged, pairs ruled out (4.10)."""

from collections.abc import Iterator

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TableNo
from ruleset.pairing import report
from ruleset.pairing.swiss import Pairing
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.pairings import field_before, pairing_of, wishes_of
from ruleset.tournament.rounds import advance, pair_first
from ruleset.tournament.state import Round, Tournament
from ruleset.tournament.story import Story


def pair_again(state: Tournament, command: c.PairAgain) -> tuple[e.Event, ...]:
    """Pair the present round anew, without who has dropped since (4.10-5). Refuses with ``round_begun``."""
    played = guards.running(state)
    guards.nobody_plays(played)
    story = Story(state)
    story.tell(e.RoundUnpaired(round_no=played.number, at=command.now))
    if story.state.rounds:
        advance(story, command.now, command.free)
    else:
        pair_first(story, command.now, command.free)
    return story.events


def swap(state: Tournament, command: c.SwapPlayers) -> tuple[e.Event, ...]:
    """Exchange two seats of a Swiss round.

    Refuses with ``round_begun``, ``not_swiss``, ``not_seated``, ``same_table`` and, until it is confirmed,
    ``pairing_breaks`` with what speaks against it.
    """
    played = guards.running(state)
    if played.stage != "swiss":
        raise CommandRejected("not_swiss", stage=played.stage)
    guards.nobody_plays(played)
    _apart(played, command.one, command.other)
    field = field_before(state, played.number)
    pairing = report.exchanged(pairing_of(played), command.one, command.other, field)
    if not command.confirmed:
        _check(report.report(pairing, field, wishes_of(state)), command)
    changed = e.PairingChanged(
        round_no=played.number,
        tables=tuple(_moved(played, pairing)),
        byes=() if pairing.bye is None else (pairing.bye,),
        rematches=len(pairing.rematches),
        at=command.now,
    )
    return (changed,)


def forbid(state: Tournament, command: c.ForbidPair) -> tuple[e.Event, ...]:
    """Rule a pair out, from the next round on. Refuses with ``unknown_player``, ``one_is_no_pair``."""
    one, other = _pair(state, command.one, command.other)
    return () if (one, other) in state.forbidden else (e.PairForbidden(one=one, other=other),)


def allow(state: Tournament, command: c.AllowPair) -> tuple[e.Event, ...]:
    """Take that back. Refuses as ``forbid``."""
    one, other = _pair(state, command.one, command.other)
    return (e.PairAllowed(one=one, other=other),) if (one, other) in state.forbidden else ()


def _apart(played: Round, one: PlayerId, other: PlayerId) -> None:
    """Refuse who has no place in the round, and two who sit together."""
    places = {player: n for n, table in played.tables.items() for player in (table.a, table.b)}
    places |= dict.fromkeys(played.byes, TableNo(0))
    for player in (one, other):
        if player not in places:
            raise CommandRejected("not_seated", player=player, round=played.number)
    if places[one] == places[other]:
        raise CommandRejected("same_table", table=places[one])


def _check(found: report.Report, command: c.SwapPlayers) -> None:
    """Refuse what is not legal, or seats a team together, as far as the two have to do with it."""
    two = {command.one, command.other}
    breaks = {
        "rematches": tuple(pair for pair in found.rematches if two & {*pair[:2]}),
        "forbidden": tuple(pair for pair in found.barred if two & {*pair}),
        "same_team": tuple(pair for pair in found.same_team if two & {*pair}),
        "second_bye": found.bye == "again",
    }
    if why := tuple(name for name, found_so in breaks.items() if found_so):
        raise CommandRejected("pairing_breaks", why=why, **breaks)


def _moved(played: Round, pairing: Pairing) -> Iterator[e.Seating]:
    for table, (a, b) in zip(played.tables.values(), pairing.tables, strict=True):
        if (a, b) != (table.a, table.b):
            yield e.Seating(table=table.id.table, a=a, b=b, server=table.server)


def _pair(state: Tournament, one: PlayerId, other: PlayerId) -> tuple[PlayerId, PlayerId]:
    guards.not_ended(state)
    for player in (one, other):
        guards.known_player(state, player)
    if one == other:
        raise CommandRejected("one_is_no_pair", player=one)
    return min(one, other), max(one, other)
