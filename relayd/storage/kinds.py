"""The kinds of events on disk: what each name means, for ever."""

from typing import Final

from relayd.storage.codec import Codec
from ruleset.directory import events as d
from ruleset.tournament import events as t

TOURNAMENT: Final = Codec[t.Event](
    {
        "tournament_published.1": t.TournamentPublished,
        "settings_edited.1": t.SettingsEdited,
        "environment_refrozen.1": t.EnvironmentRefrozen,
        "player_registered.1": t.PlayerRegistered,
        "player_withdrawn.1": t.PlayerWithdrawn,
        "deck_submitted.1": t.DeckSubmitted,
        "deck_approved.1": t.DeckApproved,
        "deck_revoked.1": t.DeckRevoked,
        "signin_opened.1": t.SigninOpened,
        "signin_closed.1": t.SigninClosed,
        "player_signed_in.1": t.PlayerSignedIn,
        "start_held.1": t.StartHeld,
        "tournament_started.1": t.TournamentStarted,
        "round_paired.1": t.RoundPaired,
        "player_present.1": t.PlayerPresent,
        "player_seated.1": t.PlayerSeated,
        "player_left.1": t.PlayerLeft,
        "table_started.1": t.TableStarted,
        "score_seen.1": t.ScoreSeen,
        "absence_claimable.1": t.AbsenceClaimable,
        "time_called.1": t.TimeCalled,
        "cap_reached.1": t.CapReached,
        "report_filed.1": t.ReportFiled,
        "player_reported.1": t.PlayerReported,
        "result_confirmed.1": t.ResultConfirmed,
        "result_disputed.1": t.ResultDisputed,
        "table_reopened.1": t.TableReopened,
        "extra_game_ordered.1": t.ExtraGameOrdered,
        "round_finished.1": t.RoundFinished,
        "round_reopened.1": t.RoundReopened,
        "host_asked.1": t.HostAsked,
        "clock_paused.1": t.ClockPaused,
        "clock_resumed.1": t.ClockResumed,
        "auto_switched.1": t.AutoSwitched,
        "round_postponed.1": t.RoundPostponed,
        "table_extended.1": t.TableExtended,
        "server_lost.1": t.ServerLost,
        "server_back.1": t.ServerBack,
        "player_dropped.1": t.PlayerDropped,
        "drop_undone.1": t.DropUndone,
        "report_parked.1": t.ReportParked,
        "parked_settled.1": t.ParkedSettled,
        "cut_made.1": t.CutMade,
        "rated.1": t.Rated,
        "tournament_finished.1": t.TournamentFinished,
        "ranks_revised.1": t.RanksRevised,
        "tournament_cancelled.1": t.TournamentCancelled,
        "announced.1": t.Announced,
    }
)

DIRECTORY: Final = Codec[d.Event](
    {
        "player_registered.1": d.PlayerRegistered,
        "player_renamed.1": d.PlayerRenamed,
        "tournament_reserved.1": d.TournamentReserved,
        "players_entered.1": d.PlayersEntered,
        "players_left.1": d.PlayersLeft,
        "tournament_ended.1": d.TournamentEnded,
    }
)
