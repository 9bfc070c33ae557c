"""What the host and the players do by hand in a demo: everything up to the start, and one drop."""

from collections.abc import Callable
from typing import Final

from relayd.cli.client import Client, Refused
from relayd.demo.cast import ENVIRONMENT, illegal
from relayd.demo.folder import SERVER, Plan
from ruleset.ids import MINUTE_MS

ROUNDS: Final = 5
CUT: Final = 4
STARTS_IN_MS: Final = 50 * MINUTE_MS
OPENS_MS: Final = 45 * MINUTE_MS
CLOSES_MS: Final = 10 * MINUTE_MS
GAP_MS: Final = 5 * MINUTE_MS
DROPS_AFTER: Final = 2
"""The round behind which the last of the list drops."""
Say = Callable[[str], None]


class Host:
    """Talks to the daemon over its admin socket."""

    def __init__(self, client: Client, plan: Plan, say: Say) -> None:
        self.client, self._plan, self._say = client, plan, say

    def publish(self) -> int:
        """Publish the tournament and return its number."""
        now = self.client.call("daemon.status")["now"]
        settings = {
            "title": "relayd demo",
            "format": "swiss_elimination",
            "rounds": ROUNDS,
            "cut": CUT,
            "environment": ENVIRONMENT,
            "servers": [SERVER],
            "start_at": now + STARTS_IN_MS,
            "signin_opens_ms": OPENS_MS,
            "signin_closes_ms": CLOSES_MS,
            "clock": {"gap_ms": GAP_MS},
        }
        number: int = self.client.call("tournament.publish", settings=settings)["tournament"]
        self._say(f"published tournament {number}: {ROUNDS} Swiss rounds, top {CUT}, {ENVIRONMENT}")
        return number

    def fill(self, number: int) -> None:
        """Register everybody, take their decks in and sign them in."""
        players = {actor.name: self._enter(number, actor.name) for actor in self._plan.actors}
        self._show_a_refusal(number, players[self._plan.forgetful.name])
        for actor in self._plan.actors:
            deck = actor.text.decode()
            self.client.call("deck.submit", tournament=number, player=players[actor.name], deck=deck)
        self.client.call("entry.sign_in_all", tournament=number)
        self._say(f"{len(players)} players registered, decks checked, signed in; the clock does the rest")

    def drop_the_last(self, number: int) -> str:
        """Drop who stands last in the list; return who that is."""
        rows = self.client.call("standings.show", tournament=number)["rows"]
        last = rows[-1]
        self.client.call("entry.drop", tournament=number, player=last["player"])
        self._say(f"{last['nickname']} stands last after round {DROPS_AFTER} and drops")
        return str(last["nickname"])

    def _enter(self, number: int, name: str) -> int:
        player: int = self.client.call("player.register", nickname=name)["player"]
        self.client.call("entry.register", tournament=number, player=player)
        return player

    def _show_a_refusal(self, number: int, player: int) -> None:
        deck = illegal(self._plan.forgetful.deck)
        text = "\n".join(["#main", *map(str, deck.main), "#extra", *map(str, deck.extra)])
        try:
            self.client.call("deck.submit", tournament=number, player=player, deck=text)
        except Refused as refusal:
            for sentence in refusal.data.get("sentences", ()):
                self._say(f"refused deck of {self._plan.forgetful.name}: {sentence}")
