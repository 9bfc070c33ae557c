"""A demo from the start of the tournament to its end, shown as it happens."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from relayd.cli.draw.base import cell
from relayd.cli.draw.play import bracket, dp, places, standings, tables
from relayd.cli.told import told
from relayd.cli.watch import frame
from relayd.demo.host import DROPS_AFTER, Host
from relayd.demo.processes import Programs

TOO_LONG_S: Final = 300.0
"""A demo that has not ended by then never will."""
_NEWS: Final = 8
_ENDED: Final = frozenset({"finished", "cancelled"})
_KILL_AFTER_RESULTS: Final = (3, 6)
"""Of a round: where tables still play behind each of them."""
View = dict[str, Any]


class NeverEnded(Exception):
    """The tournament did not come to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """What is killed on the way."""

    in_round: int | None = None
    """The daemon, once."""
    times: int = 0
    """The daemon, that often, twice in every round."""
    duel_server_in_round: int | None = None

    def daemon_now(self, round_no: int, results: int, killed: int) -> bool:
        """Say whether the daemon dies at this result of the round."""
        if self.in_round == round_no:
            return results == _KILL_AFTER_RESULTS[0]
        return killed < self.times and results in _KILL_AFTER_RESULTS


@dataclass(kw_only=True)
class Course:
    """What is known while it runs."""

    host: Host
    programs: Programs
    number: int
    kills: Kills
    console: Console
    beside: int | None = None
    """The tournament that is played at the same time."""
    news: list[str] = field(default_factory=list)
    view: View = field(default_factory=dict)
    dropped: str | None = None
    killed: int = 0
    """How often the daemon was killed."""
    duel_server_killed: bool = False
    round: int = 0
    results: int = 0
    """Of the present round."""

    def follow(self) -> None:
        """Watch until the end. Raises NeverEnded."""
        deadline = time.monotonic() + TOO_LONG_S
        self._subscribe()
        with Live(console=self.console, auto_refresh=False, transient=True) as live:
            while self.view["show"]["phase"] not in _ENDED:
                if time.monotonic() > deadline:
                    raise NeverEnded(f"still {self.view['show']['phase']} after {TOO_LONG_S:.0f} s")
                self._listen()
                self._look()
                live.update(frame(self.view, self.news), refresh=True)
        while self.beside is not None and self._phase(self.beside) not in _ENDED:
            if time.monotonic() > deadline:
                raise NeverEnded(f"tournament {self.beside} is still {self._phase(self.beside)}")
            time.sleep(0.2)

    def outcome(self) -> View:
        """Return how it ended."""
        call, number = self.host.client.call, self.number
        return {
            "tournament": number,
            "beside": None if self.beside is None else self._beside(self.beside),
            "rounds": [
                call("table.list", tournament=number, round=n)
                for n in range(1, self.view["show"]["round"] + 1)
            ],
            "standings": call("standings.show", tournament=number),
            "bracket": call("bracket.show", tournament=number),
            "places": call("places.show", tournament=number),
            "dp": call("dp.show", tournament=number),
            "fingerprint": call("tournament.fingerprint", tournament=number),
            "dropped": self.dropped,
            "daemon_killed": self.killed,
            "duel_server_killed": self.duel_server_killed,
        }

    def _beside(self, number: int) -> View:
        call, show = self.host.client.call, self.host.client.call("tournament.show", tournament=number)
        rounds = range(1, show["round"] + 1)
        return {
            "tournament": number,
            "rounds": [call("table.list", tournament=number, round=n) for n in rounds],
            "standings": call("standings.show", tournament=number),
            "places": call("places.show", tournament=number),
        }

    def _phase(self, number: int) -> str:
        return str(self.host.client.call("tournament.show", tournament=number)["phase"])

    def _subscribe(self) -> None:
        self.host.client.call("live.follow", tournament=self.number)
        self._look()

    def _look(self) -> None:
        call, number = self.host.client.call, self.number
        show = call("tournament.show", tournament=number)
        shown = None if show["round"] is None else call("table.list", tournament=number)
        self.view = {"show": show, "tables": shown, "standings": None}

    def _listen(self, seconds: float = 0.2) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            note = self.host.client.heard(left)
            for event in (note or {}).get("message", {}).get("events", ()):
                self._take(event)

    def _take(self, event: Mapping[str, Any]) -> None:
        self.news.extend(told({"events": [event]}))
        del self.news[:-_NEWS]
        match str(event["kind"]).partition(".")[0]:
            case "round_paired":
                self.round, self.results = event["round_no"], 0
            case "result_confirmed":
                self.results += 1
                self._kill_what_is_due()
            case "round_finished" if event["round_no"] == DROPS_AFTER and self.dropped is None:
                self.dropped = self.host.drop_the_last(self.number)
            case _:
                pass

    def _kill_what_is_due(self) -> None:
        if self.kills.daemon_now(self.round, self.results, self.killed):
            self._kill_daemon()
        if self.round == self.kills.duel_server_in_round and not self.duel_server_killed:
            self.duel_server_killed = True
            self.console.print(
                cell(f"the duel server was killed in round {self.round}; it starts again, empty")
            )
            self.programs.kill_duel_server()
            self.programs.start_duel_server()

    def _kill_daemon(self) -> None:
        self.killed += 1
        self.host.client.close()
        self.programs.kill_daemon()
        self.console.print(cell(f"the daemon was killed in round {self.round}; it starts again"))
        self.programs.start_daemon()
        self.host.client = self.programs.connect()
        self._subscribe()


def printed(outcome: View, console: Console) -> None:
    """Print pairings, standings, bracket, places and DP."""
    if outcome["beside"] is not None:
        console.print(standings(outcome["beside"]["standings"]))
    for played in outcome["rounds"]:
        console.print(tables(played))
    console.print(standings(outcome["standings"]))
    console.print(bracket(outcome["bracket"]))
    console.print(places(outcome["places"]))
    console.print(dp(outcome["dp"]))
    champion = outcome["places"][0]
    console.print(cell(f"Champion: {champion['label']} {champion['nickname']}", "bold"))
