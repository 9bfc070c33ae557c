"""Large fields: what is certified, what a window proves, and what is done where nothing is proven."""

import pytest

from ruleset import seeds
from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing import swiss, windows
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.exact import exact
from ruleset.pairing.swiss import Pairing, pair
from ruleset.pairing.task import task
from tests.pairing_oracle import Cost, Play, best, cost_of

PROVEN = {"all": 8, "score": 6, "none": 0}
"""How many of the costs are certain."""


def key(seed: int, number: int) -> bytes:
    """Return the key of a round."""
    return seeds.round_key(b"%d" % seed, RoundNo(number))


def whole(players: list[Contender], round_key: bytes, wishes: Wishes) -> Cost:
    """Return the cost of one matching over everybody."""
    found = exact(task(players, round_key, wishes))
    pairing = Pairing(
        tables=tuple((a.player, b.player) for a, b in found.couples),
        bye=None if found.bye is None else found.bye.player,
        rematches=(),
        proof=found.proof,
    )
    return cost_of(pairing, players, wishes)


@pytest.fixture
def windowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve by windows whatever the size, and never fall back on an exact matching of everybody."""
    monkeypatch.setattr(swiss, "WHOLE", 2)
    monkeypatch.setattr(swiss, "LARGE", 2)


@pytest.mark.usefixtures("windowed")
@pytest.mark.parametrize("size", [7, 8, 9, 10])
def test_what_a_window_claims_is_true(size: int) -> None:
    """performance.md 1: as far as a pairing is proven, none of all possible ones is better."""
    proofs = set()
    for seed in range(12):
        play = Play(seed, size, drops=0.02)
        for number in range(1, size):
            players = play.players
            found = pair(players, key(seed, number))
            certain = PROVEN[found.proof]
            assert cost_of(found, players, swiss.ANY)[:certain] == best(players, swiss.ANY)[:certain]
            proofs.add(found.proof)
            play.play(found, number)
    assert proofs == {"all", "score", "none"}


@pytest.mark.usefixtures("windowed")
@pytest.mark.parametrize(
    ("size", "rounds", "wishes", "teams"),
    [
        (48, 12, Wishes(), 0),
        (63, 14, Wishes(), 0),
        (64, 9, Wishes(same_team="prefer"), 6),
        (100, 8, Wishes(same_team="must"), 9),
        (65, 9, Wishes(bye_within="standing"), 0),
    ],
)
def test_a_window_is_as_good_as_everybody_at_once(size: int, rounds: int, wishes: Wishes, teams: int) -> None:
    """performance.md 1: as far as it is proven, it costs what one matching over the whole field costs."""
    for seed in range(2):
        play = Play(seed, size, teams=teams, drops=0.01)
        for number in range(1, rounds + 1):
            players = play.players
            found = pair(players, key(seed, number), wishes)
            certain = PROVEN[found.proof]
            assert (
                cost_of(found, players, wishes)[:certain]
                == whole(players, key(seed, number), wishes)[:certain]
            )
            play.play(found, number)


@pytest.mark.parametrize(("size", "rounds"), [(65, 7), (128, 7), (129, 8), (400, 9)])
def test_no_rematch_and_no_second_bye(size: int, rounds: int) -> None:
    """4.10-3, R019: in tournaments of usual length there always is a legal round, and it is found."""
    play = Play(size, size, drops=0.005)
    for number in range(1, rounds + 1):
        players = play.players
        found = pair(players, key(size, number))
        ruled_out, burden, rematches, *_ = cost_of(found, players, swiss.ANY)
        assert (ruled_out, burden, rematches) == (0, 0, 0)
        assert found.proof == "all" or size > swiss.LARGE
        play.play(found, number)


def _strangers(size: int, *, met: int) -> list[Contender]:
    """Return players of equal points, the first *met* of whom have all met each other."""
    club = range(1, met + 1)
    return [
        Contender(
            player=PlayerId(n),
            points=0 if n <= met else 3,
            met={PlayerId(m): RoundNo(1) for m in club if n in club and m != n},
        )
        for n in range(1, size + 1)
    ]


def test_a_window_that_gets_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """performance.md 1: then only players near in the order are matched, legally and without a proof."""
    monkeypatch.setattr(swiss, "WHOLE", 2)
    monkeypatch.setattr(swiss, "LARGE", 2)
    monkeypatch.setattr(windows, "LARGEST", 10)
    players = _strangers(40, met=6)
    found = pair(players, b"key")
    assert (found.proof, found.rematches) == ("none", ())
    assert cost_of(found, players, swiss.ANY)[5] == 6 * 9


def test_a_field_without_a_legal_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """4.10-3: a club of more than half of the field has rematches, as few as can be, at any size."""
    players = _strangers(40, met=30)
    assert len(pair(players, b"key").rematches) == 10
    monkeypatch.setattr(swiss, "WHOLE", 2)
    monkeypatch.setattr(swiss, "LARGE", 2)
    assert len(pair(players, b"key").rematches) == 10


def test_middle_fields_are_matched_whole_if_windows_prove_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """performance.md 1: up to 256 players every wish is proven."""
    monkeypatch.setattr(swiss, "WHOLE", 2)
    proofs = []
    for seed in range(6):
        play = Play(seed, 20)
        for number in range(1, 13):
            found = pair(play.players, key(seed, number))
            proofs.append(found.proof)
            play.play(found, number)
    assert set(proofs) == {"all"}
