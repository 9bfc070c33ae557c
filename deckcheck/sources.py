"""The operator's files, which change whenever he updates his duel server."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from deckcheck.cards import Card, read_cards
from deckcheck.environments import Environment, Rule, current, whitelist
from deckcheck.errors import SourceBroken
from deckcheck.lflist import LfList, read_lflist

T = TypeVar("T")
Signature: TypeAlias = tuple[tuple[str, int, int], ...]
"""Path, time of the last change and size of each file."""


def load_ocg(
    lflist_path: Path, cdb_paths: Iterable[Path], *, allow_prerelease: bool = True, ocg_rule: Rule = "ocg"
) -> Environment:
    """Return the environment of the first list of a file. Raises SourceBroken with what is missing (D44)."""
    cards = load_cards(cdb_paths)
    return current(load_lists(lflist_path)[0], cards, allow_prerelease=allow_prerelease, rule=ocg_rule)


def load_own(path: Path, cdb_paths: Iterable[Path], *, key: str | None = None) -> Environment:
    """Return the environment of a host's own file, called *key* or as the file: its first ``$whitelist``.

    Raises SourceBroken if there is none, or a card database is named that cannot be read.
    """
    paths = tuple(cdb_paths)
    own_list = next((each for each in load_lists(path) if each.whitelist), None)
    if own_list is None:
        raise SourceBroken("no_whitelist", f"{path} has no list with $whitelist", path=str(path))
    return whitelist(key or path.stem, own_list, load_cards(paths) if paths else None)


def load_cards(paths: Iterable[Path]) -> Mapping[int, Card]:
    """Return all cards of the files, of which there must be one. Raises SourceBroken."""
    files = tuple(paths)
    if not files:
        raise SourceBroken("cards_missing", "no card database (cards.cdb) is named")
    return read_cards(files)


def load_lists(path: Path) -> tuple[LfList, ...]:
    """Return the lists of a file, of which there is at least one. Raises SourceBroken."""
    try:
        lists = read_lflist(path.read_bytes())
    except OSError as error:
        message = f"the list file {path} cannot be read: {error.strerror or error}"
        raise SourceBroken("list_missing", message, path=str(path)) from error
    if not lists:
        raise SourceBroken("list_empty", f"{path} has no list: no line begins with !", path=str(path))
    return lists


class Reloading(Generic[T]):
    """Something made of files, made again when one of them has changed (for new tournaments only, D45)."""

    def __init__(self, files: Iterable[Path], load: Callable[[], T]) -> None:
        self._files, self._load = tuple(files), load
        self._made: tuple[Signature, T] | None = None

    def present(self) -> T:
        """Return what the files make as they are now. Raises SourceBroken, as *load* does."""
        signature = _signature(self._files)
        if self._made is None or self._made[0] != signature:
            self._made = signature, self._load()
        return self._made[1]


def _signature(files: Iterable[Path]) -> Signature:
    return tuple(signed for path in files if (signed := _signed(path)) is not None)


def _signed(path: Path) -> tuple[str, int, int] | None:
    try:
        stat = path.stat()
    except OSError:  # whoever reads it says why not
        return None
    return str(path), stat.st_mtime_ns, stat.st_size
