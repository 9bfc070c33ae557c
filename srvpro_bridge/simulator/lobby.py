"""Where somebody gets who connects (duel-server.md 3 and 6). Reconnects are looked at before the password."""

from collections.abc import Callable
from itertools import count
from typing import Final

from srvpro_bridge.simulator.clients import LOCAL, Client, Registered
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.linking import Challonge, NoRoster, OpenMatch, Roster
from srvpro_bridge.simulator.nicks import Nick, read_nick
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.plugin.plugin import Plugin
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Refused, Seat

FIRST_ID: Final = 17956
MOST_CONNECTIONS: Final = 5
"""Of one address that is not this machine (duel-server.md 0-8)."""


class Lobby:
    """The rooms and the connections of a duel server."""

    def __init__(self, config: ServerConfig, open_room: Callable[[int, str], Room]) -> None:
        self.config = config
        self.challonge: Challonge | None = None
        self.plugin: Plugin | None = None
        self.rooms: dict[str, Room] = {}
        """By their full names, in the order of opening."""
        self.matches: dict[Room, OpenMatch] = {}
        """What the rooms that Challonge named report to."""
        self.seats: dict[Room, list[Seat]] = {}
        """The connections to each room."""
        self.stopped: str | None = None
        """Said to everybody who joins anew."""
        self._open_room = open_room
        self._ids = count(FIRST_ID)

    async def join(self, typed: str, password: str, ip: str) -> Seat:
        """Connect somebody. Raises Refused."""
        seat = self.returning(typed, password, ip)
        if seat is not None:
            return seat
        nick = read_nick(typed)
        if self.stopped is not None:
            raise Refused(self.stopped)
        if self.challonge is not None:
            return await self._join_by_name(self.challonge, nick, password.strip(), ip)
        if self.plugin is not None:
            password = await self.plugin.lead(nick.name, password.strip())
            self._clear_seat(password, nick)
        return self._join_by_password(nick, password.strip(), ip)

    def returning(self, typed: str, password: str, ip: str) -> Seat | None:
        """Connect somebody who has a seat already; ``None``: he has none. Raises Refused."""
        nick = read_nick(typed)
        self._guard(nick, ip)
        room = self._room_to_return_to(nick, password, ip)
        return None if room is None else self._ask_for_deck(room, nick)

    def throw_out(self, room: Room, client: Client, text: str) -> None:
        """Close somebody's connection, and take him out of the room."""
        for seat in list(self.seats.get(room, ())):
            if seat.client is client:
                self.seats[room].remove(seat)
                seat.shut(text)
        room.expel(client)

    def forget(self, room: Room) -> None:
        """Drop a room that is gone, and the connections to it."""
        self.rooms.pop(room.name, None)
        self.matches.pop(room, None)
        self.seats.pop(room, None)

    def displace(self, room: Room, client: Client) -> None:
        """Close the old connection of a player who has come in from another device."""
        for seat in list(self.seats.get(room, ())):
            if seat.client is client and not seat.returning:
                self.seats[room].remove(seat)
                seat.shut("You are kicked out because you're logged in on other devices.")

    def _guard(self, nick: Nick, ip: str) -> None:
        if not nick.name:
            raise Refused("Please enter the correct ID")
        connected = sum(seat.client.ip == ip for seats in self.seats.values() for seat in seats)
        if self.config.connect_limit and ip != LOCAL and connected >= MOST_CONNECTIONS:
            raise Refused("Too many clients running at the moment!")

    # Coming back

    def _room_to_return_to(self, nick: Nick, password: str, ip: str) -> Room | None:
        """Return the room where he was dropped, or where he sits on another device."""
        for room in self.rooms.values():
            for player in room.people.players if room.stage is not Stage.BEGIN else ():
                if player.key == nick.key and self._may_return(room, player, password, ip):
                    return room
        return None

    def _may_return(self, room: Room, player: Client, password: str, ip: str) -> bool:
        """Away: the nickname is enough on this machine, with Challonge, tournament mode or a ``$key``."""
        linked, same_ip = self.challonge is not None, player.ip == ip
        if player.away:
            by_nick = linked or self.config.tournament_mode or player.nick.vpass is not None
            return by_nick or same_ip or ip == LOCAL
        right_room = linked or password.strip() == room.name
        return right_room and (self.config.tournament_mode or same_ip)

    def _ask_for_deck(self, room: Room, nick: Nick) -> Seat:
        client = next(player for player in room.people.players if player.key == nick.key)
        seat = self._seat(room, client, returning=True)
        text = "You will be reconnected to your previous game. Please pick your previous deck."
        seat.heard.append(text)
        return seat

    # By name

    async def _join_by_name(self, challonge: Challonge, nick: Nick, password: str, ip: str) -> Seat:
        running = self.rooms.get(password)
        if running is not None and running.stage is not Stage.BEGIN:
            return self._enter(running, Client(nick=nick, ip=ip))
        participant, match = _find(await self._roster(challonge), nick)
        name = match.id if challonge.link.no_match_mode else f"M#{match.id}"
        room = self.rooms.get(name)
        if room is not None and room.stage is Stage.BEGIN and _waits(participant, room):
            raise Refused(_LOADING, "Please do not enter the room you are already in.")
        seat = self._enter(room or self._open(name), Client(nick=nick, ip=ip, registered=participant))
        self.matches[seat.room] = match
        seat.heard[:0] = [_LOADING, _SEATED]
        return seat

    async def _roster(self, challonge: Challonge) -> Roster:
        try:
            return await challonge.roster()
        except NoRoster as error:
            raise Refused(_LOADING, "Failed loading tournament info.") from error

    def _clear_seat(self, room_name: str, nick: Nick) -> None:
        """Whoever waits there under that name goes, or both would sit down (duel-server.md 10.a)."""
        room = self.rooms.get(room_name)
        if room is not None and room.stage is Stage.BEGIN:
            for player in [player for player in room.people.players if player.key == nick.key]:
                self.throw_out(room, player, "You have come again.")

    # By password

    def _join_by_password(self, nick: Nick, password: str, ip: str) -> Seat:
        if not password:
            raise Refused("Blank room name is unallowed, please fill in something.")
        title, private, _ = password.partition("$")
        room = self.rooms.get(password)
        if room is None and private and any(name.startswith(f"{title}$") for name in self.rooms):
            raise Refused("Password incorrect")
        return self._enter(room or self._open(password), Client(nick=nick, ip=ip))

    def _open(self, name: str) -> Room:
        room = self._open_room(next(self._ids), name)
        self.rooms[name] = room
        return room

    def _enter(self, room: Room, client: Client) -> Seat:
        begun = room.stage is not Stage.BEGIN
        if begun and (room.options.no_watch or not self.config.halfway_watch):
            raise Refused("Duel has begun, spectating is unallowed")
        if room.options.no_watch and len(room.people.players) == 2:
            raise Refused("Spectating is unallowed in this room")
        seat = self._seat(room, client)
        room.enter(client)
        return seat

    def _seat(self, room: Room, client: Client, *, returning: bool = False) -> Seat:
        seat = Seat(room, client, returning=returning, leave=self._leave)
        self.seats.setdefault(room, []).append(seat)
        return seat

    def _leave(self, seat: Seat) -> None:
        self.seats[seat.room].remove(seat)
        if not seat.returning:
            seat.room.drop(seat.client)


def _find(roster: Roster, nick: Nick) -> tuple[Registered, OpenMatch]:
    participant = roster.participant(nick.name)
    if participant is None:
        raise Refused(_LOADING, "You are not a participant of the tournament.")
    match = roster.match_of(participant)
    if match is None:
        raise Refused(_LOADING, "Your current match was not found.")
    return participant, match


def _waits(participant: Registered, room: Room) -> bool:
    """Say whether he sits there already, perhaps under the other half of his name."""
    sitting = [player.registered for player in room.people.players]
    return any(other is not None and other.id == participant.id for other in sitting)


_LOADING: Final = "Loading user info..."
_SEATED: Final = "A room for match only is created. Your opponent will join in automatically."
