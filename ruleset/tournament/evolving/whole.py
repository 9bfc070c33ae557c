"""How events change the tournament as a whole: its settings, its field, its end."""

from collections.abc import Mapping
from typing import Any, Final

from ruleset.copies import replace
from ruleset.ids import PlayerId, RoundNo
from ruleset.tournament import events as e
from ruleset.tournament.decks import shared
from ruleset.tournament.evolving.actions import undone
from ruleset.tournament.evolving.rounds import OF_ROUNDS, OfTournament
from ruleset.tournament.state import EMPTY, Parked, Player, Tournament


def _published(_state: Tournament, event: e.TournamentPublished) -> Tournament:
    return replace(
        EMPTY,
        number=event.number,
        phase="published",
        organiser=event.organiser,
        settings=event.settings,
        environment=shared(event.environment),
        seed=event.seed,
        published_at=event.at,
        auto=event.settings.clock.auto,
    )


def _edited(state: Tournament, event: e.SettingsEdited) -> Tournament:
    before, after = state.settings.clock.auto, event.settings.clock.auto
    return replace(state, settings=event.settings, auto=state.auto if before == after else after)


def _rounds_changed(state: Tournament, event: e.RoundsChanged) -> Tournament:
    return _settings(state, rounds=event.rounds)


def _registration(state: Tournament, event: e.RegistrationSwitched) -> Tournament:
    return _settings(state, registration=replace(state.settings.registration, closed=event.closed))


def _visibility(state: Tournament, event: e.VisibilitySet) -> Tournament:
    return _settings(state, visibility=event.visibility)


def _co_hosts(state: Tournament, event: e.CoHostsNamed) -> Tournament:
    return _settings(state, co_hosts=event.players)


def _settings(state: Tournament, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Settings
    return replace(state, settings=replace(state.settings, **changes))


def _refrozen(state: Tournament, event: e.EnvironmentRefrozen) -> Tournament:
    return replace(state, environment=shared(event.environment), edition=state.edition + 1)


def _team_added(state: Tournament, event: e.TeamAdded) -> Tournament:
    return replace(state, teams={**state.teams, event.team: event.name}, teams_made=event.team)


def _team_removed(state: Tournament, event: e.TeamRemoved) -> Tournament:
    teams = {number: name for number, name in state.teams.items() if number != event.team}
    members = {n: replace(p, team=None) for n, p in state.players.items() if p.team == event.team}
    return replace(state, teams=teams, players={**state.players, **members})


def _forbidden(state: Tournament, event: e.PairForbidden) -> Tournament:
    return replace(state, forbidden=(*state.forbidden, (event.one, event.other)))


def _allowed(state: Tournament, event: e.PairAllowed) -> Tournament:
    gone = (event.one, event.other)
    return replace(state, forbidden=tuple(pair for pair in state.forbidden if pair != gone))


def _withdrawn(state: Tournament, event: e.PlayerWithdrawn) -> Tournament:
    return replace(state, players={n: p for n, p in state.players.items() if n != event.player})


def _signin_opened(state: Tournament, _event: e.SigninOpened) -> Tournament:
    return replace(state, phase="signin_open")


def _signin_closed(state: Tournament, _event: e.SigninClosed) -> Tournament:
    return replace(state, phase="signin_closed")


def _held(state: Tournament, _event: e.StartHeld) -> Tournament:
    return replace(state, phase="held", held_at_sign_ins=state.sign_ins)


def _started(state: Tournament, event: e.TournamentStarted) -> Tournament:
    entered = {p: replace(state.players[p], status="entered", dp_at_entry=dp) for p, dp in event.entrants}
    others = {p: replace(state.players[p], status="not_entered") for p, _ in event.not_entered}
    return replace(
        state,
        phase="running",
        players={**state.players, **others, **entered},
        entrants=tuple(p for p, _ in event.entrants),
        dp=dict(event.entrants),
        started_at=event.at,
    )


def _auto(state: Tournament, event: e.AutoSwitched) -> Tournament:
    return replace(state, auto=event.on)


def _dropped(state: Tournament, event: e.PlayerDropped) -> Tournament:
    player = replace(state.players[event.player], dropped_in=RoundNo(len(state.rounds)))
    return _player(state, event.player, player)


def _player(state: Tournament, number: PlayerId, player: Player) -> Tournament:
    return replace(state, players={**state.players, number: player})


def _parked(state: Tournament, event: e.ReportParked) -> Tournament:
    parked = Parked(
        id=event.id,
        candidates=event.candidates,
        names=event.names,
        why=event.why,
        report=event.report,
        at=event.at,
    )
    return replace(state, parked={**state.parked, event.id: parked})


def _parked_settled(state: Tournament, event: e.ParkedSettled) -> Tournament:
    return replace(state, parked={k: v for k, v in state.parked.items() if k != event.id})


def _cut(state: Tournament, event: e.CutMade) -> Tournament:
    return replace(state, swiss_ranks=event.swiss_ranks, seats=event.seats)


def _finished(state: Tournament, event: e.TournamentFinished) -> Tournament:
    state = replace(state, swiss_ranks=event.swiss_ranks, places=event.places)
    return replace(state, phase="finished", ended_at=event.at)


def _revised(state: Tournament, event: e.RanksRevised) -> Tournament:
    return replace(state, swiss_ranks=event.swiss_ranks, places=event.places)


def _cancelled(state: Tournament, event: e.TournamentCancelled) -> Tournament:
    return replace(state, phase="cancelled", ended_at=event.at)


def _lapsed(state: Tournament, event: e.TournamentLapsed) -> Tournament:
    return replace(state, lapsed_at=event.at)


def _end_unset(state: Tournament, event: e.EndUnset) -> Tournament:
    return replace(state, lapsed_at=None, woken_at=event.at)


def _announced(state: Tournament, _event: e.Announced) -> Tournament:
    return state


WHOLE: Final[Mapping[type[e.Event], OfTournament]] = {
    **OF_ROUNDS,
    e.TournamentPublished: _published,
    e.SettingsEdited: _edited,
    e.RoundsChanged: _rounds_changed,
    e.RegistrationSwitched: _registration,
    e.VisibilitySet: _visibility,
    e.CoHostsNamed: _co_hosts,
    e.EnvironmentRefrozen: _refrozen,
    e.TeamAdded: _team_added,
    e.TeamRemoved: _team_removed,
    e.PairForbidden: _forbidden,
    e.PairAllowed: _allowed,
    e.PlayerWithdrawn: _withdrawn,
    e.SigninOpened: _signin_opened,
    e.SigninClosed: _signin_closed,
    e.StartHeld: _held,
    e.TournamentStarted: _started,
    e.AutoSwitched: _auto,
    e.PlayerDropped: _dropped,
    e.ReportParked: _parked,
    e.ParkedSettled: _parked_settled,
    e.CutMade: _cut,
    e.TournamentFinished: _finished,
    e.RanksRevised: _revised,
    e.TournamentCancelled: _cancelled,
    e.TournamentLapsed: _lapsed,
    e.EndUnset: _end_unset,
    e.ActionUndone: undone,
    e.Announced: _announced,
}
"""Every event that is not about one table or one player alone."""
