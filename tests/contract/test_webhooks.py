"""What every store of webhooks promises (storage.webhooks.HookStore)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.storage.sqlite.webhooks import SqliteHooks
from relayd.storage.webhooks import Hook, HookKnown, HookStore
from ruleset.ids import Instant, TournamentNo

CUP = TournamentNo(12)
HOOK = Hook(
    id=0,
    tournament=CUP,
    url="https://bot.example.org/",
    secret=b"\x00secret",
    made_by="account:P000001",
    created_at=Instant(5),
    position=7,
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[HookStore]:
    """An empty store."""
    store = SqliteHooks(tmp_path / "webhooks.db")
    yield store
    await store.close()


async def test_how_a_hook_does_survives(tmp_path: Path) -> None:
    """F26: retries go on after a restart where they were."""
    first = SqliteHooks(tmp_path / "webhooks.db")
    hook = await first.add(HOOK)
    tried = replace(hook, position=8, failures=3, next_at=Instant(99), trouble="status_500")
    assert await first.note(tried)
    await first.close()
    second = SqliteHooks(tmp_path / "webhooks.db")
    assert await second.of(CUP) == await second.active() == [tried]
    assert await second.hook(hook.id) == tried
    await second.close()


async def test_a_url_is_told_once(store: HookStore) -> None:
    """The same URL twice in one tournament is refused; in another it is another hook."""
    await store.add(HOOK)
    with pytest.raises(HookKnown):
        await store.add(replace(HOOK, secret=b"other"))
    other = await store.add(replace(HOOK, tournament=TournamentNo(13)))
    assert [hook.id for hook in await store.active()] == [1, other.id]


async def test_a_hook_that_is_off_is_no_more_active(store: HookStore) -> None:
    """It stays, so that its host sees why."""
    hook = await store.add(HOOK)
    off = replace(hook, off_at=Instant(9), trouble="status_410")
    await store.note(off)
    assert (await store.active(), await store.of(CUP)) == ([], [off])


async def test_a_hook_is_removed_by_its_tournament(store: HookStore) -> None:
    """No other tournament ends it; what is noted later changes nothing."""
    hook = await store.add(HOOK)
    assert not await store.remove(TournamentNo(13), hook.id)
    assert await store.remove(CUP, hook.id)
    assert not await store.remove(CUP, hook.id)
    assert not await store.note(hook)
    assert (await store.hook(hook.id), await store.of(CUP)) == (None, [])


async def test_the_number_of_a_removed_hook_is_not_used_again(store: HookStore) -> None:
    """Whoever still tells the old one notes nothing at a new one."""
    hook = await store.add(HOOK)
    await store.remove(CUP, hook.id)
    other = await store.add(HOOK)
    assert other.id != hook.id
    assert not await store.note(hook)
