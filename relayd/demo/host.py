"""What the host and the players do by hand in a demo: everything up to the start, and one drop."""

from collections.abc import Callable, Sequence
from typing import Final

from relayd.cli.client import Client, Refused
from relayd.demo.cast import Actor, Beside, illegal
from relayd.demo.folder import SERVER, Plan
from ruleset.ids import MINUTE_MS

ROUNDS: Final = 5
BESIDE_ROUNDS: Final = 4
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
        self._players: dict[str, int] = {}

    def publish(self) -> int:
        """Publish the tournament and return its number."""
        environment = self._plan.environment
        number = self._publish(
            title="relayd demo",
            format="swiss_elimination",
            rounds=ROUNDS,
            cut=CUT,
            environment=environment,
            clock={"gap_ms": GAP_MS},
        )
        self._say(f"published tournament {number}: {ROUNDS} Swiss rounds, top {CUT}, {environment}")
        return number

    def fill(self, number: int) -> None:
        """Register everybody, take their decks in and sign them in."""
        forgetful = self._plan.forgetful
        player = self._enter(number, forgetful.name)
        self._show_a_refusal(number, player)
        self._take_in(number, self._plan.actors)

    def beside(self, beside: Beside) -> int:
        """Publish and fill the tournament that is played at the same time; return its number."""
        number = self._publish(
            title="best of one",
            format="swiss",
            rounds=BESIDE_ROUNDS,
            best_of=1,
            environment=beside.environment,
            clock={"gap_ms": GAP_MS},
        )
        self._say(f"published tournament {number}: {BESIDE_ROUNDS} Swiss rounds, {beside.environment}, too")
        self._take_in(number, beside.actors)
        return number

    def _publish(self, **settings: object) -> int:
        now = self.client.call("daemon.status")["now"]
        when = {
            "start_at": now + STARTS_IN_MS,
            "signin_opens_ms": OPENS_MS,
            "signin_closes_ms": CLOSES_MS,
        }
        plan = {**settings, **when, "servers": [SERVER]}
        number: int = self.client.call("tournament.publish", settings=plan)["tournament"]
        return number

    def _take_in(self, number: int, actors: Sequence[Actor]) -> None:
        for actor in actors:
            player = self._enter(number, actor.name)
            self.client.call("deck.submit", tournament=number, player=player, deck=actor.text.decode())
        self.client.call("entry.sign_in_all", tournament=number)
        self._say(f"{len(actors)} players registered, decks checked, signed in; the clock does the rest")

    def drop_the_last(self, number: int) -> str:
        """Drop who stands last in the list; return who that is."""
        rows = self.client.call("standings.show", tournament=number)["rows"]
        last = rows[-1]
        self.client.call("entry.drop", tournament=number, player=last["player"])
        self._say(f"{last['nickname']} stands last after round {DROPS_AFTER} and drops")
        return str(last["nickname"])

    def _enter(self, number: int, name: str) -> int:
        if name not in self._players:
            self._players[name] = self.client.call("player.register", nickname=name)["player"]
            self.client.call("entry.register", tournament=number, player=self._players[name])
        return self._players[name]

    def _show_a_refusal(self, number: int, player: int) -> None:
        deck = illegal(self._plan.forgetful.deck)
        text = "\n".join(["#main", *map(str, deck.main), "#extra", *map(str, deck.extra)])
        try:
            self.client.call("deck.submit", tournament=number, player=player, deck=text)
        except Refused as refusal:
            for sentence in refusal.data.get("sentences", ()):
                self._say(f"refused deck of {self._plan.forgetful.name}: {sentence}")
