"""The streams of the log and their rules: ``t12`` is tournament 12, ``directory`` is there once."""

import re
from typing import Any, Final, TypeAlias

from relayd.desk import Reducer
from relayd.storage import kinds
from ruleset.directory import commands as dc
from ruleset.directory import events as de
from ruleset.directory import state as ds
from ruleset.directory.decide import decide as decide_directory
from ruleset.ids import TournamentNo
from ruleset.tournament import commands as tc
from ruleset.tournament import events as te
from ruleset.tournament import state as ts
from ruleset.tournament.decide import decide as decide_tournament
from ruleset.tournament.evolve import evolve as evolve_tournament
from ruleset.tournament.evolving.draft import Draft

OfTournament: TypeAlias = Reducer[ts.Tournament, tc.Command, te.Event]
OfDirectory: TypeAlias = Reducer[ds.Directory, dc.Command, de.Event]

TOURNAMENT: Final[OfTournament] = Reducer(
    empty=ts.EMPTY,
    decide=decide_tournament,
    evolve=evolve_tournament,
    codec=kinds.TOURNAMENT,
    draft=Draft,
)
DIRECTORY: Final[OfDirectory] = Reducer(
    empty=ds.EMPTY, decide=decide_directory, evolve=ds.evolve, codec=kinds.DIRECTORY
)
DIRECTORY_STREAM: Final = "directory"

_TOURNAMENT_STREAM: Final = re.compile(r"t([1-9][0-9]*)")


def stream_of(number: TournamentNo) -> str:
    """Return the stream of a tournament."""
    return f"t{number}"


def number_of(stream: str) -> TournamentNo | None:
    """Return the tournament of a stream; ``None``: it is not one of a tournament."""
    found = _TOURNAMENT_STREAM.fullmatch(stream)
    return None if found is None else TournamentNo(int(found.group(1)))


def reducer_of(stream: str) -> Reducer[Any, Any, Any] | None:
    """Return the rules of a stream; ``None``: this program knows no such stream."""
    if stream == DIRECTORY_STREAM:
        return DIRECTORY
    return None if number_of(stream) is None else TOURNAMENT
