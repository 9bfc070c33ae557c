"""What one duel server is answered at the Challonge face: its virtual tournament (duel-server.md 3)."""

from collections.abc import Iterator
from functools import lru_cache

from deckcheck.wire import write_deckbuf_text
from relayd.bridge.tables import Field, RunningTables
from relayd.decklists import deck_of
from ruleset.ids import PlayerId, ServerId, player_label
from ruleset.tournament.decks import DeckList
from srvpro_bridge.challonge import OpenMatch, Participant, render
from srvpro_bridge.matching import Candidate
from srvpro_bridge.names import Entrant, participant_names


class Roster:
    """Participants and open matches of every running tournament on one duel server."""

    def __init__(self, server: ServerId, tables: RunningTables) -> None:
        self._server, self._tables = server, tables
        self._fields: tuple[Field, ...] = ()
        self._body = render((), ())

    def body(self) -> bytes:
        """Return the answer to GET tournament; made anew only after a change."""
        fields = tuple(field for field in self._tables.fields() if self._uses(field))
        if fields != self._fields:
            self._body = render(tuple(self._participants(fields)), tuple(self._matches(fields)))
            self._fields = fields
        return self._body

    def _uses(self, field: Field) -> bool:
        return any(use.id == self._server for use in field.state.settings.servers)

    def _matches(self, fields: tuple[Field, ...]) -> Iterator[OpenMatch]:
        return (match_of(table) for field in fields for table in self._open(field))

    def _participants(self, fields: tuple[Field, ...]) -> Iterator[Participant]:
        """Yield everybody who entered; whose table waits brings his deck, nobody else can sit down."""
        people = self._people(fields)
        names = participant_names(entrant for entrant, _ in people.values())
        for number, (entrant, deck) in people.items():
            deckbuf = None if deck is None else _deckbuf(deck)
            yield Participant(id=participant_id(entrant), name=names[number], deckbuf=deckbuf)

    def _people(self, fields: tuple[Field, ...]) -> dict[PlayerId, tuple[Entrant, DeckList | None]]:
        """Return everybody once: as he is where his table waits, which only one tournament has (R057)."""
        people: dict[PlayerId, tuple[Entrant, DeckList | None]] = {}
        for field in fields:
            sitting = {entrant.number for table in self._open(field) for entrant in (table.a, table.b)}
            for entrant in field.entrants:
                if entrant.number in sitting:
                    people[entrant.number] = entrant, field.state.players[entrant.number].deck
                else:
                    people.setdefault(entrant.number, (entrant, None))
        return people

    def _open(self, field: Field) -> Iterator[Candidate]:
        return (table for table in field.candidates if table.open and table.server == self._server)


def match_of(table: Candidate) -> OpenMatch:
    """Return *table* as a match of Challonge: player 1 has seat A."""
    one, two = participant_id(table.a), participant_id(table.b)
    return OpenMatch(id=str(table.code), player1_id=one, player2_id=two)


def participant_id(entrant: Entrant) -> str:
    """Return the id of a player at the face; the same for ever."""
    return player_label(entrant.number)


@lru_cache(maxsize=8_192)
def _deckbuf(deck: DeckList) -> str:
    return write_deckbuf_text(deck_of(deck))
