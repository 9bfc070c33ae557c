"""The host's hand on the clock and on the field; duel servers that come and go (5.2 T18-T24, 5.5-8)."""

from typing import Final

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, Instant, RoundNo, TableNo
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.ratings import reverse_all
from ruleset.tournament.rounds import advance, finish, follow_up, has_bracket
from ruleset.tournament.state import Table, Tournament
from ruleset.tournament.story import Story
from ruleset.tournament.tables import lose_by_drop

ASK_ROOM_LOST_MS: Final = 15 * MINUTE_MS
"""How long the host may say what becomes of a lost room (5.5-8)."""


def pause(state: Tournament, command: c.Pause) -> tuple[e.Event, ...]:
    """Freeze every deadline; before the start, the start (T18)."""
    guards.not_ended(state)
    return () if state.paused_at is not None else (e.ClockPaused(at=command.now),)


def resume(state: Tournament, command: c.Resume) -> tuple[e.Event, ...]:
    """Go on (T18)."""
    guards.not_ended(state)
    return () if state.paused_at is None else (e.ClockResumed(at=command.now),)


def set_auto(state: Tournament, command: c.SetAuto) -> tuple[e.Event, ...]:
    """Switch the automatic clock (T20)."""
    guards.not_ended(state)
    return () if state.auto == command.on else (e.AutoSwitched(on=command.on),)


def call_time(state: Tournament, command: c.CallTime) -> tuple[e.Event, ...]:
    """Call time for every match that goes on (T8'). Refuses with ``nothing_to_call``."""
    played = guards.running(state)
    tables = tuple(t.id.table for t in played.open_tables if t.unfinished and t.time_called_at is None)
    if not tables:
        raise CommandRejected("nothing_to_call", round=played.number)
    return (e.TimeCalled(round_no=played.number, tables=tables, at=command.now),)


def call_table_time(state: Tournament, command: c.CallTableTime) -> tuple[e.Event, ...]:
    """Call time at one table (S128). Refuses with ``table_decided`` and ``time_is_up``."""
    guards.running(state)
    table = guards.known_table(state, command.table)
    guards.unfinished(table)
    if table.time_called_at is not None:
        raise CommandRejected("time_is_up", table=str(table.id))
    return (e.TableTimeCalled(table=command.table, at=command.now),)


def postpone(state: Tournament, command: c.Postpone) -> tuple[e.Event, ...]:
    """Move every deadline of the round that has not fired (T19). Refuses with ``bad_time``."""
    played = guards.running(state)
    _positive(command.by_ms)
    return (e.RoundPostponed(round_no=played.number, by_ms=command.by_ms),)


def extend(state: Tournament, command: c.ExtendTable) -> tuple[e.Event, ...]:
    """Give one table more time (T21). Refuses with ``bad_time``, ``table_decided``."""
    guards.running(state)
    table = guards.known_table(state, command.table)
    guards.unfinished(table)
    _positive(command.by_ms)
    return (e.TableExtended(table=command.table, by_ms=command.by_ms),)


def next_round(state: Tournament, command: c.NextRound) -> tuple[e.Event, ...]:
    """Skip the gap (T15'). Refuses with ``round_open`` and the tables that are (5.5-17)."""
    _all_final(state)
    story = Story(state)
    advance(story, command.now, command.free)
    return story.events


def finish_early(state: Tournament, command: c.Finish) -> tuple[e.Event, ...]:
    """End a tournament without a bracket early (5.5-14). Refuses with ``round_open``, ``bracket_open``."""
    _all_final(state)
    if has_bracket(state):
        raise CommandRejected("bracket_open")
    story = Story(state)
    finish(story, command.now)
    return story.events


def cancel(state: Tournament, command: c.Cancel) -> tuple[e.Event, ...]:
    """Call the tournament off; every DP row goes back (T24)."""
    guards.not_ended(state)
    story = Story(state)
    story.tell(e.TournamentCancelled(at=command.now))
    reverse_all(story)
    return story.events


def drop(state: Tournament, command: c.Drop) -> tuple[e.Event, ...]:
    """Take a player out; his match goes to the other side (T23).

    Refuses with ``not_entered`` and, where players may not do it themselves, ``ask_the_host`` (S138).
    """
    played = guards.running(state)
    guards.own_way_out(state, by_host=command.by_host)
    player = guards.known_player(state, command.player)
    if player.status != "entered":
        raise CommandRejected("not_entered", player=command.player)
    if player.dropped_in is not None:
        return ()
    story = Story(state)
    story.tell(e.PlayerDropped(player=command.player, why="wish", at=command.now))
    for table in played.open_tables:
        seat = table.seat_of(command.player)
        if seat is not None and table.unfinished:
            lose_by_drop(story, table, seat, command.now)
    follow_up(story, command.now)  # the last one but one may have gone (5.5-15)
    return story.events


def undo_drop(state: Tournament, command: c.UndoDrop) -> tuple[e.Event, ...]:
    """Let a player play on from the next round."""
    guards.running(state)
    player = guards.known_player(state, command.player)
    return () if player.dropped_in is None else (e.DropUndone(player=command.player),)


def lose_server(state: Tournament, command: c.LoseServer) -> tuple[e.Event, ...]:
    """Pause the tables of a duel server from its last contact on (5.5-8)."""
    if state.phase != "running" or command.server in state.lost_servers:
        return ()
    return (e.ServerLost(server=command.server, since=command.since),)


def regain_server(state: Tournament, command: c.RegainServer) -> tuple[e.Event, ...]:
    """Let tables go on whose room is there or never was; ask the host about the others (5.5-8)."""
    if command.server not in state.lost_servers:
        return ()
    played = guards.running(state)
    lost = [t for t in played.open_tables if t.lost_at is not None and t.server == command.server]
    gone = tuple(t.id.table for t in lost if t.status == "playing" and t.id not in command.rooms)
    back = tuple(t.id.table for t in lost if t.id.table not in gone)
    story = Story(state)
    story.tell(e.ServerBack(server=command.server, tables=back, at=command.now))
    if gone:
        _ask_about_rooms(story, played.number, gone, command.now)
    return story.events


def _ask_about_rooms(story: Story, round_no: RoundNo, tables: tuple[TableNo, ...], now: Instant) -> None:
    until = Instant(now + ASK_ROOM_LOST_MS)
    story.tell(e.HostAsked(question="room_lost", round_no=round_no, tables=tables, until=until, at=now))


def announce(state: Tournament, command: c.Announce) -> tuple[e.Event, ...]:
    """Say something to all rooms. Refuses with ``empty_text``."""
    guards.not_ended(state)
    if not command.text.strip():
        raise CommandRejected("empty_text")
    return (e.Announced(text=command.text.strip(), at=command.now),)


def _positive(by_ms: int) -> None:
    if by_ms <= 0:
        raise CommandRejected("bad_time", by_ms=by_ms)


def _all_final(state: Tournament) -> None:
    open_tables: tuple[Table, ...] = guards.running(state).open_tables
    if open_tables:
        waiting = {str(table.id): table.status for table in open_tables}
        raise CommandRejected("round_open", tables=waiting)
