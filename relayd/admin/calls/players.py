"""Player numbers and nicknames, across tournaments (R004, decisions 2 and 3)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import Change, Params, PlayerNumber
from relayd.admin.parts import Call, Rows, Shown
from relayd.admin.roles import Role
from ruleset.ids import PlayerId, player_label

METHODS: Final = Methods()
Nickname = Annotated[str, Field(max_length=200)]


class Register(Change):
    """A new player."""

    nickname: Nickname


class Rename(Change):
    """Another nickname."""

    player: PlayerNumber
    nickname: Nickname


class DropPicture(Change):
    """Whose picture."""

    player: PlayerNumber


class Show(Params):
    """One player."""

    player: PlayerNumber


class Find(Params):
    """Part of the players."""

    after: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200
    text: Nickname = ""
    """Only those whose nickname holds it, in any case."""


@METHODS.add("player.register", Role.COHOST)
async def register(call: Call, params: Register) -> Shown:
    """Give a new player number."""
    players = call.parts.players
    number = await players.register(params.nickname, by=call.peer.name, command_id=call.command_id)
    return _shown(number, players.nickname(number))


@METHODS.add("player.rename", Role.COHOST, own=True)
async def rename(call: Call, params: Rename) -> Shown:
    """Change a nickname; tournaments keep the one from entry."""
    player = params.player
    await call.parts.players.rename(player, params.nickname, by=call.peer.name)
    return _shown(player, call.parts.players.nickname(player))


@METHODS.add("player.drop_picture", Role.OPERATOR)
async def drop_picture(call: Call, params: DropPicture) -> Shown:
    """Take a player's picture off the pages; he may upload another."""
    shown = _shown(params.player, call.parts.players.nickname(params.player))
    await call.parts.drop_avatar(params.player)
    return shown


@METHODS.add("player.show", Role.VIEWER)
async def show(call: Call, params: Show) -> Shown:
    """Show who a player number is."""
    player = params.player
    return _shown(player, call.parts.players.nickname(player))


@METHODS.add("player.list", Role.VIEWER)
async def find(call: Call, params: Find) -> Rows:
    """List players by number, from the one behind *after* on."""
    wanted, found = params.text.casefold(), list[object]()
    for number, nickname in call.parts.roster():
        if number > params.after and wanted in nickname.casefold():
            found.append(_shown(number, nickname))
        if len(found) == params.limit:
            break
    return found


def _shown(player: PlayerId, nickname: str) -> dict[str, object]:
    return {"player": player, "label": player_label(player), "nickname": nickname}
