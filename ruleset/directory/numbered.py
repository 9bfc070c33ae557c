"""Rows numbered from 1 up, never changed: a sequence with one more or one other row shares the rest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_WIDTH: Final = 256


@dataclass(frozen=True, slots=True)
class Numbered(Generic[T]):
    """A sequence for hundreds of thousands of rows: a change copies one page and the list of pages."""

    pages: tuple[tuple[T, ...], ...] = ()
    """All full but the last."""

    def __len__(self) -> int:
        return (len(self.pages) - 1) * _WIDTH + len(self.pages[-1]) if self.pages else 0

    def __iter__(self) -> Iterator[T]:
        for page in self.pages:
            yield from page

    def get(self, number: int) -> T | None:
        """Return the row with that number, where there is one."""
        return self.row(number) if 1 <= number <= len(self) else None

    def row(self, number: int) -> T:
        """Return the row with that number, which must be there."""
        page, place = divmod(number - 1, _WIDTH)
        return self.pages[page][place]

    def plus(self, row: T) -> "Numbered[T]":
        """Return a sequence with *row* behind the last."""
        if len(self) % _WIDTH == 0:
            return Numbered((*self.pages, (row,)))
        return Numbered((*self.pages[:-1], (*self.pages[-1], row)))

    def put(self, number: int, row: T) -> "Numbered[T]":
        """Return a sequence with *row* in the place of the one with that number, which must be there."""
        index, place = divmod(number - 1, _WIDTH)
        page = self.pages[index]
        changed = (*page[:place], row, *page[place + 1 :])
        return Numbered((*self.pages[:index], changed, *self.pages[index + 1 :]))
