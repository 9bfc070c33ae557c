"""Who is at the other end: local users by what the kernel says, others by their tokens (decisions 6, F22)."""

import grp
import hmac
import os
import pwd
import socket
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from relayd.admin.roles import Peer, Role
from relayd.settings import AdminToken, SocketRole, secret
from ruleset.ids import PlayerId, TournamentNo

_CREDENTIALS: Final = struct.Struct("3i")
"""Process, user and group of SO_PEERCRED."""


class LocalUsers:
    """Rights on the unix socket: root and the daemon's own user are operators, others as the settings say."""

    def __init__(self, roles: Sequence[SocketRole]) -> None:
        self._roles = roles

    def use(self, roles: Sequence[SocketRole]) -> None:
        """Let these roles hold from now on; who is connected is for ``AdminSocket.review``."""
        self._roles = roles

    @property
    def others(self) -> bool:
        """Whether anybody else may come in at all."""
        return bool(self._roles)

    def peer(self, connection: socket.socket) -> Peer | None:
        """Return who has connected; ``None``: nobody who may."""
        size = _CREDENTIALS.size
        _, uid, gid = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
        return self.peer_of(uid, gid)

    def peer_of(self, uid: int, gid: int) -> Peer | None:
        """Return the peer of a user with that primary group; of several roles the highest counts."""
        name = _user_name(uid)
        if uid in {0, os.geteuid()}:
            return Peer(name=f"unix:{name}", role=Role.OPERATOR)
        fitting = tuple(self._fitting(name, set(_group_names(name, gid))))
        best = max(fitting, key=lambda role: Role.named(role.role), default=None)
        if best is None:
            return None
        number = None if best.tournament is None else TournamentNo(best.tournament)
        return Peer(name=f"unix:{name}", role=Role.named(best.role), tournament=number)

    def _fitting(self, user: str, groups: set[str]) -> Iterator[SocketRole]:
        return (role for role in self._roles if role.user == user or role.group in groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    digest: bytes
    peer: Peer


class Tokens:
    """Rights by token: compared as bytes, all of them, in a time that says nothing (F22)."""

    def __init__(self, tokens: Iterable[tuple[str, Peer]]) -> None:
        self._known = tuple(_known(tokens))

    @classmethod
    def of(cls, settings: Iterable[AdminToken]) -> "Tokens":
        """Read the tokens of the settings from their files. Raises SettingsError."""
        return cls(read_tokens(settings))

    def use(self, tokens: Iterable[tuple[str, Peer]]) -> None:
        """Let these tokens hold from now on; who is connected is for ``AdminWebSocket.review``."""
        self._known = tuple(_known(tokens))

    def peer(self, token: str) -> Peer | None:
        """Return whose token it is; ``None``: nobody's."""
        digest, found = _digest(token), None
        for known in self._known:
            if hmac.compare_digest(known.digest, digest):
                found = known.peer
        return found


def read_tokens(settings: Iterable[AdminToken]) -> tuple[tuple[str, Peer], ...]:
    """Return the tokens of the settings from their files, and whose they are. Raises SettingsError."""
    return tuple((secret(token.token_file), _peer(token)) for token in settings)


def _known(tokens: Iterable[tuple[str, Peer]]) -> Iterator[_Known]:
    return (_Known(digest=_digest(token), peer=peer) for token, peer in tokens)


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def _peer(token: AdminToken) -> Peer:
    return Peer(
        name=f"token:{token.name}",
        role=Role.named(token.role),
        tournament=None if token.tournament is None else TournamentNo(token.tournament),
        player=None if token.player is None else PlayerId(token.player),
    )


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _group_names(user: str, gid: int) -> Iterator[str]:
    for group in {gid, *os.getgrouplist(user, gid)}:
        try:
            yield grp.getgrgid(group).gr_name
        except KeyError:
            continue
