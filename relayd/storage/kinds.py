"""The kinds of events on disk: what each name means, for ever."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from msgspec.json import Decoder

from relayd.storage.codec import Codec
from ruleset.directory import events as d
from ruleset.tournament import events as t

T = TypeVar("T", t.TournamentPublished, t.SettingsEdited)


def _never_ending(event: type[T]) -> Callable[[bytes], T]:
    """Return a reader of settings from before S100-S156: nothing ended by itself then (S137)."""
    decode = Decoder(event).decode

    def read(raw: bytes) -> T:
        found = decode(raw)
        return replace(found, settings=replace(found.settings, ends_after_ms=0))

    return read


TOURNAMENT: Final = Codec[t.Event](
    {
        "tournament_published.3": t.TournamentPublished,
        "settings_edited.3": t.SettingsEdited,
        "rounds_changed.1": t.RoundsChanged,
        "registration_switched.1": t.RegistrationSwitched,
        "visibility_set.1": t.VisibilitySet,
        "co_hosts_named.1": t.CoHostsNamed,
        "environment_refrozen.1": t.EnvironmentRefrozen,
        "team_added.1": t.TeamAdded,
        "team_removed.1": t.TeamRemoved,
        "team_assigned.1": t.TeamAssigned,
        "pair_forbidden.1": t.PairForbidden,
        "pair_allowed.1": t.PairAllowed,
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
        "pairing_changed.1": t.PairingChanged,
        "round_unpaired.1": t.RoundUnpaired,
        "player_present.1": t.PlayerPresent,
        "player_seated.1": t.PlayerSeated,
        "player_left.1": t.PlayerLeft,
        "table_started.1": t.TableStarted,
        "score_seen.1": t.ScoreSeen,
        "absence_claimable.1": t.AbsenceClaimable,
        "time_warned.1": t.TimeWarned,
        "time_called.1": t.TimeCalled,
        "table_time_called.1": t.TableTimeCalled,
        "cap_reached.1": t.CapReached,
        "report_filed.1": t.ReportFiled,
        "player_reported.1": t.PlayerReported,
        "result_confirmed.1": t.ResultConfirmed,
        "ruling_offered.1": t.RulingOffered,
        "offer_declined.1": t.OfferDeclined,
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
        "tournament_lapsed.1": t.TournamentLapsed,
        "end_unset.1": t.EndUnset,
        "action_undone.1": t.ActionUndone,
        "announced.1": t.Announced,
    },
    old={
        "tournament_published.1": _never_ending(t.TournamentPublished),
        "settings_edited.1": _never_ending(t.SettingsEdited),
        "tournament_published.2": Decoder(t.TournamentPublished).decode,  # decklists are hidden there
        "settings_edited.2": Decoder(t.SettingsEdited).decode,
    },
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
