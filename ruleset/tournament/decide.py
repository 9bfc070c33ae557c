"""What may happen. Pure: same state and command, same events."""

from typing import assert_never

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import (
    control,
    entering,
    parking,
    publishing,
    refreshing,
    starting,
    tables,
    timekeeper,
)
from ruleset.tournament.events import Event
from ruleset.tournament.state import Tournament


def decide(state: Tournament, command: c.Command) -> tuple[Event, ...]:  # noqa: C901, PLR0911, PLR0912  a case a command
    """Return the events that *command* causes in *state*; ``()`` if it changes nothing.

    Raises CommandRejected; the codes stand at the function of each command.
    """
    if state.phase == "draft" and not isinstance(command, c.Publish):
        raise CommandRejected("unknown_tournament")
    match command:
        case c.Publish():
            return publishing.publish(state, command)
        case c.EditSettings():
            return publishing.edit(state, command)
        case c.RefreshEnvironment():
            return refreshing.refresh(state, command)
        case c.Register():
            return entering.register(state, command)
        case c.Withdraw():
            return entering.withdraw(state, command)
        case c.SubmitDeck():
            return entering.submit_deck(state, command)
        case c.ApproveDeck():
            return entering.approve_deck(state, command)
        case c.RevokeDeck():
            return entering.revoke_deck(state, command)
        case c.SignIn():
            return entering.sign_in(state, command)
        case c.SignInAll():
            return entering.sign_in_all(state, command)
        case c.Start():
            return starting.start(state, command)
        case c.Tick():
            return timekeeper.tick(state, command)
        case c.Pause():
            return control.pause(state, command)
        case c.Resume():
            return control.resume(state, command)
        case c.SetAuto():
            return control.set_auto(state, command)
        case c.CallTime():
            return control.call_time(state, command)
        case c.Postpone():
            return control.postpone(state, command)
        case c.ExtendTable():
            return control.extend(state, command)
        case c.NextRound():
            return control.next_round(state, command)
        case c.Finish():
            return control.finish_early(state, command)
        case c.Cancel():
            return control.cancel(state, command)
        case c.ReportPresent():
            return tables.report_present(state, command)
        case c.SeeRoom():
            return tables.see_room(state, command)
        case c.FileReport():
            return tables.file_report(state, command)
        case c.ReportByPlayer():
            return tables.report_by_player(state, command)
        case c.Rule():
            return tables.rule(state, command)
        case c.Reopen():
            return tables.reopen_table(state, command)
        case c.ResumeTable():
            return tables.resume_table(state, command)
        case c.ClaimAbsence():
            return tables.claim_absence(state, command)
        case c.Concede():
            return tables.concede(state, command)
        case c.Drop():
            return control.drop(state, command)
        case c.UndoDrop():
            return control.undo_drop(state, command)
        case c.Park():
            return parking.park(state, command)
        case c.AcceptParked():
            return parking.accept(state, command)
        case c.DismissParked():
            return parking.dismiss(state, command)
        case c.LoseServer():
            return control.lose_server(state, command)
        case c.RegainServer():
            return control.regain_server(state, command)
        case c.Announce():
            return control.announce(state, command)
    assert_never(command)
