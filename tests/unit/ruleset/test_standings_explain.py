"""Every value with its calculation, every two neighbours with what separates them (H203)."""

from fractions import Fraction

import pytest

from ruleset.errors import RulesetError
from ruleset.ids import PlayerId
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.explain import Calculation, Term, calculation, comparison
from ruleset.standings.presets import PRESETS
from ruleset.standings.scoring import Scoring
from ruleset.standings.sentences import TITLES, Language, calculation_sentence, comparison_sentence, display
from ruleset.standings.table import Standings
from tests.records import names, played, player

EXAMPLE = Standings(
    played("A-B 2:0, C-D 2:1, E bye", "A-C 2:1, E-B 1:1, D bye", "A-D 2:0, E-C 2:0", dropped="B")
)  # 4.1
CIRCLE = Standings(played("A-B 2:0, C-D 1:1", "A-D 2:0, B-C 2:0", "C-A 2:0, B-D 2:0"), order=("h2h",))


def name(who: PlayerId) -> str:
    """Return A for 1."""
    return names([who])


def numbers(of: Calculation) -> list[object]:
    """Return the numbers that entered."""
    return [term.number for term in of.terms]


def test_a_mean_shows_opponents_and_their_shares() -> None:
    """H203, R025: whom A met, what share each has, what it counts after the floor, and the mean."""
    found = calculation(EXAMPLE, player("A"), "omw")
    third = Fraction(1, 3)
    assert found.terms == (
        Term(number=Fraction(33, 100), round_no=found.terms[0].round_no, opponent=player("B"), tally=(1, 6)),
        Term(number=third, round_no=found.terms[1].round_no, opponent=player("C"), tally=(3, 9)),
        Term(number=third, round_no=found.terms[2].round_no, opponent=player("D"), tally=(3, 9)),
    )
    assert [term.round_no for term in found.terms] == [1, 2, 3]
    assert (found.fold, found.floor) == ("mean", Fraction(33, 100))
    assert found.value == (Fraction(33, 100) + 2 * third) / 3


def test_a_bye_stands_in_no_mean() -> None:
    """4.1: D met two, and his bye is in his points and games only."""
    assert [
        name(term.opponent or player("Z")) for term in calculation(EXAMPLE, player("D"), "omw").terms
    ] == [
        "C",
        "A",
    ]
    games = calculation(EXAMPLE, player("D"), "gw")
    assert [term.tally for term in games.terms] == [(3, 9), (6, 6), (0, 6)]
    assert numbers(calculation(EXAMPLE, player("D"), "points")) == [0, 3, 0]


def test_a_no_show_stands_in_no_mean_where_it_is_a_bye() -> None:
    """R029: the switch takes the absent opponent out."""
    records = played("A-B absent, C-D 2:0", "A-C 2:0, B-D 2:0")
    standings = Standings(records, scoring=Scoring(noshow_counts_as_bye=True))
    assert [term.opponent for term in calculation(standings, player("A"), "omw").terms] == [player("C")]
    assert len(calculation(standings, player("A"), "buchholz").terms) == 2


def test_the_median_shows_what_is_left_out() -> None:
    """4.3: exactly one highest and one lowest."""
    found = calculation(EXAMPLE, player("A"), "median_buchholz")
    assert [(term.number, term.counts) for term in found.terms] == [(1, False), (3, True), (3, False)]
    assert found.value == 3
    short = calculation(EXAMPLE, player("B"), "median_buchholz")
    assert [term.counts for term in short.terms] == [False, False]


def test_a_criterion_among_equals_shows_the_equals() -> None:
    """4.4, H211: the group that was compared, and the matches in it alone."""
    found = calculation(CIRCLE, player("A"), "h2h")
    assert found.tied == tuple(map(player, "ABCD"))
    assert numbers(found) == [3, 3, 0]
    assert found.value == (6, 3)
    hanno = Standings(EXAMPLE.field.records, order=PRESETS["hanno"].order)
    wins = calculation(hanno, player("C"), "tb_tied")
    assert (names(wins.tied), numbers(wins), wins.value) == ("CD", [1], 1)
    assert calculation(hanno, player("A"), "tb_tied").terms == ()


@pytest.mark.parametrize("key", CRITERIA)
def test_the_terms_make_the_value(key: str) -> None:
    """H203: for every criterion and player, folding what is shown gives what was counted."""
    standings = Standings(EXAMPLE.field.records, order=("points", key) if key != "points" else (key,))
    for who in standings.field.records:
        found = calculation(standings, who, key)
        left = [term.number for term in found.terms if term.counts]
        match found.fold:
            case "sum" | "inner_sum":
                assert found.value == sum(left)
            case "mean":
                assert found.value == (sum(left) / Fraction(len(left)) if left else 0)
            case "share":
                assert found.value == Fraction(
                    int(sum(left)), sum(term.tally[1] for term in found.terms if term.tally)
                )
            case "sorted":
                assert found.value == tuple(sorted(left, reverse=True))
            case "self":
                assert found.value == left[0]
            case "table":
                assert found.value in {(), (sum(left),)}


def test_what_separates_two_players() -> None:
    """R024-R030: the first criterion that differs, whoever is named first."""
    found = comparison(EXAMPLE, player("D"), player("C"))
    assert (found.upper.player, found.lower.player, found.upper.criterion) == (
        player("C"),
        player("D"),
        "omw",
    )
    equal = Standings(played("A-B 1:1, C-D 1:1"))
    assert comparison(equal, player("B"), player("A")).upper.criterion == "signin"
    same = Standings(played("A-B 1:1"), order=("points",))
    assert comparison(same, player("A"), player("B")).lower.value == 2


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: calculation(EXAMPLE, player("A"), "skill"), "unknown_criterion"),
        (lambda: calculation(EXAMPLE, player("Z"), "omw"), "unknown_player"),
        (lambda: comparison(EXAMPLE, player("A"), player("Z")), "unknown_player"),
        (lambda: comparison(EXAMPLE, player("A"), player("A")), "same_player"),
    ],
)
def test_what_cannot_be_explained(ask: object, code: str) -> None:
    """An unknown criterion or player, or one player with himself."""
    with pytest.raises(RulesetError) as refusal:
        ask()  # type: ignore[operator]
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9, "9"),
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(33225, 100_000), "0.3323"),
        (Fraction(-5, 2), "-2.5000"),
        ((), "–"),
        ((6, 3), "6, 3"),
    ],
)
def test_values_as_people_see_them(value: object, text: str) -> None:
    """Section 4: counts as they are, shares with four decimals, halves up."""
    assert display(value) == text  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["zh", "ja", "en"])
@pytest.mark.parametrize("key", CRITERIA)
def test_every_value_in_one_sentence(key: str, language: Language) -> None:
    """H203: each criterion in each language, with its name, the player and the value."""
    found = calculation(EXAMPLE, player("C"), key)
    sentence = calculation_sentence(found, language, name)
    assert TITLES[key][language] in sentence
    assert sentence.endswith("." if language == "en" else "。")
    assert display(found.value) in sentence


FLOOR = " (shares below 0.3300 count 0.3300)"


@pytest.mark.parametrize(
    ("who", "key", "sentence"),
    [
        (
            "E",
            "omw",
            f"E, {TITLES['omw']['en']}: (R2 B 1/6 → 0.3300 + R3 C 3/9 → 0.3333) / 2 = 0.3317{FLOOR}.",
        ),
        ("D", "gw", "D, game-win share (GW%): (R1 C 3 + R2 bye 6 + R3 A 0) / 21 = 0.4286."),
        (
            "A",
            "median_buchholz",
            "A, Median-Buchholz: R1 B [1] + R2 C 3 + R3 D [3] = 3 (without one highest and one lowest).",
        ),
        ("D", "round_high", "D, best rounds: R1 C 0; R2 bye 3; R3 A 0 → 3, 0, 0."),
        ("E", "signin", "E, place in the order of sign-in: 5."),
        ("E", "h2h", "E, head-to-head: nothing to count, –."),
    ],
)
def test_sentences(who: str, key: str, sentence: str) -> None:
    """H203: what a player can check with a pencil."""
    assert calculation_sentence(calculation(EXAMPLE, player(who), key), "en", name) == sentence


def test_the_sentence_of_a_group() -> None:
    """4.4: who was compared, and when the criterion does nothing."""
    sentence = calculation_sentence(calculation(CIRCLE, player("A"), "h2h"), "en", name)
    assert sentence == (
        "A, head-to-head: R1 B 3; R2 D 3; R3 C 0 → 6, 3 (the tied: A, B, C, D) "
        "(it does nothing if two have not met or all are equal)."
    )


def test_sentences_of_two_neighbours() -> None:
    """R024-R030: which criterion decides, and both values."""
    found = comparison(EXAMPLE, player("D"), player("C"))
    assert comparison_sentence(found, "en", name) == (
        "C stands before D: equal on everything before, opponents' match-win share (OMW%) 0.7037 > 0.6667."
    )
    assert comparison_sentence(found, "zh") == (
        "P000003排在P000004之前：前面各项相同，对手胜率（OMW%） 0.7037 > 0.6667。"
    )
    split = comparison(Standings(played("A-B 1:1")), player("A"), player("B"))
    assert "1 < 2" in comparison_sentence(split, "ja", name)
