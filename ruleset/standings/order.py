"""How an ordered list of criteria puts players into groups of equals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import groupby, takewhile
from typing import TypeAlias, cast

from ruleset.ids import PlayerId
from ruleset.standings.criterion import Criterion, Group
from ruleset.standings.field import Field, Key, Number

Compared: TypeAlias = MutableMapping[PlayerId, tuple[tuple[PlayerId, ...], Key]]
"""For a criterion that compares equals: with whom a player was compared, himself included, and his value."""


def arranged(
    field: Field,
    players: Iterable[PlayerId],
    criteria: Sequence[Criterion],
    compared: Mapping[str, Compared],
) -> Iterator[list[PlayerId]]:
    """Yield groups of players who are equal on all *criteria*, best first; note in *compared* who was."""
    plain = [*takewhile(lambda criterion: criterion.group is None, criteria)]
    for equals in _runs(players, lambda player: sort_key(field, player, plain)):
        if len(equals) == 1 or len(plain) == len(criteria):
            yield equals
        else:
            yield from _compare(field, equals, criteria[len(plain) :], compared)


def sort_key(field: Field, player: PlayerId, criteria: Iterable[Criterion]) -> tuple[Key, ...]:
    """Return what sorts a player, the highest first, by criteria that compare no groups."""
    record = field.records[player]
    return tuple([_upward(criterion, criterion.value(field, record)) for criterion in criteria])


def _upward(criterion: Criterion, value: Key) -> Key:
    return -cast("Number", value) if criterion.lower_first else value


def _compare(
    field: Field, equals: list[PlayerId], criteria: Sequence[Criterion], compared: Mapping[str, Compared]
) -> Iterator[list[PlayerId]]:
    criterion, rest = criteria[0], criteria[1:]
    values = cast("Group", criterion.group)(field, equals)
    compared[criterion.key].update({player: (tuple(equals), value) for player, value in values.items()})
    for still_equal in _runs(equals, values.__getitem__):
        yield from arranged(field, still_equal, rest, compared)


def _runs(
    players: Iterable[PlayerId], key: Callable[[PlayerId], Key | tuple[Key, ...]]
) -> Iterator[list[PlayerId]]:
    keys = {player: key(player) for player in players}
    ordered = sorted(keys, key=keys.__getitem__, reverse=True)
    return (list(run) for _, run in groupby(ordered, keys.__getitem__))
