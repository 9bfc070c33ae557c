"""A site with something on every page: a cup that is over, a round that runs, an event yet to come."""

from collections.abc import Mapping
from dataclasses import dataclass

from relayd.accounts.tokens import digest_of
from relayd.ports import LiveTable
from relayd.storage.accounts import Link
from ruleset.ids import Instant, PlayerId, ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from tests.house import deck
from tests.website import Reader, Website

DAY_MS = 24 * 60 * 60 * 1_000
NAMES = (
    *(
        "青眼白龙",
        "ブラック・マジシャン・ガール",
        "Ann",
        "WWWWWWWWWWWWWWWW",
        "一二三四五六七八九十一二三四五六",
        "Bob",
    ),
    *("しろ", "真红眼黑龙", "Lin", "x" * 16, "الملك", "O'Neill"),
)
"""Short ones, the longest that may be, in several scripts."""
TEXT = """# 欢迎
周五晚的比赛，**请准时**。

* 第一轮 20:00
* 裁判：见公告

| 名次 | 奖品 |
|---|---|
| 1 | 卡套 |

> 迟到 15 分钟判负。 [规则](https://example.org)
"""
HALL = "token-of-the-hall"


@dataclass(kw_only=True)
class Fair:
    """Three tournaments, and the host's browser without a screen; he plays in the two that are not over."""

    site: Website
    host: Reader
    over: TournamentNo
    running: TournamentNo
    open: TournamentNo

    @property
    def public(self) -> Mapping[str, str]:
        """The pages that everybody may open, by name."""
        over, runs = f"/e/{self.over}", f"/e/{self.running}"
        return {
            **{name: f"/{name}" for name in ("signin", "signup", "forgot", "room", "ladder", "api")},
            "home": "/",
            "profile": "/p/2",
            "verify": "/verify/x",
            "reset": "/reset/x",
            **{f"over-{name}": f"{over}/{name}" for name in ("standings", "bracket", "results", "players")},
            "over": over,
            "open": f"/e/{self.open}",
            "running": runs,
            "rounds": f"{runs}/r",
            "explanation": f"{over}/standings/2/omw",
            "table": f"{runs}/t/R1T1",
            "hall": f"/hall/{HALL}",
            "not-there": "/nowhere",
            "no-such-event": "/e/999",
        }

    @property
    def own(self) -> Mapping[str, str]:
        """The pages of somebody who plays and hosts, by name."""
        runs, opens = f"/e/{self.running}", f"/e/{self.open}"
        return {
            "me": "/me",
            "new": "/new",
            "own-event": opens,
            "own-deck": f"{opens}/deck",
            "console": f"{runs}/host",
            "console-before": f"{opens}/host",
            "edit": f"{opens}/edit",
            "console-table": f"{runs}/host/t/R1T2",
            "console-deck": f"{runs}/host/deck/1",
            "console-audit": f"{runs}/host/audit",
            "own-running": runs,
            "import": f"{opens}/import",
            "import-challonge": "/import/challonge",
        }


async def fair(site: Website, count: int = 12, *, best: int = 8, field: int = 12) -> Fair:
    """Set all of it up: *count* players in the cup with the *best* in its bracket, *field* in the round."""
    host = site.reader()
    organiser = await host.sign_up("主持人")
    plan = {"format": "swiss_elimination", "rounds": 3, "cut": best}
    over = await site.publish(organiser=organiser, title="月赛 Monthly Cup", **plan)
    await _enter(site, over, await _people(site, count))
    await _played_out(site, over, host)
    running = await site.publish(organiser=organiser, title="周五晚 Friday Night Duels", text=TEXT)
    await _enter(site, running, {organiser: "主持人", **await _people(site, field - 1)})
    await host.do(running, "tournament.start", confirmed="true")
    await _half_played(site, running)
    start = site.house.clock.now() + DAY_MS
    opened = await site.publish(organiser=organiser, title="GOAT 怀旧赛", text=TEXT, start_at=start)
    await host.do(opened, "entry.register", player=organiser)
    await host.post(f"/e/{opened}/deck", deck=deck())
    await site.parts.accounts.store.make_link(_link(running, site.house.clock.now()))
    return Fair(site=site, host=host, over=over, running=running, open=opened)


async def _people(site: Website, count: int) -> dict[PlayerId, str]:
    names = [NAMES[n] if n < len(NAMES) else f"选手 {n + 1}" for n in range(count)]
    return {await site.house.directory.register(name, by="test"): name for name in names}


async def _enter(site: Website, number: TournamentNo, people: Mapping[PlayerId, str]) -> None:
    """Register, deck, sign-in: without pages, for there may be hundreds."""
    for player, name in people.items():
        made = DeckList(main=(83764718,) * 40, sha256=f"{player:064x}")
        for command in (
            c.Register(player=player, nickname=name, by_host=True, now=site.house.clock.now()),
            c.SubmitDeck(player=player, deck=made, verdict="legal"),
            c.SignIn(player=player, by_host=True, now=site.house.clock.now()),
        ):
            await site.house.desks.handle(number, command, by="test")


async def _played_out(site: Website, number: TournamentNo, host: Reader) -> None:
    await host.do(number, "tournament.start", confirmed="true")
    while (await site.house.desks.load(number)).phase == "running":
        await site.win(number)
        site.house.clock.advance(600)
        await host.do(number, "tournament.next_round")


async def _half_played(site: Website, number: TournamentNo) -> None:
    """Let one table be decided, one be played, and one be reported differently by its two."""
    state = await site.house.desks.load(number)
    first, second, *_ = list(state.rounds[0].tables.values())
    await site.win(number, only=first.id.table)
    site.house.seen.tables[second.id] = LiveTable(
        table=second.id,
        server=ServerId("main"),
        room_name="M#X2R1T2",
        stage="dueling",
        duel=2,
        turn=7,
        death="off",
        last_turn=None,
        wins=(1, 0),
        lp=(8_000, 4_200),
        in_room=(True, True),
        strangers=(),
        seen_at=site.house.clock.now(),
    )


def _link(number: TournamentNo, now: Instant) -> Link:
    return Link(id=0, digest=digest_of(HALL), tournament=number, role="viewer", label="hall", created_at=now)
