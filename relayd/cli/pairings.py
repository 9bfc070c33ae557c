"""relayctl round, pair: the host's hand on pairings, and why they are as they are."""

import click

from relayd.cli.desk import Desk
from relayd.cli.draw import pairings as draw
from relayd.cli.groups import Group, one_player, pass_desk, tournament_argument
from relayd.exits import Exit
from ruleset.ids import PLAYOFF


@click.group("round", cls=Group)
def round_() -> None:
    """The pairing of a round: why it is so, and what you change before anybody plays in it.

    \b
    Examples:
      relayctl round why 12 3
      relayctl round swap 12 P000123 P000124
      relayctl round pair-again 12
    """  # noqa: D301  click keeps the lines behind \b


@round_.command()
@tournament_argument
@click.argument("number", type=click.IntRange(1), required=False)
@pass_desk
def why(desk: Desk, tournament: int, number: int | None) -> None:
    """Say why a Swiss round is paired as it is; the present one, unless said otherwise."""
    if number is None:
        number = _present(desk, tournament)
    view = desk.ask("round.why", tournament=tournament, round=number)
    desk.show(view, lambda view: draw.why(view, number))


@round_.command("pair-again")
@tournament_argument
@pass_desk
def pair_again(desk: Desk, tournament: int) -> None:
    """Pair the present round anew, before anybody plays in it."""
    desk.say_done(desk.change("round.pair_again", tournament=tournament))


@round_.command()
@tournament_argument
@one_player("one")
@one_player("other")
@click.option("--yes", is_flag=True, help="Also where the rules speak against it.")
@pass_desk
def swap(desk: Desk, tournament: int, one: str, other: str, *, yes: bool) -> None:
    """Let two players change seats, before anybody plays; one of them may have the bye."""
    wish = {"one": one, "other": other, "confirmed": yes}
    desk.say_done(desk.change("round.swap", tournament=tournament, **wish))


@click.group(cls=Group)
def pair() -> None:
    """Pairs of players who are not to meet, from the next round on.

    \b
    Examples:
      relayctl pair forbid 12 P000123 P000124
      relayctl pair list 12
    """  # noqa: D301  click keeps the lines behind \b


@pair.command("list")
@tournament_argument
@pass_desk
def listed(desk: Desk, tournament: int) -> None:
    """List the pairs that are ruled out."""
    desk.show(desk.ask("tournament.show", tournament=tournament)["forbidden"], draw.forbidden)


@pair.command()
@tournament_argument
@one_player("one")
@one_player("other")
@pass_desk
def forbid(desk: Desk, tournament: int, one: str, other: str) -> None:
    """Rule out that two players are paired."""
    desk.say_done(desk.change("pair.forbid", tournament=tournament, one=one, other=other))


@pair.command()
@tournament_argument
@one_player("one")
@one_player("other")
@pass_desk
def allow(desk: Desk, tournament: int, one: str, other: str) -> None:
    """Let two players be paired again."""
    desk.say_done(desk.change("pair.allow", tournament=tournament, one=one, other=other))


def _present(desk: Desk, tournament: int) -> int:
    number: int | None = desk.ask("tournament.show", tournament=tournament)["round"]
    if number is None:
        desk.fail("the tournament has not started", Exit.REFUSED)
    if number == PLAYOFF:
        desk.fail("this is the play-off, which is not paired: name a Swiss round", Exit.REFUSED)
    return number
