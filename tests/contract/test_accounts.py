"""What every account store promises (storage.accounts.AccountStore)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.storage.accounts import (
    Account,
    AccountStore,
    ApiToken,
    Avatar,
    EmailTaken,
    JudgeCall,
    Link,
    OwnPreset,
    Session,
    Ticket,
)
from relayd.storage.sqlite.accounts import SqliteAccounts
from ruleset.ids import Instant, PlayerId, TournamentNo

ANN = Account(player=PlayerId(1), email="ann@example.org", password="$hash", created_at=Instant(5))
CUP = TournamentNo(12)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[AccountStore]:
    """An empty store."""
    store = SqliteAccounts(tmp_path / "accounts.db")
    yield store
    await store.close()


async def test_what_is_kept_survives(tmp_path: Path) -> None:
    """An account is there after a restart."""
    first = SqliteAccounts(tmp_path / "accounts.db")
    await first.add(ANN)
    await first.close()
    second = SqliteAccounts(tmp_path / "accounts.db")
    assert await second.by_email("ann@example.org") == await second.by_player(ANN.player) == ANN
    await second.close()


async def test_an_email_and_a_number_are_there_once(store: AccountStore) -> None:
    """A second account of either is refused and changes nothing."""
    await store.add(ANN)
    for other in (PlayerId(2), PlayerId(1)):
        with pytest.raises(EmailTaken):
            await store.add(Account(player=other, email=ANN.email, password="x", created_at=Instant(6)))
    assert await store.by_email(ANN.email) == ANN
    assert await store.by_player(PlayerId(2)) is None


async def test_a_player_has_one_picture(store: AccountStore) -> None:
    """R004: the newest; found by its digest, gone with its owner."""
    bob = PlayerId(2)
    for digest in ("old", "new"):
        await store.set_avatar(Avatar(player=ANN.player, digest=digest, image=digest.encode()))
    await store.set_avatar(Avatar(player=bob, digest="new", image=b"new"))
    assert await store.avatar("old") is None
    found = await store.avatar("new")
    assert found is not None
    assert found.image == b"new"
    everybody = [ANN.player, bob, PlayerId(3)]
    assert await store.avatars(everybody) == {ANN.player: "new", bob: "new"}
    await store.drop_avatar(bob)
    await store.drop_avatar(bob)
    assert await store.avatars(everybody) == {ANN.player: "new"}
    await store.erase(ANN.player)
    assert (await store.avatars(everybody), await store.avatar("new")) == ({}, None)


async def test_a_token_is_of_all_tournaments_or_of_one(store: AccountStore) -> None:
    """Scope and tournament come back as they were given."""
    token = ApiToken(id=0, digest=b"t", player=ANN.player, label="bot", scope="play", created_at=Instant(1))
    whole = await store.make_token(token)
    one = await store.make_token(replace(token, digest=b"u", scope="host", tournament=CUP))
    assert await store.tokens(ANN.player) == [whole, one]
    assert await store.token(b"u") == one


async def test_a_ticket_is_taken_once_and_replaced_by_the_next(store: AccountStore) -> None:
    """Only the newest of a purpose is good, before it expires, for its purpose."""
    for digest in (b"1", b"2"):
        await store.keep_ticket(
            Ticket(digest=digest, player=ANN.player, purpose="verify", expires_at=Instant(10))
        )
    assert await store.take_ticket(b"1", "verify", Instant(1)) is None
    assert await store.take_ticket(b"2", "reset", Instant(1)) is None
    taken = await store.take_ticket(b"2", "verify", Instant(9))
    assert taken is not None
    assert taken.player == ANN.player
    assert await store.take_ticket(b"2", "verify", Instant(9)) is None


async def test_a_revoked_link_is_good_no_more(store: AccountStore) -> None:
    """S128: links are revocable, each by its tournament; revoked again changes nothing."""
    link = await store.make_link(
        Link(id=0, digest=b"l", tournament=CUP, role="judge", label="table judge", created_at=Instant(1))
    )
    await store.revoke_link(TournamentNo(13), link.id, Instant(2))
    assert await store.link(b"l") == link
    assert await store.links(CUP) == [link]
    await store.revoke_link(CUP, link.id, Instant(2))
    await store.revoke_link(CUP, link.id, Instant(3))
    assert (await store.link(b"l"), await store.links(CUP)) == (None, [])


async def test_staff_is_one_role_a_player(store: AccountStore) -> None:
    """S105: a later word replaces the first; none takes it away."""
    await store.set_staff(CUP, PlayerId(2), "judge")
    await store.set_staff(CUP, PlayerId(2), "cohost")
    assert list(await store.staff(CUP)) == [(2, "cohost")]
    await store.set_staff(CUP, PlayerId(2), None)
    assert list(await store.staff(CUP)) == []


async def test_a_player_calls_once_from_a_table(store: AccountStore) -> None:
    """A second call of the same player at the same table is the same."""
    for note in ("first", "second"):
        call = JudgeCall(id=0, tournament=CUP, table="R1T2", player=ANN.player, note=note, at=Instant(3))
        await store.call_judge(call)
    (kept,) = await store.judge_calls(CUP)
    assert (kept.note, kept.table) == ("first", "R1T2")
    await store.answer_call(TournamentNo(13), kept.id)
    assert len(await store.judge_calls(CUP)) == 1
    await store.answer_call(CUP, kept.id)
    assert list(await store.judge_calls(CUP)) == []


async def test_erasing_leaves_nothing_of_a_player(store: AccountStore) -> None:
    """Account, sessions, tickets, tokens, staff and calls of one player go, those of others stay."""
    await store.add(ANN)
    await store.open_session(Session(digest=b"s", player=ANN.player, expires_at=Instant(99)))
    await store.open_session(Session(digest=b"o", player=PlayerId(2), expires_at=Instant(99)))
    token = ApiToken(id=0, digest=b"t", player=ANN.player, label="bot", scope="host", created_at=Instant(1))
    assert (await store.make_token(token)).id > 0
    await store.set_staff(CUP, ANN.player, "judge")
    await store.erase(ANN.player)
    assert await store.by_player(ANN.player) is None
    assert await store.session(b"s", Instant(1)) is None
    assert await store.session(b"o", Instant(1)) is not None
    assert (await store.token(b"t"), list(await store.tokens(ANN.player))) == (None, [])
    assert list(await store.staff(CUP)) == []


async def test_tokens_are_their_owners(store: AccountStore) -> None:
    """Nobody ends another's token."""
    made = await store.make_token(
        ApiToken(id=0, digest=b"t", player=ANN.player, label="bot", scope="read", created_at=Instant(1))
    )
    await store.revoke_token(PlayerId(2), made.id)
    assert await store.token(b"t") == made
    await store.revoke_token(ANN.player, made.id)
    assert await store.token(b"t") is None


async def test_verified_is_verified_once(store: AccountStore) -> None:
    """The first moment stays."""
    await store.add(ANN)
    await store.verify(ANN.player, Instant(7))
    await store.verify(ANN.player, Instant(8))
    found = await store.by_player(ANN.player)
    assert found is not None
    assert found.verified_at == 7


async def test_own_presets_are_kept_by_player_and_name(store: AccountStore) -> None:
    """G4: a name again replaces; another player's and one that is dropped are not there."""
    first = OwnPreset(player=ANN.player, name="汉诺杯", wishes="{}")
    again = OwnPreset(player=ANN.player, name="汉诺杯", wishes='{"kind":"casual"}')
    other = OwnPreset(player=PlayerId(2), name="汉诺杯", wishes="{}")
    for preset in (first, again, other, OwnPreset(player=ANN.player, name="a", wishes="{}")):
        await store.keep_preset(preset)
    assert list(await store.presets(ANN.player))[1:] == [again]
    for _ in range(2):
        await store.drop_preset(ANN.player, "汉诺杯")
    assert [p.name for p in await store.presets(ANN.player)] == ["a"]
    assert await store.presets(PlayerId(2)) == [other]
    await store.erase(PlayerId(2))
    assert await store.presets(PlayerId(2)) == []
