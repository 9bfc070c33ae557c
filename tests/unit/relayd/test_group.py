"""Group commit: what waits together is written together, in order, and nobody is left waiting (F03)."""

import asyncio
from collections.abc import Sequence

import pytest

from relayd.storage.group import Append, GroupCommit
from relayd.storage.log import LogBroken, LogError, LogUnavailable, VersionConflict, start_of
from tests.streams import STREAM, chain


class Store:
    """A store that writes when it is told to."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.go_on = asyncio.Event()
        self.fates: list[Exception | None] = []

    async def write(self, appends: Sequence[Append]) -> Sequence[LogError | None]:
        """Note a group, wait, then write it or fail."""
        self.groups.append([append.entry.version for append in appends])
        await self.go_on.wait()
        if self.fates and (fate := self.fates.pop(0)) is not None:
            raise fate
        return [VersionConflict() if append.entry.version == 3 else None for append in appends]


APPENDS = [Append(STREAM, start_of(STREAM), entry) for entry in chain(7)]


async def test_groups_gather_while_one_is_written() -> None:
    """One group on its way, the next one waiting, none larger than the limit, all in order."""
    store, heard = Store(), list[tuple[int, type]]()
    group = GroupCommit(store.write, 4, lambda size, _seconds, why: heard.append((size, type(why))))
    first = group.submit(APPENDS[0])
    await asyncio.sleep(0)
    others = [group.submit(append) for append in APPENDS[1:]]
    store.go_on.set()
    fates = await asyncio.gather(first, *others, return_exceptions=True)
    await group.drain()
    assert store.groups == [[1], [2, 3, 4, 5], [6, 7]]
    assert [type(fate) for fate in fates] == [type(None)] * 2 + [VersionConflict] + [type(None)] * 4
    assert heard == [(1, type(None)), (4, type(None)), (2, type(None))]


@pytest.mark.parametrize(
    ("failure", "becomes"), [(LogUnavailable("full"), LogUnavailable), (ZeroDivisionError(), LogBroken)]
)
async def test_a_group_that_fails_fails_for_all_of_it(failure: Exception, becomes: type[LogError]) -> None:
    """F03: also by a bug; and the next group is tried."""
    store, heard = Store(), list[type]()
    store.go_on.set()
    store.fates = [failure]
    group = GroupCommit(store.write, 2, lambda _size, _seconds, why: heard.append(type(why)))
    fates = await asyncio.gather(*map(group.submit, APPENDS[3:7]), return_exceptions=True)
    assert [type(fate) for fate in fates] == [becomes, becomes, type(None), type(None)]
    assert heard == [becomes, type(None)]


async def test_who_leaves_is_not_waited_for() -> None:
    """A cancelled wait costs the others nothing; with nothing queued there is nothing to drain."""
    store = Store()
    store.go_on.set()
    group = GroupCommit(store.write, 5)
    await group.drain()
    one, two = group.submit(APPENDS[0]), group.submit(APPENDS[1])
    one.cancel()
    await two
    assert store.groups == [[1, 2]]
