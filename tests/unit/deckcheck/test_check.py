"""The verdict."""

from typing import get_args

import pytest

from deckcheck.check import Judge, Listed, check
from deckcheck.deck import MAX_CODE, Deck
from deckcheck.environments import Environment, Rule, retro, whitelist
from deckcheck.errors import DeckInvalid
from deckcheck.parsed import ParsedDeck
from deckcheck.violations import Violation
from deckcheck.wire import write_deckbuf
from deckcheck.ydk import read_ydk
from tests.decks import (
    ARTWORK,
    CUSTOM,
    EXTRA,
    NAMESAKE,
    PRERELEASE_BIT,
    TCG_ONLY,
    TOKEN,
    a_list,
    legal_main,
    small_ocg,
    small_world,
)

OCG = small_ocg()
PRERELEASE = 101304024


def kinds(deck: Deck | ParsedDeck, environment: Environment = OCG) -> list[str]:
    """Return the kinds of the violations."""
    return [violation.kind for violation in check(deck, environment).violations]


def told(deck: Deck | ParsedDeck, environment: Environment = OCG) -> int:
    """Return what the game client is told."""
    return check(deck, environment).client_code


def test_a_legal_deck() -> None:
    """D40: nothing is wrong with it, and the client is told nothing."""
    deck = Deck(main=legal_main(100, 100, 100), extra=(900,), side=(101, 101, 101))
    verdict = check(deck, OCG)
    assert (verdict.status, verdict.violations, verdict.client_code) == ("legal", (), 0)
    assert verdict.deck is deck


@pytest.mark.parametrize("size", [40, 60])
def test_the_bounds_of_the_main_deck_are_allowed(size: int) -> None:
    """D42, section 4: 40-60."""
    side, extra = tuple(range(100, 115)), tuple(EXTRA)[:15]
    assert check(Deck(main=legal_main(size=size), extra=extra, side=side), OCG).status == "legal"


@pytest.mark.parametrize(
    ("deck", "violation", "code"),
    [
        (
            Deck(main=legal_main(size=39)),
            Violation(kind="MAINCOUNT", where=("main",), count=39, limit=40),
            0x60000027,
        ),
        (
            Deck(main=(*legal_main(size=60), 100)),
            Violation(kind="MAINCOUNT", where=("main",), count=61, limit=60),
            0x6000003D,
        ),
        (
            Deck(main=legal_main(), extra=tuple(EXTRA)[:16]),
            Violation(kind="EXTRACOUNT", where=("extra",), count=16, limit=15),
            0x70000010,
        ),
        (
            Deck(main=legal_main(), side=tuple(range(100, 116))),
            Violation(kind="SIDECOUNT", where=("side",), count=16, limit=15),
            0x80000010,
        ),
    ],
)
def test_sizes(deck: Deck, violation: Violation, code: int) -> None:
    """D41, D42: counted before anything is moved; the client is told the count."""
    verdict = check(deck, OCG)
    assert verdict.violations == (violation,)
    assert verdict.client_code == code


def test_copies_count_over_all_sections_and_editions() -> None:
    """D21, D23: artworks and namesakes are one card; the copy that is too many is named as typed."""
    deck = Deck(main=legal_main(100, 100, ARTWORK), side=(NAMESAKE, 100))
    verdict = check(deck, OCG)
    assert verdict.violations == (
        Violation(
            kind="CARDCOUNT",
            code=NAMESAKE,
            base=NAMESAKE,
            name=f"Card {NAMESAKE}",
            where=("main", "side"),
            count=5,
            limit=3,
        ),
    )
    assert verdict.client_code == 5 << 28 | NAMESAKE


def test_three_copies_are_allowed_and_a_fourth_is_not() -> None:
    """Section 4: for a card on no list."""
    assert kinds(Deck(main=legal_main(100, 100, 100))) == []
    assert kinds(Deck(main=legal_main(100, 100, 100, 100))) == ["CARDCOUNT"]


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_limits(limit: int) -> None:
    """D21, D41: an artwork is limited with its card; exactly the limit is allowed."""
    environment = small_ocg(f"100 {limit}")
    fine, over = (Deck(main=legal_main(*[ARTWORK] * copies)) for copies in (limit, limit + 1))
    assert check(fine, environment).status == "legal"
    violation = check(over, environment).violations[0]
    assert (violation.kind, violation.code, violation.base) == ("LFLIST", ARTWORK, 100)
    assert (violation.count, violation.limit) == (limit + 1, limit)
    assert told(over, environment) == 1 << 28 | ARTWORK


def test_all_that_is_wrong_with_a_card_is_said() -> None:
    """D40, D41: four copies of a limited card break both rules; the client hears what YGOPro meets first."""
    environment = small_ocg("100 1")
    deck = Deck(main=legal_main(100, 100, 100, ARTWORK))
    assert kinds(deck, environment) == ["LFLIST", "CARDCOUNT"]
    assert told(deck, environment) == 1 << 28 | 100


def test_the_order_of_kinds() -> None:
    """D40, D41: everything at once, in the order in which one of them is chosen for the client."""
    environment = small_ocg("102 0")
    deck = Deck(
        main=(TOKEN, 900, TCG_ONLY, *[101] * 4, 102),
        extra=(103, *EXTRA),
        side=(CUSTOM, *range(110, 130)),
    )
    parsed = ParsedDeck(deck=deck, unreadable=read_ydk("x").unreadable)
    verdict = check(parsed, environment)
    assert [violation.kind for violation in verdict.violations] == [
        "UNREADABLE", "UNKNOWNCARD", "MAINCOUNT", "EXTRACOUNT", "SIDECOUNT", "WRONGPLACE", "TCGONLY",
        "CARDCOUNT", "LFLIST", "WRONGPLACE", "NOTAVAIL",
    ]  # fmt: skip
    assert verdict.client_code == 4 << 28
    assert told(deck, environment) == 4 << 28 | TOKEN


def test_a_token_is_an_unknown_card_and_nothing_else() -> None:
    """D41: five tokens are one violation, and count as cards."""
    verdict = check(Deck(main=legal_main(*[TOKEN] * 5)), OCG)
    assert [(each.kind, each.code, each.count) for each in verdict.violations] == [("UNKNOWNCARD", TOKEN, 5)]


def test_whose_cards_are_allowed() -> None:
    """D41, decisions 9: the bits of ``ot`` under each rule, as YGOPro tells them."""
    deck = Deck(main=legal_main(TCG_ONLY, CUSTOM))
    assert [kinds(deck, small_ocg(rule=rule)) for rule in get_args(Rule)] == [
        ["TCGONLY", "NOTAVAIL"],
        ["NOTAVAIL"],
        [],
    ]
    assert told(deck) == 3 << 28 | TCG_ONLY
    assert told(Deck(main=legal_main(CUSTOM))) == 9 << 28 | CUSTOM


def test_an_ocg_card_under_the_rule_of_the_tcg() -> None:
    """D41: code 2."""
    cards = {code: card._replace(ot=1 if code == 100 else 3) for code, card in small_world().items()}
    environment = Environment(
        key="x", title="x", list_name="x", list_hash="0", pool_hash="0", rule="tcg", caps={}, cards=cards
    )
    deck = Deck(main=legal_main(100, 100))
    assert kinds(deck, environment) == ["OCGONLY"]
    assert told(deck, environment) == 2 << 28 | 100


def test_cards_in_the_wrong_place() -> None:
    """D41: once per section, told as YGOPro does; the side deck holds both kinds."""
    deck = Deck(main=(*legal_main(), 900, 900), extra=(100,), side=(901, 101))
    verdict = check(deck, OCG)
    places = [(each.kind, each.code, each.where, each.count) for each in verdict.violations]
    assert places == [("WRONGPLACE", 900, ("main",), 2), ("WRONGPLACE", 100, ("extra",), 1)]
    assert verdict.client_code == 6 << 28
    assert told(Deck(main=legal_main(), extra=(100,))) == 7 << 28


def test_mixed_decks_are_placed_and_counted() -> None:
    """D31, D42: the 16th extra card is not pushed into main."""
    parsed = ParsedDeck(deck=Deck(main=(*legal_main(), *tuple(EXTRA)[:16])), mixed=True)
    verdict = check(parsed, OCG)
    assert [each.kind for each in verdict.violations] == ["EXTRACOUNT"]
    assert (len(verdict.deck.main), len(verdict.deck.extra)) == (40, 16)


def test_prerelease_cards_pass_and_are_listed() -> None:
    """D44, R046: by id where no source knows them, by EDOPro's bit where one does."""
    deck = Deck(main=legal_main(PRERELEASE, PRERELEASE, PRERELEASE_BIT))
    verdict = check(deck, OCG)
    assert verdict.status == "legal"
    assert verdict.prerelease == (
        Listed(code=PRERELEASE, count=2),
        Listed(code=PRERELEASE_BIT, count=1, name=f"Card {PRERELEASE_BIT}"),
    )


def test_prerelease_cards_are_refused_where_the_host_says_so() -> None:
    """D44, R046: ``allow_prerelease`` off."""
    deck = Deck(main=legal_main(PRERELEASE, PRERELEASE_BIT))
    environment = small_ocg(allow_prerelease=False)
    assert kinds(deck, environment) == ["UNKNOWNCARD", "NOTAVAIL"]
    assert check(deck, environment).prerelease == ()


@pytest.mark.parametrize("code", [100200000, 101999999])
def test_the_bounds_of_prerelease_ids(code: int) -> None:
    """Decisions 9: 100200000-101999999."""
    assert check(Deck(main=legal_main(code)), OCG).prerelease == (Listed(code=code, count=1),)


@pytest.mark.parametrize("code", [100199999, 102000000, 0])
def test_other_unknown_cards_are_for_the_host(code: int) -> None:
    """D44, decisions 9: review, and the client is told that the card is unknown."""
    verdict = check(Deck(main=legal_main(code)), OCG)
    assert (verdict.status, verdict.violations) == ("review", ())
    assert verdict.review == (Listed(code=code, count=1),)
    assert verdict.client_code == 4 << 28 | code


def test_a_deck_that_is_wrong_anyway_needs_no_look() -> None:
    """D44: illegal wins over review, unknown cards are listed all the same and counted like others."""
    verdict = check(Deck(main=legal_main(7, 7, 7, 7)), OCG)
    assert verdict.status == "illegal"
    assert [(each.kind, each.code, each.name) for each in verdict.violations] == [("CARDCOUNT", 7, "")]
    assert verdict.review == (Listed(code=7, count=4),)


def test_ids_that_no_client_can_name_are_unknown() -> None:
    """D32, D41: in a form that has such numbers, they are never for the host, and never dropped."""
    verdict = check(Deck(main=legal_main(MAX_CODE + 5)), OCG)
    assert [(each.kind, each.code) for each in verdict.violations] == [("UNKNOWNCARD", MAX_CODE + 5)]
    assert verdict.client_code == 4 << 28 | 4


def test_outside_the_pool() -> None:
    """D21, D41, R047: by artwork base, so that Fusion Substitute does not ride on Polymerization."""
    environment = whitelist(
        "mine", a_list("!m\n$whitelist\n100 3\n" + _listed(range(140, 190))), small_world()
    )
    deck = Deck(main=legal_main(ARTWORK, NAMESAKE, NAMESAKE, 999))
    verdict = check(deck, environment)
    assert [(each.kind, each.code, each.count) for each in verdict.violations] == [
        ("UNKNOWNCARD", 999, 1),
        ("NOTINPOOL", NAMESAKE, 2),
    ]
    assert check(Deck(main=legal_main(NAMESAKE)), environment).client_code == 1 << 28 | NAMESAKE


def _listed(codes: range) -> str:
    return "".join(f"{code} 3\n" for code in codes)


def test_retro_pools_refuse_the_unknown() -> None:
    """D44: outside the pool without a cdb, unknown with one, and never for the host."""
    deck = Deck(main=(7, PRERELEASE))
    assert kinds(deck, retro("goat")) == ["MAINCOUNT", "NOTINPOOL", "NOTINPOOL"]
    assert kinds(deck, retro("goat", small_world())) == ["UNKNOWNCARD", "UNKNOWNCARD", "MAINCOUNT"]
    assert check(deck, retro("goat")).status == "illegal"


def test_retro_pools_know_every_edition() -> None:
    """D22: printed Konami passcodes, far reprints and historical ids are the card that they were."""
    deck = Deck(main=(83764719, 27847700, 504700000, 18144507))
    limits = [(each.kind, each.base) for each in check(deck, retro("goat")).violations[1:]]
    assert limits == [("LFLIST", 83764718), ("LFLIST", 18144506)]


def test_a_passcode_one_digit_off_is_no_card() -> None:
    """Section 8: a mistyped id is not accepted through an alias."""
    assert kinds(Deck(main=(46986413,)), retro("goat"))[1:] == ["NOTINPOOL"]


def test_credits() -> None:
    """D09: the sum over the deck, by what cards are counted as; the card that breaks it is named."""
    environment = small_ocg("$g 9\n$h 1\n100 $g 4\n101 $g 1")
    fine = Deck(main=legal_main(100, ARTWORK, 101))
    over = Deck(main=legal_main(100, 101, ARTWORK), side=(NAMESAKE,))
    assert check(fine, environment).status == "legal"
    assert check(over, environment).violations == (
        Violation(
            kind="CREDITS",
            code=NAMESAKE,
            base=NAMESAKE,
            name=f"Card {NAMESAKE}",
            where=("side",),
            count=13,
            limit=9,
            text="g",
        ),
    )
    assert told(over, environment) == 1 << 28 | NAMESAKE


def test_twenty_are_shown() -> None:
    """D40, decisions 12: the data hold all, people see 20 and how many more."""
    verdict = check(Deck(main=tuple(range(1, 31))), retro("goat"))
    assert len(verdict.violations) == 31
    shown = verdict.sentences("en")
    assert len(shown) == 21
    assert shown[-1] == "and 11 more"
    assert len(verdict.sentences("zh", most=31)) == 31


def test_a_judge_remembers_buffers() -> None:
    """Performance 5: the same buffer has the same verdict, made once; a broken one is refused each time."""
    judge = Judge(OCG, remembered=2)
    buffer = write_deckbuf(Deck(main=legal_main(), extra=(900,)))
    verdict = judge(buffer)
    assert verdict.status == "legal"
    assert verdict.deck.extra == (900,)
    assert judge(bytes(bytearray(buffer))) is verdict
    for _ in range(2):
        with pytest.raises(DeckInvalid):
            judge(b"x")
