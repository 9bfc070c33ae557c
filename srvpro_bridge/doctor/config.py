"""The rows of srvpro's config.json that tournaments depend on (duel-server.md 0-8, 1, 2, 3, 6, 8)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.doctor.findings import DECKS, Finding, Wish
from srvpro_bridge.doctor.rows import Row, number, same
from srvpro_bridge.doctor.tree import MISSING, Tree, at

FRESH_MS: Final = 5_000
"""How old what srvpro knows of the open tables may be."""
RECONNECT_MS: Final = 60_000
"""How long a dropped player should have to come back."""
ALL_CARDS: Final = 5
"""srvpro's ``rule`` that lets cards of every region pass (duel-server.md 10.b)."""
NO_LIST: Final = -1


def examine_config(config: Tree, wish: Wish) -> Iterator[Finding]:
    """Yield what of *config*, as it holds, does not fit the way in which this server is linked."""
    return _findings((*_OF_LINK[wish.facts.link], *_ALWAYS), config, wish)


def examine_told(config: Tree, facts: ServerFacts) -> Iterator[Finding]:
    """Yield what does not fit of the settings that a running server has told; the others stay unknown.

    Its plugin sets the rule of death-three, so that only what holds counts, not what the file says.
    """
    rows = [row for row in (*_OF_LINK[facts.link], *_ALWAYS, _RULE) if row.found(config) is not MISSING]
    return _findings(dict.fromkeys(rows), config, Wish(facts=facts))


def _findings(rows: Iterable[Row], config: Tree, wish: Wish) -> Iterator[Finding]:
    found = (row.examine(config, wish) for row in rows)
    return (finding for finding in found if finding is not None)


def _quick_death(value: object, wish: Wish) -> bool:
    """``true`` is 1, ``false`` and nothing are 2 (duel-server.md 2)."""
    rule = {"true": 1, "false": 2}[json.dumps(value)] if isinstance(value, bool) else value
    return same(2 if rule is MISSING else rule, wish.facts.quick_death_rule)


def _face(value: object, wish: Wish) -> bool:
    """Any way to the daemon will do, as long as it ends at the face of this server."""
    if not isinstance(value, str):
        return False
    found, wanted = urlsplit(value), urlsplit(wish.face_url)
    return found.scheme in {"http", "https"} and found.path.rstrip("/") == wanted.path


def _word(value: object, _wish: Wish) -> bool:
    return isinstance(value, str | int) and str(value) != "" and "/" not in str(value)


def _first_list(wish: Wish) -> int:
    return 0 if wish.facts.default_environment else NO_LIST


_CHALLONGE: Final = (
    Row(
        path="modules.challonge.enabled",
        wanted=lambda _: True,
        why="srvpro asks nobody who sits where, and tells nobody the scores",
    ),
    Row(
        path="modules.challonge.challonge_url",
        wanted=lambda wish: wish.face_url,
        fits=_face,
        why="srvpro asks somebody else who sits where",
    ),
    Row(
        path="modules.challonge.api_key",
        wanted=lambda wish: wish.challonge_key,
        applies=lambda wish: wish.challonge_key is not None,
        why="relayd does not let srvpro in: it shows another key than that of challonge_key_file",
        secret=True,
    ),
    Row(
        path="modules.challonge.tournament_id",
        wanted=lambda _: "relayd",
        fits=_word,
        why="it is a part of the address; any word will do",
    ),
    Row(
        path="modules.challonge.cache_ttl",
        wanted=lambda _: 1_000,
        fits=number(lambda value, _: 0 <= value <= FRESH_MS),
        why="for so many milliseconds a new round is not seen: players are told that they have no match",
    ),
    Row(
        path="modules.challonge.post_detailed_score",
        wanted=lambda _: True,
        why="the games of a match stay unknown, and with them the tie-breaks (5.6-7)",
    ),
    Row(
        path="modules.challonge.post_score_midduel",
        wanted=lambda _: True,
        why="a match that breaks off is known only as far as a look at the rooms saw it",
        weight="unwise",
    ),
    Row(
        path="modules.challonge.no_match_mode",
        wanted=lambda wish: wish.facts.no_match_mode,
        why="false plays best of three, true best of one; habits.no_match_mode of relayd must say the same",
    ),
    Row(
        path="modules.tournament_mode.enabled",
        wanted=lambda _: True,
        why="frozen decks are not enforced, and a dropped player comes back only from the same address",
    ),
    Row(
        path="modules.tournament_mode.deck_check",
        wanted=lambda _: True,
        why="frozen decks are not enforced",
    ),
)
_NO_CHALLONGE: Final = Row(
    path="modules.challonge.enabled",
    wanted=lambda _: False,
    why="srvpro asks its Challonge who sits where, and lets nobody else in",
)
_NOT_BESIDE_THE_PLUGIN: Final = Row(
    path="modules.challonge.enabled",
    wanted=lambda _: False,
    why="srvpro names the rooms itself then: the plugin leads nobody, and its options are not set",
)
_RULE: Final = Row(
    path="modules.http.quick_death_rule",
    wanted=lambda wish: wish.facts.quick_death_rule,
    fits=_quick_death,
    why="2 is the rule sheet's death-three; habits.quick_death_rule of relayd must say the same",
)
_OWN_LIST: Final = (
    Row(
        path="hostinfo.lflist",
        wanted=_first_list,
        why="rooms are checked by another list than habits.default_environment of relayd says",
    ),
    Row(
        path="hostinfo.no_check_deck",
        wanted=lambda _: False,
        applies=lambda wish: wish.facts.default_environment != "",
        why='decks are not checked; leave it so with habits.default_environment = "" in relayd\'s settings',
        weight="unwise",
    ),
    Row(
        path="hostinfo.rule",
        wanted=lambda _: ALL_CARDS,
        applies=lambda wish: wish.facts.default_environment != "ocg" or bool(wish.facts.lists),
        why="cards of one region only are refused, though frozen decks of other environments may have them",
        weight="unwise",
    ),
)
_OF_LINK: Final = {
    "challonge": (*_CHALLONGE, _RULE, *_OWN_LIST),
    "plugin": (_NOT_BESIDE_THE_PLUGIN,),
    "http": (_NO_CHALLONGE, _RULE, *_OWN_LIST),
}
_ALWAYS: Final = (
    Row(
        path="port",
        wanted=lambda wish: wish.port,
        why="players are told another port; port of the duel_server in relayd's settings must be the same",
    ),
    Row(
        path="modules.http.port",
        wanted=lambda wish: wish.api_port,
        applies=lambda wish: wish.api_port is not None,
        why="relayd looks at another port; api_url of relayd must have this one",
    ),
    Row(
        path="modules.http.show_info",
        wanted=lambda _: True,
        why="the rooms do not show where a match stands: no death-three, no interim score",
    ),
    Row(
        path="modules.stop",
        wanted=lambda _: False,
        why="nobody can join",
    ),
    Row(
        path="hostinfo.auto_death",
        wanted=lambda _: False,
        why="rooms go into death-three by a clock of their own",
    ),
    Row(
        path="modules.reconnect.enabled",
        wanted=lambda _: True,
        why="whoever loses his connection loses his match",
    ),
    Row(
        path="modules.reconnect.wait_time",
        wanted=lambda _: 90_000,
        fits=number(lambda value, _: value >= RECONNECT_MS),
        why="milliseconds that a dropped player has to come back",
        weight="unwise",
    ),
    Row(
        path="modules.test_mode.no_connect_count_limit",
        wanted=lambda _: True,
        why="more than five connections from one address are refused: a hall behind one router",
        weight="unwise",
    ),
    Row(
        path="modules.max_rooms_count",
        wanted=lambda _: 0,
        fits=number(lambda value, wish: value == 0 or value >= wish.capacity),
        why="more rooms are refused, though capacity of relayd's settings counts on them; 0 is no limit",
        weight="unwise",
    ),
)


def rows() -> frozenset[Row]:
    """Return every row, of any link."""
    return frozenset((*(row for of_link in _OF_LINK.values() for row in of_link), *_ALWAYS))


def examine_decks(names: Sequence[str], config: Tree) -> Iterator[Finding]:
    """Yield that decks in the folder *names* keep people out who have none there (duel-server.md 8)."""
    mode = at(config, ("modules", "tournament_mode"))
    checks = isinstance(mode, Mapping) and mode.get("enabled") and mode.get("deck_check")
    if checks and names:
        yield Finding(
            weight="unwise",
            file=DECKS,
            what=f"{len(names)} decks lie there, {min(names)} first",
            why="srvpro lets in only who has one there, or a frozen deck from relayd: move them away",
        )
