"""Seat keys on their way to those who may know them: the player himself, judges, and nobody else."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from relayd.admin.peers import LocalUsers
from relayd.admin.roles import Peer, Role
from relayd.admin.unixsocket import AdminSocket
from relayd.settings import DuelServer
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament.seatkeys import name_to_type
from tests import house as house_module
from tests.builders import table_id
from tests.house import Caller, deck
from tests.website import Website, website

PLUGIN = DuelServer(
    id="main", host="duel.example.org", link="plugin", plugin_token_file=Path("/nowhere/token")
)


class Users(LocalUsers):
    """Whoever connects is the peer that the test says."""

    def __init__(self, peer: Peer) -> None:
        super().__init__(())
        self._peer = peer

    def peer_of(self, uid: int, gid: int) -> Peer:
        """Return him."""
        del uid, gid
        return self._peer


@pytest.fixture
async def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Website]:
    """A site whose duel server has the plugin."""
    monkeypatch.setattr(house_module, "SERVER", PLUGIN)
    async with website(tmp_path) as site:
        yield site


async def shown(site: Website, folder: Path, peer: Peer) -> dict[str, str | None]:
    """Return under which names the players of R1T1 join, as *peer* is told."""
    admin = AdminSocket(folder / "s.sock", Users(peer), site.house.dispatcher, site.house.metrics)
    await admin.start()
    caller = await Caller.to(admin.path)
    try:
        table = await caller.call("table.show", tournament=1, table="R1T1")
    finally:
        await caller.close()
        await admin.close()
    names: dict[str, str | None] = table["joins_as"]
    return names


async def test_a_key_is_shown_to_its_player_and_to_judges_alone(site: Website, tmp_path: Path) -> None:
    """Decisions 4: it stands on his table page; neither his opponent nor anybody else reads it."""
    readers = [site.reader() for _ in range(2)]
    for n, reader in enumerate(readers, 1):
        await reader.sign_up(f"Nick-{n}")
    number = await site.publish(organiser=PlayerId(1), seat_key="required")
    for n, reader in enumerate(readers, 1):
        await reader.do(number, "entry.register", player=n)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await readers[0].do(number, "entry.sign_in_all")
    await readers[0].do(number, "tournament.start", confirmed="true")
    state = site.house.desks.running()[number]
    table = state.current_round.tables[table_id(1, 1).table]
    names = {p: name_to_type(state, table.id, p) for p in (table.a, table.b)}
    assert all(re.fullmatch(r"Nick-[12]\$\d{4}", name) for name in names.values())
    for player, reader in enumerate(readers, 1):
        page = await reader.get(f"/e/{number}/t/R1T1")
        assert [name in page for name in names.values()] == [p == player for p in names]
    stranger = await site.reader().get(f"/e/{number}/t/R1T1")
    assert "$" not in re.sub(r"<script.*?</script>", "", stranger, flags=re.DOTALL)
    both = {"a": names[table.a], "b": names[table.b]}
    judge = Peer(name="token:j", role=Role.JUDGE)
    seated = Peer(name="token:p", role=Role.PLAYER, player=table.a)
    assert await shown(site, tmp_path, judge) == both
    assert await shown(site, tmp_path, seated) == {**both, "b": None}
    assert await shown(site, tmp_path, Peer(name="nobody", role=Role.VIEWER)) == {"a": None, "b": None}


async def test_a_server_without_the_plugin_is_refused(tmp_path: Path) -> None:
    """Decisions 15: publishing says what cannot work."""
    async with website(tmp_path) as site:
        with pytest.raises(CommandRejected, match="unfit_servers"):
            await site.publish(seat_key="optional")
