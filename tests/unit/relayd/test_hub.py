"""Following a tournament live."""

import asyncio
import json

import msgspec
import pytest

from relayd.following import Dropped
from relayd.live import hub as module
from relayd.live.hub import BOUND, KEPT, Follower, Hub
from relayd.observe.metrics import Metrics
from relayd.public import public_entry, public_gap
from relayd.storage.log import Entry, LogEntry
from ruleset.ids import Instant, TournamentNo
from ruleset.tournament import events as e
from ruleset.tournament.decks import FrozenTable
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY, Tournament

ONE, TWO = TournamentNo(1), TournamentNo(2)


def entry(version: int, *events: tuple[str, object]) -> Entry:
    """Return an entry as a log has it."""
    fields = {"version": version, "command_id": "c", "digest": b"d", "at": 5, "by": "host", "events": events}
    return LogEntry(
        version=version,
        command_id="c",
        digest=b"d",
        at=Instant(5),
        by="host",
        events=(),
        hash=b"",
        body=msgspec.json.encode(fields),
    )


class Encoded:
    """Counts how often something is encoded."""

    def __init__(self) -> None:
        self.entries = 0
        self.views: list[int] = []

    def entry(self, number: TournamentNo, given: Entry) -> bytes:
        """Encode an entry."""
        self.entries += 1
        return public_entry(number, given)

    def view(self, number: TournamentNo, version: int, _state: Tournament) -> bytes:
        """Encode a view."""
        self.views.append(version)
        return json.dumps({"view": number, "version": version}).encode()


@pytest.fixture
def encoded() -> Encoded:
    """What was encoded."""
    return Encoded()


@pytest.fixture
def metrics() -> Metrics:
    """Counters of the hub."""
    return Metrics()


@pytest.fixture
def hub(encoded: Encoded, metrics: Metrics) -> Hub:
    """A hub that has heard nothing yet."""
    return Hub(encoded.entry, encoded.view, public_gap, metrics)


async def versions(follower: Follower, count: int) -> list[int]:
    """Return the versions of the next *count* messages."""
    return [json.loads(await follower.take())["version"] for _ in range(count)]


async def test_followers_get_what_is_durable_encoded_once(hub: Hub, encoded: Encoded) -> None:
    """House 5: in order, without gaps; those of another tournament get nothing of it."""
    followers = [hub.follow(ONE), hub.follow(ONE), hub.follow(None)]
    other = hub.follow(TWO)
    for version in (1, 2, 3):
        hub.hear(ONE, entry(version), EMPTY)
    assert [await versions(follower, 3) for follower in followers] == [[1, 2, 3]] * 3
    assert encoded.entries == 3
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await other.take()


async def test_nothing_is_encoded_for_nobody(hub: Hub, encoded: Encoded) -> None:
    """An entry that nobody follows costs nothing; one that was heard already is heard once."""
    hub.hear(ONE, entry(1), EMPTY)
    follower = hub.follow(ONE)
    hub.hear(ONE, entry(1), EMPTY)
    hub.hear(ONE, entry(2), EMPTY)
    assert await versions(follower, 1) == [2]
    assert encoded.entries == 1


async def test_views_come_behind_entries_and_only_the_newest(hub: Hub, encoded: Encoded) -> None:
    """A slow page sees the present, made once for all who ask."""
    followers = [hub.follow(ONE, views=True) for _ in range(2)]
    for version in (1, 2):
        hub.hear(ONE, entry(version), EMPTY)
    for follower in followers:
        assert await versions(follower, 2) == [1, 2]
        assert json.loads(await follower.take()) == {"view": 1, "version": 2}
    assert encoded.views == [2]


async def test_a_follower_resumes_where_he_was(hub: Hub) -> None:
    """He who comes back names the last version that he saw and misses nothing."""
    for version in range(1, 6):
        hub.hear(ONE, entry(version), EMPTY)
    follower = hub.follow(ONE, after=3)
    hub.hear(ONE, entry(6), EMPTY)
    assert await versions(follower, 3) == [4, 5, 6]
    assert follower.version == 6


@pytest.mark.parametrize(("heard", "after", "told"), [(KEPT + 5, 2, KEPT + 5), (0, 9, 9), (3, 9, 3)])
async def test_what_cannot_be_resumed_is_said(hub: Hub, heard: int, after: int, told: int) -> None:
    """Too long ago, after a restart, or of another log: ask for the whole."""
    for version in range(1, heard + 1):
        hub.hear(ONE, entry(version), EMPTY)
    assert json.loads(await hub.follow(ONE, after=after).take()) == {
        "tournament": 1,
        "version": told,
        "reset": True,
    }


async def test_whoever_does_not_read_is_dropped_at_a_bound(hub: Hub, metrics: Metrics) -> None:
    """F15: he costs 1 MiB at most, is told from where to go on, and the others notice nothing."""
    slow, quick = hub.follow(ONE), hub.follow(ONE)
    hub.hear(ONE, entry(1), EMPTY)
    assert await versions(slow, 1) == [1]
    big, version = "x" * 10_000, 1
    while version < BOUND // 10_000 + 3:
        version += 1
        hub.hear(ONE, entry(version, ("announced.1", {"text": big})), EMPTY)
        await quick.take()
    with pytest.raises(Dropped) as caught:
        await slow.take()
    assert caught.value.version == 1
    assert metrics.registry.get_sample_value("relayd_live_dropped_total") == 1
    assert metrics.registry.get_sample_value("relayd_live_subscribers") == 1


async def test_one_big_entry_drops_nobody(hub: Hub) -> None:
    """A follower who reads gets also what is larger than the bound by itself."""
    follower = hub.follow(ONE)
    hub.hear(ONE, entry(1, ("announced.1", {"text": "x" * (BOUND + 1)})), EMPTY)
    assert await versions(follower, 1) == [1]


def test_what_was_missed_is_at_hand_as_far_as_it_is_kept(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """F14: from one version to another without a gap, or not at all."""
    monkeypatch.setattr(module, "KEPT", 3)
    for version in range(1, 6):
        hub.hear(ONE, entry(version), EMPTY)

    def missed(after: int, until: int) -> list[int] | None:
        found = hub.missed(ONE, after, until)
        return None if found is None else [json.loads(message)["version"] for message in found]

    assert missed(2, 5) == [3, 4, 5]
    assert missed(3, 4) == [4]
    assert missed(1, 5) is None
    assert missed(2, 6) is None
    assert hub.missed(TWO, 0, 1) is None


async def test_who_leaves_is_forgotten(hub: Hub, encoded: Encoded, metrics: Metrics) -> None:
    """F16: again changes nothing."""
    follower = hub.follow(ONE)
    follower.close()
    follower.close()
    hub.hear(ONE, entry(1), EMPTY)
    assert encoded.entries == 0
    assert metrics.registry.get_sample_value("relayd_live_subscribers") == 0


async def test_only_so_many_tournaments_are_remembered(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last heard are kept; memory does not grow with the number of tournaments."""
    monkeypatch.setattr(module, "TOPICS", 2)
    for number in (1, 2, 3):
        hub.hear(TournamentNo(number), entry(1), EMPTY)
    assert "reset" in json.loads(await hub.follow(ONE, after=0).take())
    assert "reset" not in json.loads(await hub.follow(TWO, after=0).take())


def test_secrets_are_in_no_message() -> None:
    """R030: the seed stays secret; decks are shown to nobody; raw messages hold keys of servers."""
    published = e.TournamentPublished(
        number=ONE,
        settings=Settings(title="t", format="swiss"),
        organiser=None,
        environment=FrozenTable(key="ocg", list_name="n", list_hash=1, pool_hash="p", table=b"S3CRET"),
        seed="S3CRET",
        at=Instant(0),
    )
    deck = {"player": 1, "deck": {"main": ["S3CRET"]}, "remarks": ["S3CRET"]}
    filed = {"table": [1, 1], "report": {"source": "challonge", "body": "S3CRET"}}
    revoked = {"player": 1, "why": "S3CRET: 3 in main; the list allows 1"}
    refrozen = e.EnvironmentRefrozen(environment=published.environment, at=Instant(0))
    given = entry(
        1,
        ("tournament_published.1", published),
        ("deck_submitted.1", deck),
        ("report_filed.1", filed),
        ("deck_revoked.1", revoked),
        ("environment_refrozen.1", refrozen),
    )
    text = public_entry(ONE, given).decode()
    shown = json.loads(text)
    assert "S3CRET" not in text
    assert shown["events"][0]["environment"]["list_name"] == "n"
    assert shown["events"][1] == {"kind": "deck_submitted.1", "player": 1}
    assert shown["events"][2]["report"] == {"source": "challonge"}
    assert shown["events"][3] == {"kind": "deck_revoked.1", "player": 1}
    assert set(shown) == {"tournament", "version", "at", "events"}
