"""relayctl deck: handed in, judged, compared, written out, counted."""

from pathlib import Path
from typing import Any, Literal

import click

from relayd.cli.desk import Desk
from relayd.cli.draw import decks as draw
from relayd.cli.files import text_of
from relayd.cli.groups import Group, file_argument, pass_desk, player_argument, tournament_argument
from relayd.exits import Exit


@click.group(cls=Group)
def deck() -> None:
    """Decks of a tournament.

    \b
    Examples:
      relayctl deck submit 12 P000123 deck.ydk
      relayctl deck check 12 deck.ydk
      relayctl deck revoke 12 P000123 --why "card sleeves"
      relayctl deck diff 12 P000123 played.ydk
      relayctl deck show 12 P000123 --as ydke
      relayctl deck export 12 ~/srvpro/decks
      relayctl deck stats 12 --csv > cards.csv
    """  # noqa: D301  click keeps the lines behind \b


@deck.command()
@tournament_argument
@player_argument
@file_argument
@pass_desk
def submit(desk: Desk, tournament: int, player: str, file: Path) -> None:
    """Hand a deck in: ydk, ydke, link or deck buffer; - reads standard input."""
    text = text_of(desk, file)
    desk.say_done(desk.change("deck.submit", tournament=tournament, player=player, deck=text))


@deck.command()
@tournament_argument
@file_argument
@pass_desk
def check(desk: Desk, tournament: int, file: Path) -> None:
    """Judge a deck by the tournament's environment; nothing is written."""
    view = desk.ask("deck.check", tournament=tournament, deck=text_of(desk, file))
    desk.show(view, lambda view: draw.verdict(view, desk.language))
    if view["status"] != "legal":
        raise SystemExit(Exit.REFUSED)


@deck.command()
@tournament_argument
@player_argument
@pass_desk
def approve(desk: Desk, tournament: int, player: str) -> None:
    """Let a deck pass that waits for a look."""
    desk.say_done(desk.change("deck.approve", tournament=tournament, player=player))


@deck.command()
@tournament_argument
@player_argument
@click.option("--why", default="", help="The player reads it.")
@pass_desk
def revoke(desk: Desk, tournament: int, player: str, why: str) -> None:
    """Refuse a deck; the sign-in goes with it."""
    desk.say_done(desk.change("deck.revoke", tournament=tournament, player=player, why=why))


@deck.command()
@tournament_argument
@player_argument
@click.option("--as", "form", type=click.Choice(["ydk", "ydke", "link", "deckbuf"]), help="Print just that.")
@pass_desk
def show(desk: Desk, tournament: int, player: str, form: str | None) -> None:
    """Show a player's deck."""
    view = desk.ask("deck.show", tournament=tournament, player=player, form=form)
    if form is None or desk.as_json:
        desk.show(view, draw.deck)
    else:
        click.echo(view["text"].removesuffix("\n"))


@deck.command()
@tournament_argument
@player_argument
@file_argument
@pass_desk
def diff(desk: Desk, tournament: int, player: str, file: Path) -> None:
    """Say what a deck has more and less than the one that is in; exit code 1 if they differ."""
    asked = {"player": player, "deck": text_of(desk, file), "language": desk.language}
    view = desk.ask("deck.diff", tournament=tournament, **asked)
    desk.show(view, draw.compared)
    if not view["same"]:
        raise SystemExit(Exit.REFUSED)


@deck.command()
@tournament_argument
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@pass_desk
def export(desk: Desk, tournament: int, folder: Path) -> None:
    """Write every deck into FOLDER as P000123+Nick.ydk, for a duel server in tournament mode.

    Decks of that kind of name that are no longer in are removed there; all other files stay.
    """
    decks = desk.ask("deck.export", tournament=tournament)["decks"]
    if not decks:
        desk.fail("no deck has passed: in an empty folder a duel server would check none", Exit.REFUSED)
    _write(desk, folder, {each["file"]: each["text"] for each in decks})
    desk.show({"folder": str(folder), "decks": len(decks)}, lambda _: f"{len(decks)} decks in {folder}")


@deck.command()
@tournament_argument
@click.option(
    "--csv",
    "table",
    is_flag=False,
    flag_value="cards",
    type=click.Choice(["cards", "archetypes"]),
    help="Print one table as CSV; cards, unless said otherwise.",
)
@pass_desk
def stats(desk: Desk, tournament: int, table: Literal["cards", "archetypes"] | None) -> None:
    """Count which cards and archetypes were played, after the end."""
    found = desk.ask("deck.stats", tournament=tournament)
    if table is None or desk.as_json:
        desk.show(found, draw.usage)
    else:
        click.echo(_csv(found, table), nl=False)


@deck.command()
@pass_desk
def environments(desk: Desk) -> None:
    """List what tournaments may be published with, and what is missing where one is not available."""
    desk.show(desk.ask("environment.list"), draw.environments)


def _write(desk: Desk, folder: Path, texts: dict[str, str]) -> None:
    from deckcheck.export import write_decks  # noqa: PLC0415  slow to load, and seldom needed
    from deckcheck.frozen import thaw_deck  # noqa: PLC0415

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_decks(folder, {name: thaw_deck(text) for name, text in texts.items()})
    except OSError as error:
        desk.fail(f"{folder}: cannot be written: {error.strerror or error}", Exit.UNREADABLE)


def _csv(found: Any, table: Literal["cards", "archetypes"]) -> str:  # noqa: ANN401  what a method returns
    from deckcheck.usage import ArchetypeUse, CardUse, as_csv  # noqa: PLC0415  slow to load

    if table == "cards":
        return as_csv([CardUse(**row) for row in found["cards"]])
    return as_csv([ArchetypeUse(**row) for row in found["archetypes"]])
