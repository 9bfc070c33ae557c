"""From the list to the start: registration, decks, sign-in (R014-R018, R071)."""

from ruleset.errors import CommandRejected
from ruleset.ids import Instant
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.deadlines import signin_closes_at, signin_opens_at
from ruleset.tournament.state import Player, Tournament


def register(state: Tournament, command: c.Register) -> tuple[e.Event, ...]:
    """Put a player on the list.

    Refuses with ``registration_closed`` (S118, S119), ``list_full``, ``team_required`` (S115) and
    ``unknown_team``.
    """
    guards.before_start(state)
    if command.player in state.players:
        return ()
    _may_register(state, command)
    registered = e.PlayerRegistered(player=command.player, nickname=command.nickname, at=command.now)
    if command.team is None:
        return (registered,)
    guards.known_team(state, command.team)
    return registered, e.TeamAssigned(player=command.player, team=command.team, label="")


def withdraw(state: Tournament, command: c.Withdraw) -> tuple[e.Event, ...]:
    """Take a player off the list."""
    guards.before_start(state)
    guards.known_player(state, command.player)
    return (e.PlayerWithdrawn(player=command.player),)


def submit_deck(state: Tournament, command: c.SubmitDeck) -> tuple[e.Event, ...]:
    """Take a deck in. Refuses with ``deck_locked`` once one has passed (R071), and ``judged_before``."""
    guards.before_start(state)
    player = guards.known_player(state, command.player)
    if command.edition != state.edition:
        raise CommandRejected("judged_before", player=command.player)
    same = player.deck is not None and player.deck.sha256 == command.deck.sha256
    if same and player.deck_status in {"review", "approved"}:
        return ()
    if player.deck_status == "approved":
        raise CommandRejected("deck_locked", player=command.player)
    approved = command.verdict == "legal"
    submitted = e.DeckSubmitted(
        player=command.player, deck=command.deck, approved=approved, remarks=command.remarks
    )
    return (submitted,)


def approve_deck(state: Tournament, command: c.ApproveDeck) -> tuple[e.Event, ...]:
    """Let a deck pass. Refuses with ``no_deck``."""
    guards.before_start(state)
    player = guards.known_player(state, command.player)
    if player.deck is None:
        raise CommandRejected("no_deck", player=command.player)
    return () if player.deck_status == "approved" else (e.DeckApproved(player=command.player),)


def revoke_deck(state: Tournament, command: c.RevokeDeck) -> tuple[e.Event, ...]:
    """Refuse a deck; the sign-in goes with it (R014). Refuses with ``no_deck``."""
    guards.before_start(state)
    player = guards.known_player(state, command.player)
    if player.deck is None:
        raise CommandRejected("no_deck", player=command.player)
    return () if player.deck_status == "refused" else (e.DeckRevoked(player=player.number, why=command.why),)


def sign_in(state: Tournament, command: c.SignIn) -> tuple[e.Event, ...]:
    """Sign one in. Refuses with ``deck_not_approved``, ``signin_not_open``, ``signin_closed``."""
    guards.before_start(state)
    player = guards.known_player(state, command.player)
    if player.signed_in is not None:
        return ()
    if player.deck_status != "approved":
        raise CommandRejected("deck_not_approved", player=command.player, status=player.deck_status)
    if not command.by_host:
        _window(state, command.now)
    sequence = state.sign_ins + 1
    return (e.PlayerSignedIn(player=command.player, sequence=sequence, by_host=command.by_host),)


def sign_in_all(state: Tournament, _command: c.SignInAll) -> tuple[e.Event, ...]:
    """Sign in everybody with an approved deck, by time of registration, then number (R017)."""
    guards.before_start(state)
    waiting = sorted(unsigned(state), key=lambda player: (player.registered_at, player.number))
    return tuple(
        e.PlayerSignedIn(player=player.number, sequence=sequence, by_host=True)
        for sequence, player in enumerate(waiting, state.sign_ins + 1)
    )


def unsigned(state: Tournament) -> tuple[Player, ...]:
    """Return who could sign in and has not."""
    players = state.players.values()
    return tuple(p for p in players if p.deck_status == "approved" and p.signed_in is None)


def _may_register(state: Tournament, command: c.Register) -> None:
    rules = state.settings.registration
    over = rules.closed or (rules.until is not None and command.now >= rules.until)
    if over and not command.by_host:
        raise CommandRejected("registration_closed", until=rules.until)
    if rules.limit and len(state.players) >= rules.limit:
        raise CommandRejected("list_full", limit=rules.limit)
    if state.settings.teams.required and command.team is None:
        raise CommandRejected("team_required")


def _window(state: Tournament, now: Instant) -> None:
    if now < signin_opens_at(state):
        raise CommandRejected("signin_not_open", opens_at=signin_opens_at(state))
    if now >= signin_closes_at(state):
        raise CommandRejected("signin_closed", closed_at=signin_closes_at(state))
