"""The laws of decks, for all that Hypothesis can think of."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck.check import Judge, check
from deckcheck.deck import Deck
from deckcheck.difference import difference
from deckcheck.environments import Environment, retro, whitelist
from deckcheck.frozen import freeze_deck, same_in_first_game, same_in_later_game, thaw_deck
from deckcheck.lflist import list_hash, read_lflist
from deckcheck.links import read_link, read_ydke, write_link, write_old_link, write_ydke
from deckcheck.lint import lint
from deckcheck.parsed import ParsedDeck
from deckcheck.reading import read_any
from deckcheck.sentences import LANGUAGES, Language
from deckcheck.snapshot import freeze_environment, thaw_environment
from deckcheck.violations import KINDS, Violation, client_code
from deckcheck.walk import Walk
from deckcheck.wire import read_deckbuf, read_deckbuf_text, write_deckbuf, write_deckbuf_text
from deckcheck.ydk import read_ydk, write_ydk
from tests.decks import a_list, legal_main, reads, small_ocg, small_world

laws = settings(deadline=None, max_examples=150)

CREDITS = "$g 9\n105 $g 4\n106 $g 1\n"
ENVIRONMENTS = [
    small_ocg("100 1\n102 0\n103 2\n900 1\n" + CREDITS),
    small_ocg("100 1\n102 0\n103 2\n900 1\n"),
    small_ocg("100 2", allow_prerelease=False, rule="all"),
    whitelist(
        "w", a_list("!w\n$whitelist\n" + "".join(f"{code} 3\n" for code in range(100, 190))), small_world()
    ),
    retro("goat", small_world()),
]
environments = st.sampled_from(ENVIRONMENTS)

u32, link_codes = st.integers(0, 0xFFFF_FFFF), st.integers(0, (1 << 27) - 1)
odd_codes = st.sampled_from(
    [*range(100, 110), 119, *range(800, 805), *range(900, 904), 7, 101304024, 1 << 31]
)


def parts(codes: st.SearchStrategy[int], most: int = 60) -> st.SearchStrategy[tuple[int, ...]]:
    """Return sections of a deck."""
    return st.lists(codes, max_size=most).map(tuple)


def decks(codes: st.SearchStrategy[int]) -> st.SearchStrategy[Deck]:
    """Return decks of any content."""
    return st.builds(Deck, main=parts(codes), extra=parts(codes, 15), side=parts(codes, 15))


@st.composite
def nearly_legal(draw: st.DrawFn) -> Deck:
    """Return decks that are legal but for a few cards, if at all."""
    main = legal_main(*draw(parts(odd_codes, 4)), size=draw(st.sampled_from([40, 41, 59])))
    return Deck(main=main, extra=draw(parts(st.integers(900, 919), 15)), side=draw(parts(odd_codes, 4)))


judged_decks = nearly_legal() | decks(odd_codes)


def mixed(deck: Deck) -> Deck:
    """Return a deck as forms without an extra deck have it."""
    return Deck(main=deck.main + deck.extra, side=deck.side)


@laws
@given(decks(st.integers(0, 0x0FFF_FFFF)))
def test_ydk_round_trips(deck: Deck) -> None:
    """D30: what was written is read, by the one reader and by the one for anything."""
    assert read_ydk(write_ydk(deck)) == read_any(write_ydk(deck).encode()) == ParsedDeck(deck=deck)


@laws
@given(decks(u32))
def test_ydke_round_trips(deck: Deck) -> None:
    """D33: any u32."""
    assert read_ydke(write_ydke(deck)) == read_any(write_ydke(deck).encode()) == ParsedDeck(deck=deck)


@laws
@given(decks(u32))
def test_deck_buffers_round_trip(deck: Deck) -> None:
    """D34: any u32; main and extra become one."""
    parsed = ParsedDeck(deck=mixed(deck), mixed=True)
    assert read_deckbuf(write_deckbuf(deck)) == read_deckbuf_text(write_deckbuf_text(deck)) == parsed
    assert read_any(write_deckbuf(deck)) == read_any(write_deckbuf_text(deck).encode()) == parsed


@laws
@given(decks(link_codes), st.text(max_size=20).filter(lambda name: name.isprintable()))
def test_packed_links_round_trip(deck: Deck, name: str) -> None:
    """D35: order, runs and any name."""
    assert read_link(write_link(deck, name=name)) == ParsedDeck(deck=deck)


@laws
@given(decks(u32))
def test_old_links_round_trip(deck: Deck) -> None:
    """D35: the old form."""
    assert read_link(write_old_link(deck)).deck == deck
    assert read_any(write_old_link(deck).encode()).deck == deck


starts = st.sampled_from(
    [b"", b"#main\n", b"ydke://", b"http://deck.ourygo.top?d=", b"ygo://deck?main=", b"\1\0\0\0"]
)


@laws
@given(starts, st.binary(max_size=400), st.sampled_from([b"", b"!!!", b"\n!side\n12\n"]))
def test_no_reader_lets_anything_else_escape(start: bytes, middle: bytes, end: bytes) -> None:
    """F17: any bytes are a deck or DeckInvalid, in every reader."""
    reads(start + middle + end)


@laws
@given(
    st.lists(st.binary(max_size=30) | st.sampled_from([b"!2026.7", b"1 0", b"$whitelist", b"\xef\xbb\xbf"]))
)
def test_any_bytes_are_a_list_file(lines: list[bytes]) -> None:
    """F17: a list file is read and linted whatever it holds, with bounded lines."""
    data = b"\n".join(lines)
    lists = read_lflist(data)
    assert all(0 <= each.hash < 1 << 32 and set(each.limits.values()) <= {0, 1, 2} for each in lists)
    assert all(1 <= problem.line <= data.count(b"\n") + 1 for problem in lint(data))


entries = st.lists(st.tuples(u32, st.integers(0, 2)), max_size=30)


@laws
@given(entries, st.randoms(use_true_random=False))
def test_list_hashes_do_not_depend_on_order(pairs: list[tuple[int, int]], random: Random) -> None:
    """D06, D07: the hash is an XOR over lines, of a file as of numbers."""
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    text = "!a\n" + "".join(f"{code} {count}\n" for code, count in shuffled)
    assert a_list(text).hash == list_hash(pairs)
    assert a_list(text).limits == dict(shuffled)


@laws
@given(judged_decks, environments)
def test_the_fast_way_is_the_long_way(deck: Deck, environment: Environment) -> None:
    """D40: a deck is plainly legal only if the walk finds nothing either."""
    verdict, walk = check(deck, environment), Walk(deck, environment)
    assert verdict.violations == tuple(walk.violations(ParsedDeck(deck=deck)))
    assert [card.code for card in verdict.review] == [code for code, _ in walk.listed("review")]
    assert (verdict.status == "legal") == (verdict.client_code == 0)


@laws
@given(judged_decks, environments, st.randoms(use_true_random=False))
def test_the_order_of_cards_changes_no_verdict(deck: Deck, environment: Environment, random: Random) -> None:
    """D40: kinds, counts and limits are those of the content; only the edition that is named may differ."""
    sections = [list(section) for section in (deck.main, deck.extra, deck.side)]
    for section in sections:
        random.shuffle(section)
    main, extra, side = map(tuple, sections)
    before, after = (check(each, environment) for each in (deck, Deck(main=main, extra=extra, side=side)))
    assert before.status == after.status
    assert Counter((each.kind, each.count, each.limit) for each in before.violations) == Counter(
        (each.kind, each.count, each.limit) for each in after.violations
    )


@laws
@given(judged_decks, environments)
def test_the_wire_form_has_the_verdict_of_the_file(deck: Deck, environment: Environment) -> None:
    """D31, D34: the deck that a player sends is judged like the one that he submitted, once in place."""
    submitted = check(ParsedDeck(deck=mixed(deck), mixed=True), environment)
    assert check(read_deckbuf(write_deckbuf(deck)), environment) == submitted
    assert Judge(environment)(write_deckbuf(deck)) == submitted
    assert not any(violation.kind == "WRONGPLACE" for violation in submitted.violations)


@laws
@given(judged_decks, environments)
def test_every_card_is_accounted_for(deck: Deck, environment: Environment) -> None:
    """D42: no card is dropped in silence: the judged deck has exactly the cards that came."""
    verdict = check(ParsedDeck(deck=mixed(deck), mixed=True), environment)
    assert Counter(verdict.deck.codes) == Counter(deck.codes)


@laws
@given(nearly_legal(), environments)
def test_thawed_environments_judge_alike(deck: Deck, environment: Environment) -> None:
    """D45: verdict by verdict, sentence by sentence."""
    thawed = THAWED[environment]
    assert check(deck, thawed) == check(deck, environment)
    assert check(deck, thawed).sentences("zh") == check(deck, environment).sentences("zh")


THAWED = {each: thaw_environment(freeze_environment(each)) for each in ENVIRONMENTS}


@laws
@given(decks(st.integers(0, 200)), st.randoms(use_true_random=False))
def test_siding_is_a_permutation(deck: Deck, random: Random) -> None:
    """D46, R071: moving cards between the sections keeps the deck; the first game needs the frozen sides."""
    frozen = freeze_deck(deck)
    cards = list(deck.codes)
    random.shuffle(cards)
    cut = len(cards) - len(deck.side)
    sided = Deck(main=tuple(cards[:cut]), side=tuple(cards[cut:]))
    assert same_in_later_game(frozen, sided)
    assert same_in_first_game(frozen, sided) == (Counter(sided.side) == Counter(deck.side))
    assert same_in_first_game(frozen, sided) == (freeze_deck(sided) == frozen)
    assert same_in_first_game(frozen, sided) or difference(frozen, sided)


@laws
@given(decks(st.integers(0, 0x0FFF_FFFF)), decks(st.integers(0, 0x0FFF_FFFF)))
def test_frozen_decks_are_their_text(deck: Deck, other: Deck) -> None:
    """D46: the text gives the whole back; SHA-256 tells contents apart."""
    frozen = freeze_deck(deck)
    assert thaw_deck(frozen.text) == frozen
    assert same_in_first_game(frozen, read_deckbuf(write_deckbuf(frozen.deck)))
    assert (frozen.sha256 == freeze_deck(other).sha256) == same_in_first_game(frozen, other)


violations = st.builds(
    Violation,
    kind=st.sampled_from(KINDS),
    code=u32,
    base=u32,
    name=st.text(max_size=40),
    where=st.sampled_from([(), ("main",), ("main", "side")]),
    count=st.integers(0, 1000),
    limit=st.integers(0, 60),
    line=st.integers(0, 10**6),
    text=st.text(max_size=100),
)


@laws
@given(violations, st.sampled_from(LANGUAGES))
def test_violations_are_data_first_and_words_second(violation: Violation, language: Language) -> None:
    """D40, D41, F21: any violation survives as data, has a clean sentence and a code of 32 bits."""
    assert Violation.from_data(violation.as_data()) == violation
    assert violation.sentence(language).isprintable()
    assert 0 < client_code(violation) < 1 << 32
