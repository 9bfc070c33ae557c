"""Decks: verdicts, differences, statistics, and what decks are judged by."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType

from relayd.cli.draw.base import View, cell, grid, named
from relayd.sentences import Language

_USES = 30
"""Cards and archetypes of a table; data have all."""


def deck(view: View) -> RenderableType:
    """Show a deck."""
    sections = [
        f"{name} ({len(view[name])}): {', '.join(_cards(view[name], view['names']))}"
        for name in ("main", "extra", "side")
    ]
    head = f"{named(view)}: {view['status']}"
    return Group(*(cell(line) for line in (head, *sections, *view["remarks"])))


def _cards(codes: Sequence[int], names: View) -> Iterator[str]:
    for code, count in Counter(codes).items():
        name = names.get(str(code))
        yield f"{count} × {code:08d}" if not name else f"{count} × {name} ({code:08d})"


def verdict(view: View, language: Language) -> RenderableType:
    """Show a verdict on a deck."""
    noted = [
        f"{title}: {card['count']} × {card['code']:08d} {card['name']}".rstrip()
        for title, cards in (("unknown", view["review"]), ("pre-release", view["prerelease"]))
        for card in cards
    ]
    return Group(*(cell(line) for line in (view["status"], *sentences_of(view, language), *noted)))


def sentences_of(view: View, language: Language) -> Sequence[str]:
    """Return what is wrong with a deck in the caller's language; the daemon speaks English."""
    from deckcheck.check import Verdict  # noqa: PLC0415  slow to load, and seldom needed
    from deckcheck.deck import Deck  # noqa: PLC0415
    from deckcheck.violations import Violation  # noqa: PLC0415

    violations = tuple(map(Violation.from_data, view["violations"]))
    return Verdict(deck=Deck(), violations=violations).sentences(language)


def compared(view: View) -> RenderableType:
    """Show how a deck differs from the one that is in."""
    if view["same"]:
        return cell(f"{named(view)}: no difference")
    sided = " (the same cards, as after siding)" if view["same_cards"] else ""
    return cell(f"{named(view)}{sided}: {view['difference']}")


def environments(rows: Sequence[View]) -> RenderableType:
    """List what tournaments may be published with."""
    return grid(
        "Environments",
        ("Environment", "List", "Hash", "Not available"),
        ((row["environment"], row["list_name"], row["list_hash"], row["why"] or "") for row in rows),
    )


def usage(view: View) -> RenderableType:
    """Show what was played most."""
    cards = ((f"{u['code']:08d}", *_values(u)) for u in view["cards"][:_USES])
    archetypes = ((f"0x{u['setcode']:x}", *_values(u)) for u in view["archetypes"][:_USES])
    return Group(
        grid(
            f"Cards of {view['decks']} decks", ("Card", "Name", "Decks>", "Main>", "Extra>", "Side>"), cards
        ),
        grid("Archetypes", ("Setcode", "Name", "Decks>", "Copies>"), archetypes),
    )


def _values(use: View) -> list[Any]:
    return [value for name, value in use.items() if name not in {"code", "setcode"}]
