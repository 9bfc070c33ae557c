"""Many players at once on the site of tests/website.py, brought in by commands instead of by forms."""

from typing import Any

from ruleset.ids import PlayerId, TableId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.state import Table, Tournament
from tests.builders import deck_of
from tests.website import Reader, Website


async def crowd(
    site: Website, count: int, *, start: bool = True, **wishes: Any
) -> tuple[TournamentNo, Reader]:
    """Return a tournament of *count* players, started, and the browser of its host, who does not play."""
    host = site.reader()
    number = await site.publish(organiser=await host.sign_up("Host"), **wishes)
    desks, now = site.house.desks, site.house.clock.now()
    for n in range(1, count + 1):
        player = await site.house.directory.register(f"Nick-{n}", by="test")
        wish = c.Register(player=player, nickname=f"Nick-{n}", now=now)
        await desks.handle(number, wish, by="test")
        await desks.handle(
            number, c.SubmitDeck(player=player, deck=deck_of(player), verdict="legal"), by="test"
        )
    if start:
        await desks.handle(number, c.SignInAll(now=now), by="test")
        await site.house.parts.starter.start(number, confirmed=True, by="test")
    return number, host


async def present(site: Website, number: TournamentNo) -> Tournament:
    """Return the state of a tournament."""
    return await site.house.desks.load(number)


async def table_of(site: Website, number: TournamentNo, name: TableId) -> Table:
    """Return a table as it stands."""
    found = (await present(site, number)).table(name)
    assert found is not None
    return found


def other(player: PlayerId, table: Table) -> PlayerId:
    """Return who sits opposite."""
    return table.b if table.a == player else table.a
