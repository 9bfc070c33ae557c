"""Why floaters float, and what a host exchanges by hand."""

from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.report import Float, exchanged, report
from ruleset.pairing.swiss import Pairing, pair

A, B, C, D, E, F, G, H = (PlayerId(n) for n in range(1, 9))


def field(points: dict[PlayerId, int], *met: tuple[PlayerId, PlayerId], **byes: int) -> list[Contender]:
    """Return contenders; *met* are pairs, oldest first; ``p3=1`` is a bye of player 3."""
    return [
        Contender(
            player=player,
            points=own,
            met={b if a == player else a: RoundNo(n) for n, (a, b) in enumerate(met, 1) if player in (a, b)},
            byes=byes.get(f"p{player}", 0),
        )
        for player, own in points.items()
    ]


def made(*tables: tuple[PlayerId, PlayerId], bye: PlayerId | None = None) -> Pairing:
    """Return a pairing by hand."""
    return Pairing(tables=tables, bye=bye, rematches=(), proof="none")


def test_an_odd_group_sends_one_down() -> None:
    """4.10-2: the players down to his group are odd in number."""
    players = field({A: 6, B: 6, C: 6, D: 3})
    (float_,) = report(pair(players, b"key"), players).floats
    assert (float_.why, float_.opponent, float_.points) == ("odd", D, (6, 3))


def test_who_has_met_his_whole_group_floats() -> None:
    """4.10-2: nobody is left whom he may meet."""
    players = field({A: 6, B: 6, C: 3, D: 3}, (A, B))
    found = report(pair(players, b"key"), players)
    assert {float_.why for float_ in found.floats} == {"no_opponent"}
    assert len(found.floats) == 2
    assert found.legal


def test_a_group_that_cannot_be_paired_at_home() -> None:
    """4.10-2: each has somebody left, but not all at once."""
    players = field({A: 6, B: 6, C: 6, D: 6, E: 3, F: 3}, (A, B), (A, C), (B, C))
    found = report(pair(players, b"key"), players)
    assert {float_.why for float_ in found.floats} == {"no_round"}


def test_a_float_is_told_from_the_higher_side() -> None:
    """Whoever has seat A."""
    players = field({A: 3, B: 6})
    assert report(made((A, B)), players).floats == (Float(player=B, opponent=A, points=(6, 3), why="odd"),)


def test_the_bye_in_the_lowest_group() -> None:
    """4.10-4."""
    players = field({A: 6, B: 3, C: 0})
    assert report(made((A, B), bye=C), players).bye == "lowest"
    assert report(made((A, C), bye=B), players).bye == "higher"
    assert report(made((A, B)), field({A: 6, B: 3})).bye is None


def test_a_bye_again() -> None:
    """4.10-3: it is not legal, whether or not everybody had one."""
    players = field({A: 6, B: 3, C: 0}, p3=1)
    assert report(made((A, B), bye=C), players).bye == "again"
    assert not report(made((A, B), bye=C), players).legal
    everybody = field({A: 6, B: 3, C: 0}, p1=1, p2=1, p3=1)
    assert report(pair(everybody, b"key"), everybody).bye == "again"


def test_what_could_not_be_avoided() -> None:
    """4.10-3, S107: rematches with their round, what the host ruled out, tables within a team."""
    players = field({A: 0, B: 0, C: 0, D: 0}, (C, D), (A, B))
    wishes = Wishes(forbidden=frozenset({frozenset({C, D})}))
    found = report(made((A, B), (C, D)), players, wishes)
    assert found.rematches == ((A, B, 2), (C, D, 1))
    assert found.barred == ((C, D),)
    assert not found.legal
    team = [Contender(player=player, points=0, team=1) for player in (E, F)]
    assert report(made((E, F)), team).same_team == ((E, F),)
    assert report(made((G, H)), field({G: 0, H: 0})).same_team == ()


def test_two_players_change_seats() -> None:
    """4.10-5: the host may exchange any two, and is told what speaks against it."""
    players = field({A: 0, B: 0, C: 0, D: 0, E: 0}, (A, C))
    paired = made((A, B), (C, D), bye=E)
    changed = exchanged(paired, B, C, players)
    assert changed.tables == ((A, C), (B, D))
    assert changed.rematches == ((A, C),)
    assert not report(changed, players).legal
    spared = exchanged(paired, E, A, players)
    assert (spared.tables, spared.bye) == (((E, B), (C, D)), A)
    assert exchanged(made((A, B), (C, D)), A, D, players).tables == ((D, B), (C, A))
