"""The match in a room: games, turns, life points, extra turns (duel-server.md 2)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.alarms import Alarms
from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.passwords import MATCH, Options
from srvpro_bridge.simulator.people import DEATH_MARK, People, Score
from srvpro_bridge.simulator.rules import BY_PHASE, DEATH_RULES, OFF, SUDDEN, DeathRule, QuickDeath, due

SURRENDER: Final = 0
LIFE_POINTS: Final = 1
TURN_TIME: Final = 3
"""Reasons of MSG_WIN (duel-server.md 5)."""
MOST_GAMES: Final = 3
ENOUGH_WINS: Final = 2

Who: TypeAlias = Client | str
"""A player, or what he is called."""


class Stage(StrEnum):
    """Where a room stands."""

    BEGIN = "begin"
    FINGER = "finger"
    FIRSTGO = "firstgo"
    DUELING = "dueling"
    SIDING = "siding"
    END = "end"


@dataclass(slots=True, kw_only=True)
class RoomRules:
    """What the server's settings mean for its rooms; read whenever it matters, so it may change."""

    quick_death_rule: QuickDeath = 2
    wait_time_s: float = 90
    """How long a dropped player may return."""
    close_s: float = 0.04
    """From the last MSG_WIN until the room is gone: 10-40 ms (duel-server.md 10.j)."""
    deck_lock: bool = False
    """Registered decks are compared (tournament_mode and deck_check)."""
    challonge: bool = False
    forbidden: frozenset[int] = field(default_factory=frozenset)
    """Cards that the default list forbids."""


class Play(ABC):
    """What happens between the start and the end of a match. Acts that do not fit the stage mean nothing."""

    def __init__(self, *, options: Options, rules: RoomRules, clock: Callable[[], float]) -> None:
        self.options, self.rules = options, rules
        self.people, self.score = People(), Score()
        self.stage, self.duel_count, self.turn, self.death = Stage.BEGIN, 0, 0, OFF
        self.first: list[Client] = []
        """Who began each game."""
        self.exit_race = False
        """Lose the last MSG_WIN, as a burst of ends can (duel-server.md 10.0-1)."""
        self.ended = False
        """The match was played to an end: by wins, by death, by somebody who left."""
        self.finished_by_death = self.deleted = False
        self._alarms = Alarms(clock)

    def toss(self) -> None:
        """Settle rock-paper-scissors."""
        if self.stage is Stage.FINGER and not self.frozen:
            self.stage = Stage.FIRSTGO

    def go_first(self, who: Who) -> None:
        """Choose who begins; the game starts with turn 1."""
        if self.stage is not Stage.FIRSTGO or self.frozen:
            return
        self.stage, self.turn = Stage.DUELING, 0
        self.duel_count += 1
        self.first.append(self._player(who))
        self._fill_lp()
        self._emit(e.GameStarted(duel=self.duel_count, first=self.first[-1]))
        self.next_turn()

    @property
    def frozen(self) -> bool:
        """Whether the game waits for a dropped player (duel-server.md 10.d)."""
        return any(player.away for player in self.people.players)

    @property
    def active(self) -> Client:
        """Return whose turn it is, in a game."""
        first = self.first[-1]
        return first if self.turn % 2 else self.people.across(first)

    def next_turn(self) -> None:
        """Begin the next turn; life points are compared where extra turns are over."""
        if self.stage is not Stage.DUELING or self.frozen:
            return
        self.turn += 1
        if self.options.time_limit_s:
            self._alarms.set_in("turn", self.options.time_limit_s, self._run_out)
        self._emit(e.TurnBegan(turn=self.turn))
        if due(self.death, self.turn):
            self._compare()

    def next_phase(self) -> None:
        """Begin a phase: only rule 3 looks at it."""
        if self.stage is Stage.DUELING and self.death == BY_PHASE and not self.frozen:
            self._compare()

    def set_lp(self, who: Who, lp: int) -> None:
        """Set his life points; none left: the other wins."""
        player = self._player(who)
        if self.stage is Stage.DUELING:
            player.lp = max(0, lp)
            if player.lp == 0:
                self.win(self.people.across(player))

    def surrender(self, who: Who) -> None:
        """Give the game up; impossible outside a game and without a connection."""
        player = self._player(who)
        if not player.away:
            self.win(self.people.across(player), SURRENDER)

    def win(self, who: Who | None, reason: int = LIFE_POINTS, *, by_card: bool = False) -> None:
        """End the game; ``None``: drawn. *by_card*: a card that wins the match."""
        if self.stage is not Stage.DUELING:
            return
        winner = None if who is None else self._player(who)
        self.stage, self.turn = Stage.END, 0
        self._alarms.off("turn")
        if self.exit_race:
            self._close()
            return
        self.score.add(winner, by_card=by_card)
        self._emit(e.GameWon(winner=winner, reason=reason))
        if by_card or self._over:
            self._close()
        else:
            self._ask_for_sides()

    def start_death(self) -> None:
        """Call extra turns: nothing happens before the start, or when they are on."""
        if self.stage is Stage.BEGIN or self.death != OFF or self._closing:
            return
        rule, between = self._death_rule, self.stage is not Stage.DUELING
        if between and rule.lead_ends and self.leader is not None:
            self._finish_by_death(self.leader)
            return
        in_game = self.turn + 4 if rule.in_game is None else rule.in_game
        self.death = rule.between if between else in_game
        self._emit(e.DeathCalled(death=self.death))

    def end_by_death(self, winner: Client) -> None:
        """End the match for *winner*, as a plugin does where the server would not see his lead."""
        if not self._closing:
            self._finish_by_death(winner)

    def cancel_death(self) -> bool:
        """Call them off; ``False``: none were on."""
        was_on, self.death = self.death != OFF, OFF
        if was_on:
            self._say("Over-match has been canceled from this game.")
        return was_on

    @property
    def leader(self) -> Client | None:
        """Return who is ahead in the match; ``None``: equal, or not both are there."""
        players = self.people.players
        return self.score.leader(players[0], players[1]) if len(players) == 2 else None

    def _start_match(self) -> None:
        self.stage = Stage.FINGER
        self.score.start(self.people.players)
        self._fill_lp()
        if self.options.auto_death_min is not None:
            self._alarms.set_in("auto_death", 60 * self.options.auto_death_min, self.start_death)
        self._emit(e.MatchStarted())

    def _ends_by_side(self) -> bool:
        """Say whether a side deck ends the match: a lead arose during extra turns (duel-server.md 0-3)."""
        leader = self.leader
        if self.death == OFF or not self._death_rule.lead_ends or leader is None:
            return False
        self._finish_by_death(leader)
        return True

    def _take_side(self, player: Client) -> None:
        player.sided = True
        if all(player.sided for player in self.people.players):
            self.stage = Stage.FIRSTGO
        self._emit(e.DeckTaken(client=player))

    def _ask_for_sides(self) -> None:
        if self.death != OFF:
            self.death = self._death_rule.between
        self.stage = Stage.SIDING
        for player in self.people.players:
            player.sided = False
        self._emit(e.SideAsked())

    def _compare(self) -> None:
        one, other = self.people.players
        if one.lp == other.lp:
            self.death = SUDDEN
            return
        winner = one if one.lp > other.lp else other
        self._say(f"Extra time duel ends, congratulations. {winner.name}, You win the Duel.")
        self.win(winner, SURRENDER)

    def _finish_by_death(self, leader: Client) -> None:
        self.finished_by_death = True
        self.score.mark(self.people.across(leader), DEATH_MARK)
        self._say(f"Extra time match ends, congratulations. {leader.name}, You win the Match.")
        self._close()

    def _run_out(self) -> None:
        """The clock of this turn is over; it goes on for a dropped player, too."""
        self.win(self.people.across(self.active), TURN_TIME)

    @property
    def _over(self) -> bool:
        most = max(self.score.points.values())
        return self.options.mode != MATCH or most >= ENOUGH_WINS or self.duel_count >= MOST_GAMES

    @property
    def _death_rule(self) -> DeathRule:
        return DEATH_RULES[self.rules.quick_death_rule]

    @property
    def _closing(self) -> bool:
        return self._alarms.is_set("close")

    def _close(self) -> None:
        """Let the process end: the room is gone a moment later."""
        self.stage, self.ended = Stage.END, True
        self._alarms.off("turn")
        self._alarms.off("auto_death")
        if not self._closing:
            self._alarms.set_in("close", self.rules.close_s, self._delete)
            self._emit(e.Closing())

    def _fill_lp(self) -> None:
        for player in self.people.players:
            player.lp = self.options.start_lp

    def _player(self, who: Who) -> Client:
        return self.people.named(who) if isinstance(who, str) else who

    def _say(self, text: str, to: Client | None = None) -> None:
        self._emit(e.Said(text=text, to=to))

    def _delete(self) -> None:
        if not self.deleted:
            self.deleted = True
            self._alarms.clear()
            self._emit(e.Deleted())

    @abstractmethod
    def _emit(self, event: e.Event) -> None:
        """Tell whoever stands around the room."""
