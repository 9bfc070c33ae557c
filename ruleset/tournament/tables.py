"""What happens at a table: presence, play, reports, words, rulings (5.2 T5-T13, T22, 5.6, 5.7)."""

from collections.abc import Iterator
from typing import Final

from ruleset.errors import CommandRejected
from ruleset.ids import PLAYOFF, SEATS, SECOND_MS, Instant, Seat, TableId, other
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.deadlines import scores_until
from ruleset.tournament.offers import is_offer
from ruleset.tournament.results import Outcome, Reason, Result
from ruleset.tournament.settling import confirm, correctable, dispute, paired_since, reopen
from ruleset.tournament.state import DECISIVE, Table, Tournament, Word
from ruleset.tournament.story import Story
from ruleset.tournament.verdicts import games_of, games_so_far, judge, judge_extra_game

_BUTTON_AGAIN_MS: Final = 30 * SECOND_MS


def report_present(state: Tournament, command: c.ReportPresent) -> tuple[e.Event, ...]:
    """Take 报到 (T5); again within half a minute, or once the match runs, changes nothing."""
    table, seat = _at_present_table(state, command.table, command.player)
    pressed = table.presence(seat).button_at
    if table.status != "waiting" or (pressed is not None and command.now - pressed < _BUTTON_AGAIN_MS):
        return ()
    return (e.PlayerPresent(table=table.id, seat=seat, at=command.now),)


def see_room(state: Tournament, command: c.SeeRoom) -> tuple[e.Event, ...]:
    """Take in what a room shows; only what is new becomes an event."""
    table = guards.known_table(state, command.table)
    if state.phase != "running" or not table.unfinished or command.extra != (table.extra_games > 0):
        return ()
    story = Story(state)
    story.tell(*_movements(table, command))
    if not command.extra:
        story.tell(*_progress(table, command.wins, command.duel, command.now))
        _decided_by_carried(story, table.id, command.now)
    return story.events


def file_report(state: Tournament, command: c.FileReport) -> tuple[e.Event, ...]:
    """Take in what a duel server reports of a match (5.6)."""
    table = guards.known_table(state, command.table)
    if state.phase == "cancelled" or command.report in table.reports or _too_old(state, command):
        return ()
    if command.extra != (table.extra_games > 0):
        return () if command.report in table.reports_before else _filed(table, command)
    if not command.report.final:
        return _sight(state, table, command)
    return _final(state, table, command)


def report_by_player(state: Tournament, command: c.ReportByPlayer) -> tuple[e.Event, ...]:
    """Take a player's word; it counts when both say the same, or one is enough (S136).

    Refuses with ``table_decided``, ``bad_score``, in elimination ``draw_in_elimination`` (R070), and with
    ``scoring_closed`` where players tell results only while the clock runs (S114).
    """
    table, seat = _at_present_table(state, command.table, command.player)
    if not command.by_host:
        _gate(state, table, command.now)
    if table.status == "confirmed":
        raise CommandRejected("table_decided", table=str(table.id), status=table.status)
    _possible(state, table, command)
    word = Word(outcome=command.outcome, wins=command.wins)
    if table.words.get(seat) == word:
        return ()
    story = Story(state)
    story.tell(
        e.PlayerReported(table=table.id, seat=seat, outcome=word.outcome, wins=word.wins, at=command.now)
    )
    _compare_words(story, table.id, command.now)
    return story.events


def rule(state: Tournament, command: c.Rule) -> tuple[e.Event, ...]:
    """Set a result by judge or host (T12, T22).

    Refuses with ``draw_in_elimination``, ``too_late``, and ``bad_score`` where nobody can win so many games.
    """
    table = guards.known_table(state, command.table)
    correctable(state, command.now)
    _countable(state, table, command.result)
    if state.played(table.id.round_no).stage in DECISIVE and command.result.outcome == "draw":
        raise CommandRejected("draw_in_elimination", table=str(table.id))
    if table.status == "confirmed" and table.result == command.result and table.ruled:
        return ()
    if state.phase == "running" and is_offer(state, table, command):
        offered = e.RulingOffered(table=table.id, result=command.result, at=command.now)
        return () if table.offered == command.result else (offered,)
    story = Story(state)
    confirm(story, table, command.result, command.now, ruled=True)
    return story.events


def reopen_table(state: Tournament, command: c.Reopen) -> tuple[e.Event, ...]:
    """Let the table play again (T22, 5.5-6, 5.5-16). Refuses with ``later_round_paired``, ``table_open``."""
    guards.running(state)
    table = guards.known_table(state, command.table)
    if paired_since(state, table):
        raise CommandRejected("later_round_paired", table=str(table.id))
    if table.unfinished:
        raise CommandRejected("table_open", table=str(table.id))
    story = Story(state)
    reopen(story, table, (0, 0), command.now)
    return story.events


def resume_table(state: Tournament, command: c.ResumeTable) -> tuple[e.Event, ...]:
    """Play a lost room's match on under the same code, from its last finished game (5.5-8)."""
    guards.running(state)
    table = guards.known_table(state, command.table)
    guards.unfinished(table)
    if table.asked_until is None:
        raise CommandRejected("room_not_lost", table=str(table.id))
    story = Story(state)
    reopen(story, table, table.wins_so_far, command.now)
    return story.events


def claim_absence(state: Tournament, command: c.ClaimAbsence) -> tuple[e.Event, ...]:
    """Take the win that the late rule offers (H220). Refuses with ``nothing_to_claim``."""
    table, seat = _at_present_table(state, command.table, command.player)
    if table.claimable_by != seat or not table.unfinished:
        raise CommandRejected("nothing_to_claim", table=str(table.id))
    return _lose(state, table, other(seat), "late", command.now)


def concede(state: Tournament, command: c.Concede) -> tuple[e.Event, ...]:
    """Give the match to the other side (S138); only finished games count (5.7).

    Refuses with ``table_decided``, ``ask_the_host`` where players may not.
    """
    guards.own_way_out(state, by_host=command.by_host)
    table, seat = _at_present_table(state, command.table, command.player)
    guards.unfinished(table)
    return _lose(state, table, seat, "concession", command.now)


def lose_by_drop(story: Story, table: Table, seat: Seat, now: Instant) -> None:
    """Give a match to the other side because *seat* has left the tournament (T23)."""
    confirm(story, table, _lost_by(table, seat, "drop"), now)


def _lose(state: Tournament, table: Table, seat: Seat, reason: Reason, now: Instant) -> tuple[e.Event, ...]:
    story = Story(state)
    confirm(story, table, _lost_by(table, seat, reason), now)
    return story.events


def _lost_by(table: Table, seat: Seat, reason: Reason) -> Result:
    games = () if reason == "late" else table.tied_games or games_so_far(table)
    return Result(outcome=other(seat), reason=reason, games=games)


def _at_present_table(state: Tournament, table: TableId, player: object) -> tuple[Table, Seat]:
    played = guards.running(state)
    found = guards.known_table(state, table)
    seat = guards.seated(found, player)  # type: ignore[arg-type]
    if table.round_no != played.number:
        raise CommandRejected("round_over", table=str(table))
    return found, seat


def _movements(table: Table, command: c.SeeRoom) -> Iterator[e.Event]:
    if table.status != "waiting":
        return
    for seat in SEATS:
        was, is_ = table.presence(seat).in_room, seat in command.seated
        if is_ and not was:
            yield e.PlayerSeated(table=table.id, seat=seat, at=command.now)
        if was and not is_ and not command.playing:
            yield e.PlayerLeft(table=table.id, seat=seat, at=command.now)
    if command.playing:
        yield e.TableStarted(table=table.id, at=command.now)


def _progress(table: Table, wins: tuple[int, int], duel: int, now: Instant) -> Iterator[e.Event]:
    """Yield a newer score; what arrives late or out of order never takes a game back.

    While the host is asked about a lost room, what its successor shows is kept apart (5.5-8).
    """
    if table.asked_until is not None:
        return
    best = (max(table.wins[0], wins[0]), max(table.wins[1], wins[1]))
    latest = max(table.duel, duel)
    if (best, latest) != (table.wins, table.duel):
        yield e.ScoreSeen(table=table.id, wins=best, duel=latest, at=now)


def _decided_by_carried(story: Story, at: TableId, now: Instant) -> None:
    """End a match whose games from a lost room and from the new one make it full (5.5-8).

    The play-off is one game, also in the room of a server that plays best of three only (R033).
    """
    table = guards.known_table(story.state, at)
    wins, full = table.wins_so_far, story.state.best_of(at) // 2 + 1
    told_by_room = table.carried == (0, 0) and at.round_no != PLAYOFF
    if told_by_room or max(wins) < full:
        return
    outcome: Outcome = "a" if wins[0] > wins[1] else "b"
    confirm(story, table, Result(outcome=outcome, reason="played", games=games_so_far(table)), now)


def _too_old(state: Tournament, command: c.FileReport) -> bool:
    """Say whether the room was opened before its round was paired (5.6-4)."""
    began = command.report.began_at
    return began is not None and began < state.played(command.table.round_no).started_at


def _filed(table: Table, command: c.FileReport) -> tuple[e.Event, ...]:
    if not command.report.final:
        return ()
    return (e.ReportFiled(table=table.id, report=command.report, at=command.now),)


def _sight(state: Tournament, table: Table, command: c.FileReport) -> tuple[e.Event, ...]:
    if state.phase != "running" or not table.unfinished:
        return ()
    report = command.report
    wins = (report.a.wins or 0, report.b.wins or 0)
    story = Story(state)
    if table.status == "waiting":
        story.tell(e.TableStarted(table=table.id, at=command.now))
    if not command.extra:
        story.tell(*_progress(table, wins, sum(wins), command.now))
        _decided_by_carried(story, table.id, command.now)
    return story.events


def _final(state: Tournament, table: Table, command: c.FileReport) -> tuple[e.Event, ...]:
    story = Story(state)
    story.tell(e.ReportFiled(table=table.id, report=command.report, at=command.now))
    verdict = (
        judge_extra_game(table, command.report)
        if command.extra
        else judge(table, command.report, state.best_of(table.id))
    )
    if state.phase != "running" or paired_since(state, table) or table.ruled:
        return () if verdict == table.result else story.events
    if table.status == "confirmed":
        return _second(story, table, verdict, command)
    if verdict is None:
        story.tell(e.ExtraGameOrdered(table=table.id, games=table.tied_games, at=command.now))
    elif isinstance(verdict, str):
        dispute(story, table, verdict, command.now)
    elif table.status != "disputed" or _clears(table, command):
        confirm(story, table, verdict, command.now)
    return story.events


def _clears(table: Table, command: c.FileReport) -> bool:
    """Say whether a report settles a dispute.

    A duel server's result counts as the word of both players (S136); a mere suspicion is cleared by a source
    that knows how the room ended (5.6-6).
    """
    suspected = table.dispute == "suspect" and command.report.crashed is False
    return suspected or table.dispute == "players_differ"


def _second(
    story: Story, table: Table, verdict: Result | str | None, command: c.FileReport
) -> tuple[e.Event, ...]:
    """A final report behind a confirmed result: the same changes nothing, another one is disputed (5.6-5)."""
    result = table.result
    if isinstance(verdict, Result) and result is not None and _agree(verdict, result):
        return ()
    dispute(story, table, "reports_differ", command.now)
    return story.events


def _agree(one: Result, two: Result) -> bool:
    return (one.outcome, one.wins("a"), one.wins("b")) == (two.outcome, two.wins("a"), two.wins("b"))


def _possible(state: Tournament, table: Table, command: c.ReportByPlayer) -> None:
    a, b = command.wins
    fits = {"a": a >= b, "b": b >= a, "draw": a == b, "double_loss": False}[command.outcome]
    if not (fits and _won_in(state, table, command.wins)):
        raise CommandRejected("bad_score", outcome=command.outcome, wins=command.wins)
    if state.played(table.id.round_no).stage in DECISIVE and command.outcome == "draw":
        raise CommandRejected("draw_in_elimination", table=str(table.id))


def _countable(state: Tournament, table: Table, result: Result) -> None:
    """Refuse a slip of the hand: a judge counts as he sees fit (5.7), but only games that a match has."""
    wins = (result.wins("a"), result.wins("b"))
    if not _won_in(state, table, wins):
        raise CommandRejected("bad_score", outcome=result.outcome, wins=wins)


def _won_in(state: Tournament, table: Table, wins: tuple[int, int]) -> bool:
    """Say whether a match may have so many games won on each side: nobody plays on once it is decided."""
    need = state.best_of(table.id) // 2 + 1
    return all(0 <= won <= need for won in wins) and sum(wins) < 2 * need


def _gate(state: Tournament, table: Table, now: Instant) -> None:
    played = state.current_round
    frozen_from_start = state.paused_at is not None and state.paused_at <= played.started_at
    too_late = now >= scores_until(state, played, table)
    if state.settings.score_gate == "clock" and (frozen_from_start or too_late):
        raise CommandRejected("scoring_closed", table=str(table.id))


def _compare_words(story: Story, at: TableId, now: Instant) -> None:
    table = guards.known_table(story.state, at)
    words = list(table.words.values())
    if len(words) < 2 and story.state.settings.confirm != "single":
        return
    if len({(word.outcome, word.wins) for word in words}) > 1:
        dispute(story, table, "players_differ", now)
    else:
        result = Result(outcome=words[0].outcome, reason="played", games=games_of(words[0].wins))
        confirm(story, table, result, now)
