"""Who may come in, as what, and how often."""

import grp
import os
import pwd
from pathlib import Path

import pytest

from relayd.admin.buckets import REMEMBERED, Buckets
from relayd.admin.peers import LocalUsers, Tokens
from relayd.admin.roles import Peer, Role
from relayd.settings import AdminToken, SettingsError, SocketRole
from ruleset.ids import PlayerId, TournamentNo

TWELVE = TournamentNo(12)


def somebody() -> pwd.struct_passwd:
    """Return a local user who is neither root nor ourselves."""
    users = (user for user in pwd.getpwall() if user.pw_uid not in {0, os.geteuid()})
    return next(users)


def test_root_and_the_daemons_own_user_are_operators() -> None:
    """Decisions 6: and nobody else, where the settings name nobody."""
    users = LocalUsers(())
    assert users.peer_of(0, 0) == Peer(name="unix:root", role=Role.OPERATOR)
    own = users.peer_of(os.geteuid(), os.getegid())
    assert own is not None
    assert own.role is Role.OPERATOR
    assert users.peer_of(somebody().pw_uid, somebody().pw_gid) is None
    assert users.peer_of(1_234_567, 1_234_567) is None
    assert not users.others


def test_users_and_groups_have_the_roles_of_the_settings() -> None:
    """Decisions 6: by name, by group, the highest of several; a role may hold in one tournament."""
    user = somebody()
    group = grp.getgrgid(user.pw_gid).gr_name
    judge = SocketRole(user=user.pw_name, role="judge", tournament=12)
    host = SocketRole(group=group, role="host")
    assert LocalUsers((judge,)).others
    name = f"unix:{user.pw_name}"
    one = LocalUsers((judge, SocketRole(user="nobody-else", role="operator")))
    assert one.peer_of(user.pw_uid, user.pw_gid) == Peer(name=name, role=Role.JUDGE, tournament=TWELVE)
    assert LocalUsers((judge, host)).peer_of(user.pw_uid, user.pw_gid) == Peer(name=name, role=Role.HOST)


def test_a_role_holds_in_its_tournament() -> None:
    """Decisions 6: elsewhere, and outside of all, its owner looks on."""
    judge = Peer(name="token:j", role=Role.JUDGE, tournament=TWELVE)
    assert [judge.role_in(number) for number in (TWELVE, TournamentNo(13), None)] == [
        Role.JUDGE,
        Role.VIEWER,
        Role.VIEWER,
    ]
    host = Peer(name="token:h", role=Role.HOST)
    assert [host.role_in(number) for number in (TWELVE, None)] == [Role.HOST, Role.HOST]
    assert Role.named("cohost") < Role.named("host") < Role.named("operator")
    assert Role.named("viewer") < Role.named("player") < Role.named("judge") < Role.named("cohost")


def test_tokens_are_known_whatever_is_shown() -> None:
    """F22: compared as bytes: non-ASCII, empty and half surrogates are wrong tokens, no failures."""
    peer = Peer(name="token:x", role=Role.HOST)
    tokens = Tokens([("s3cret", peer), ("密码", NOBODY)])
    assert tokens.peer("s3cret") is peer
    assert tokens.peer("密码") is NOBODY
    for wrong in ("", "s3cre", "s3cret ", "ünï", "\ud800", "x" * 100_000):
        assert tokens.peer(wrong) is None
    assert Tokens([]).peer("") is None


NOBODY = Peer(name="token:y", role=Role.VIEWER)


def test_tokens_are_read_from_their_files(tmp_path: Path) -> None:
    """House 5: a token lies in a file; one that cannot be read is named."""
    (tmp_path / "t").write_text("s3cret\n", encoding="utf-8")
    settings = AdminToken(name="p", role="player", player=7, tournament=12, token_file=tmp_path / "t")
    peer = Tokens.of([settings]).peer("s3cret")
    assert peer == Peer(name="token:p", role=Role.PLAYER, tournament=TWELVE, player=PlayerId(7))
    absent = AdminToken(name="q", role="host", token_file=tmp_path / "absent")
    with pytest.raises(SettingsError, match="absent"):
        Tokens.of([absent])


def test_a_bucket_lets_bursts_through_and_fills_again() -> None:
    """F27: each peer has his own; whoever waits as long as he is told is let through."""
    now = [0.0]
    buckets = Buckets(rate=2, burst=3, now=lambda: now[0])
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.empty("a")
    assert buckets.take("b", calls=3) == 0
    now[0] += 0.5
    assert (buckets.empty("a"), buckets.take("a")) == (False, 0)
    assert buckets.take("c", calls=1_000) == 0
    now[0] += 100
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_buckets_do_not_grow_with_peers() -> None:
    """F27: a flood from many addresses costs bounded memory."""
    buckets = Buckets(rate=1, burst=1, now=lambda: 0)
    buckets.take("first")
    for n in range(REMEMBERED):
        buckets.take(str(n))
    assert buckets.take("first") == 0
    assert buckets.take("5000") == 1
