"""The HTTP admin API of srvpro (duel-server.md 1): what to ask, and what the answers mean. No socket here.

srvpro2 has the same two calls (getrooms, message) with other edges: a room in BEGIN answers "room not found"
to death, a lead that arises during death ends the match at once, and room ids are internal.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, Required, TypeAlias, TypedDict
from urllib.parse import quote

import msgspec

from srvpro_bridge.errors import NotSrvpro, WrongPassword
from srvpro_bridge.reading import decode, without_lone_surrogates

MAX_ROOMS_BYTES: Final = 8 * 1024 * 1024
"""150 rooms are 47 kB (duel-server.md 1)."""
MAX_ANSWER_BYTES: Final = 64 * 1024
SPECTATOR: Final = 7
"""The position of a spectator; players have 0 and 1."""
WRONG_PASSWORD: Final = "密码错误"  # noqa: S105  the words, not a password
"""What the server says instead of an answer."""

Verb: TypeAlias = Literal["death", "deathcancel", "kick", "shout"]
"""``shout`` speaks to all rooms; the others act on one."""
_OK: Final[dict[str, Verb]] = {
    "death ok": "death",
    "death cancel ok": "deathcancel",
    "kick ok": "kick",
    "shout ok": "shout",
}
"""Answers to the four verbs that say yes."""
_STAGE: Final = re.compile(
    r"Duel:(?P<duel>[0-9]{1,6}) "
    r"(?:Siding|Turn:(?P<turn>[0-9]{1,6})(?:/(?:(?P<last>[0-9]{1,6})|(?P<sudden>Death)))?)",
    re.ASCII,
)
_ANSWER: Final = re.compile(r"\['([^']*)', (?:'(.*)'|0)\]", re.DOTALL)


class Stage(StrEnum):
    """Where a room stands, as far as ``istart`` tells."""

    BEGIN = "begin"
    COIN = "coin"
    """``Turn:0``: rock-paper-scissors, the choice who goes first, or a game that begins or ends just now."""
    DUELING = "dueling"
    SIDING = "siding"
    STARTED = "started"
    """Somewhere after the start: the server hides the rest (``http.show_info`` is off)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSight:
    """One person in a room. A dropped player stays listed during his reconnect time."""

    name: str
    """Without the ``$key`` that he may have typed."""
    pos: int | None
    """0, 1, or 7 for a spectator; ``None``: not seated yet."""
    score: int | None = None
    """Games won, or a mark: -1, -9, 99; ``None`` before the start and for spectators."""
    lp: int | None = None
    """Kept from the last game while siding."""
    cards: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSight:
    """One room as getrooms shows it."""

    roomid: str
    """Process id of the room: it names this instance of the room and no other that runs now."""
    name: str
    mode: int
    """0 single, 1 match, 2 tag."""
    stage: Stage
    duel: int = 0
    """Number of the game that runs or ran last, in COIN too; 0 before the first."""
    turn: int = 0
    death: Literal["off", "on", "sudden"] = "off"
    """``off`` also where the server does not show it: while siding, always."""
    last_turn: int | None = None
    """With ``on``: the last turn before life points are compared."""
    people: tuple[PlayerSight, ...] = ()

    @property
    def waiting(self) -> bool:
        """Whether the match has not begun: death does nothing here and is not remembered."""
        return self.stage is Stage.BEGIN

    @property
    def players(self) -> tuple[PlayerSight, ...]:
        """Those who sit at positions 0 and 1, in that order."""
        seated = [person for person in self.people if person.pos is not None and person.pos != SPECTATOR]
        return tuple(sorted(seated, key=lambda person: person.pos or 0))

    @property
    def address(self) -> str:
        """What to put into an order so that it reaches this room and no other.

        Its name; the id where the name means something else to the server (``all``, or another room's id).
        """
        return self.roomid if self.name == "all" or self.name.isdigit() else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account of srvpro's admin_user.json."""

    user: str
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The server says ok. To ``death`` it always does: the truth is in ``istart`` (duel-server.md 0-1)."""

    verb: Verb
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomNotFound:
    """No such room; to ``deathcancel`` also: no death on."""

    target: str


def rooms_path(account: Account) -> str:
    """Return path and query of getrooms."""
    return f"/api/getrooms?{_login(account)}"


def order_path(account: Account, verb: Verb, what: str) -> str:
    """Return path and query of an order; *what* is a room's ``address``, or the text of a shout."""
    return f"/api/message?{_login(account)}&{verb}={quote(what, safe='')}"


def parse_rooms(body: bytes) -> tuple[RoomSight, ...]:
    """Read an answer to getrooms. Raises WrongPassword or NotSrvpro."""
    said = decode(without_lone_surrogates(body), _Rooms, limit=MAX_ROOMS_BYTES, refuse=NotSrvpro)
    if len(said.rooms) == 1 and said.rooms[0].roomid == "0" and said.rooms[0].roomname == WRONG_PASSWORD:
        raise _refused()
    return tuple(_room(room) for room in said.rooms)


def parse_answer(body: bytes) -> Done | RoomNotFound:
    """Read an answer to an order: no JSON, nothing escaped. Raises WrongPassword or NotSrvpro."""
    found = _ANSWER.fullmatch(body[:MAX_ANSWER_BYTES].decode("utf-8", "replace"))
    said, target = (found[1], found[2] or "") if found else ("", "")
    if said == WRONG_PASSWORD:
        raise _refused()
    if said == "room not found":
        return RoomNotFound(target=target)
    if said not in _OK:
        raise NotSrvpro("strange_answer", f"this is no answer of srvpro to an order: {body[:40]!r}")
    return Done(verb=_OK[said], target=target)


class _Stage(TypedDict, total=False):
    stage: Required[Stage]
    duel: int
    turn: int
    death: Literal["off", "on", "sudden"]
    last_turn: int | None


class _Status(msgspec.Struct, frozen=True):
    score: int | None = None
    lp: int | None = None
    cards: int | None = None


class _User(msgspec.Struct, frozen=True):
    name: str
    status: _Status | None = None
    pos: int | None = None


class _Room(msgspec.Struct, frozen=True):
    roomid: str
    roomname: str
    roommode: int = 0
    users: list[_User] = []
    istart: str = ""


class _Rooms(msgspec.Struct, frozen=True):
    rooms: list[_Room]


def _login(account: Account) -> str:
    return f"username={quote(account.user, safe='')}&pass={quote(account.password, safe='')}"


def _refused() -> WrongPassword:
    return WrongPassword(
        "wrong_password",
        "the duel server refuses the account: see config/admin_user.json (enabled, password, permissions)",
    )


def _room(room: _Room) -> RoomSight:
    people = tuple(_person(user) for user in room.users)
    stage = _stage(room.istart)
    return RoomSight(roomid=room.roomid, name=room.roomname, mode=room.roommode, people=people, **stage)


def _person(user: _User) -> PlayerSight:
    status = user.status or _Status()
    return PlayerSight(name=user.name, pos=user.pos, score=status.score, lp=status.lp, cards=status.cards)


def _stage(istart: str) -> _Stage:
    found = _STAGE.fullmatch(istart)
    if found is None:
        return {"stage": Stage.BEGIN if istart == "wait" else Stage.STARTED}
    duel = int(found["duel"])
    if found["turn"] is None:
        return {"stage": Stage.SIDING, "duel": duel}
    last = None if found["last"] is None else int(found["last"])
    return {
        "stage": Stage.DUELING if int(found["turn"]) else Stage.COIN,
        "duel": duel,
        "turn": int(found["turn"]),
        "death": "sudden" if found["sudden"] else "off" if last is None else "on",
        "last_turn": last,
    }
