"""What may happen. Pure: same state and command, same events."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ruleset.errors import CommandRejected
from ruleset.tournament import (
    adopting,
    control,
    entering,
    hosting,
    offers,
    parking,
    publishing,
    refreshing,
    repairing,
    starting,
    tables,
    teams,
    timekeeper,
    undoing,
)
from ruleset.tournament import commands as c
from ruleset.tournament.events import Event
from ruleset.tournament.state import Tournament

Decides: TypeAlias = Callable[[Tournament, Any], tuple[Event, ...]]

DECIDES: Final[Mapping[type[c.Command], Decides]] = {
    c.Publish: publishing.publish,
    c.Adopt: adopting.adopt,
    c.EditSettings: publishing.edit,
    c.RefreshEnvironment: refreshing.refresh,
    c.SetRounds: hosting.set_rounds,
    c.SetRegistration: hosting.set_registration,
    c.SetVisibility: hosting.set_visibility,
    c.SetCoHosts: hosting.set_co_hosts,
    c.UnsetEnded: hosting.unset_ended,
    c.Register: entering.register,
    c.Withdraw: entering.withdraw,
    c.SubmitDeck: entering.submit_deck,
    c.ApproveDeck: entering.approve_deck,
    c.RevokeDeck: entering.revoke_deck,
    c.SignIn: entering.sign_in,
    c.SignInAll: entering.sign_in_all,
    c.AddTeam: teams.add,
    c.RemoveTeam: teams.remove,
    c.AssignTeam: teams.assign,
    c.ImportRoster: teams.import_roster,
    c.Start: starting.start,
    c.Tick: timekeeper.tick,
    c.Pause: control.pause,
    c.Resume: control.resume,
    c.SetAuto: control.set_auto,
    c.CallTime: control.call_time,
    c.CallTableTime: control.call_table_time,
    c.Postpone: control.postpone,
    c.ExtendTable: control.extend,
    c.NextRound: control.next_round,
    c.PairAgain: repairing.pair_again,
    c.SwapPlayers: repairing.swap,
    c.ForbidPair: repairing.forbid,
    c.AllowPair: repairing.allow,
    c.Finish: control.finish_early,
    c.Cancel: control.cancel,
    c.ReportPresent: tables.report_present,
    c.SeeRoom: tables.see_room,
    c.FileReport: tables.file_report,
    c.ReportByPlayer: tables.report_by_player,
    c.Rule: tables.rule,
    c.Reopen: tables.reopen_table,
    c.ResumeTable: tables.resume_table,
    c.ClaimAbsence: tables.claim_absence,
    c.AnswerOffer: offers.answer,
    c.Concede: tables.concede,
    c.Drop: control.drop,
    c.UndoDrop: control.undo_drop,
    c.Undo: undoing.undo,
    c.Park: parking.park,
    c.AcceptParked: parking.accept,
    c.DismissParked: parking.dismiss,
    c.LoseServer: control.lose_server,
    c.RegainServer: control.regain_server,
    c.Announce: control.announce,
}
"""One function a command; the codes of its refusals stand there."""
_TAKEN_WHEN_LAPSED: Final = frozenset(
    {c.UnsetEnded, c.Cancel, c.Tick, c.Register, c.Withdraw, c.SetVisibility}
)
_UNHEARD_WHEN_LAPSED: Final = frozenset({c.SeeRoom, c.LoseServer, c.RegainServer})


def decide(state: Tournament, command: c.Command) -> tuple[Event, ...]:
    """Return the events that *command* causes in *state*; ``()`` if it changes nothing.

    Raises CommandRejected: ``unknown_tournament`` before it was published, ``lapsed`` where nothing may be
    paired, settled or signed in any more (S137), and those of the command.
    """
    kind = type(command)
    if state.phase == "draft" and kind not in {c.Publish, c.Adopt}:
        raise CommandRejected("unknown_tournament")
    if state.lapsed_at is not None and kind not in _TAKEN_WHEN_LAPSED:
        if kind in _UNHEARD_WHEN_LAPSED:
            return ()
        raise CommandRejected("lapsed", at=state.lapsed_at)
    return DECIDES[kind](state, command)
