"""What a duel server needs, found in its files (decisions 15, duel-server.md 0-3, 6, 8)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.lflist import MAX_FILE_BYTES
from deckcheck.pools import pool_limits
from ruleset.ids import ServerId
from srvpro_bridge.adminapi import Account
from srvpro_bridge.capabilities import Link, ServerFacts
from srvpro_bridge.doctor import (
    CONFIG,
    PLUGIN_CONF,
    PLUGIN_SCRIPT,
    USERS,
    Finding,
    PluginFiles,
    Wish,
    at,
    examine_config,
    examine_decks,
    examine_lists,
    examine_plugin,
    examine_told,
    examine_users,
    overlaid,
    read_conf,
    with_setting,
    with_value,
)
from srvpro_bridge.doctor.tree import MISSING

WISH = Wish(
    facts=ServerFacts(id=ServerId("main")),
    face_url="http://127.0.0.1:8720/challonge/main",
    gateway_url="ws://127.0.0.1:8721/plugin",
    port=7911,
    api_url="http://127.0.0.1:7922",
    account=Account(user="relayd", password="pw"),
    challonge_key="k3y",
    plugin_token="t0ken",
)
FITTING: Mapping[str, Any] = {
    "port": 7911,
    "hostinfo": {"lflist": 0, "rule": 0, "no_check_deck": False, "auto_death": False},
    "modules": {
        "stop": False,
        "max_rooms_count": 0,
        "challonge": {
            "enabled": True,
            "challonge_url": "http://127.0.0.1:8720/challonge/main",
            "api_key": "k3y",
            "tournament_id": "relayd",
            "cache_ttl": 1_000,
            "post_detailed_score": True,
            "post_score_midduel": True,
            "no_match_mode": False,
        },
        "tournament_mode": {"enabled": True, "deck_check": True},
        "http": {"port": 7922, "quick_death_rule": 2, "show_info": True},
        "reconnect": {"enabled": True, "wait_time": 90_000},
        "test_mode": {"no_connect_count_limit": True},
    },
}
JUDGE = dict.fromkeys(("get_rooms", "shout", "kick_user", "start_death"), True)
USERS_FITTING: Mapping[str, Any] = {
    "permission_examples": {"judge": JUDGE, "streamer": {"get_rooms": True, "shout": False}},
    "users": {
        "root": {"password": "123456", "enabled": False, "permissions": "sudo"},
        "relayd": {"password": "pw", "enabled": True, "permissions": "judge"},
    },
}
CONF = "# server =\nserver = main\ntoken_file = ./config/relayd.token # a comment\n#url = ws://127.0.0.1:8721/plugin\n"
PLUGIN = PluginFiles(script=b"'use strict';", conf=CONF, token="t0ken\n")


def linked(link: Link, **facts: Any) -> Wish:
    """Return the wish for a server with that link."""
    return replace(WISH, facts=replace(WISH.facts, link=link, **facts))


def changed(path: str, value: object) -> dict[str, Any]:
    """Return the fitting config with one value changed."""
    return with_value(FITTING, path.split("."), value)


def found(config: Mapping[str, Any], wish: Wish = WISH) -> list[tuple[str, str]]:
    """Return the paths that do not fit, with their weights."""
    return [(".".join(f.change.path), f.weight) for f in examine_config(config, wish) if f.change is not None]


@pytest.mark.parametrize(
    ("link", "config"),
    [
        ("challonge", FITTING),
        ("http", changed("modules.challonge.enabled", value=False)),
        ("plugin", changed("modules.challonge.enabled", value=False)),
    ],
)
def test_a_server_that_fits_has_no_findings(link: Link, config: Mapping[str, Any]) -> None:
    """Issue 3: silence means that it works."""
    assert list(examine_config(config, linked(link))) == []


@pytest.mark.parametrize(
    ("path", "value", "weight"),
    [
        ("modules.challonge.enabled", False, "wrong"),
        ("modules.challonge.challonge_url", "https://api.challonge.com", "wrong"),
        ("modules.challonge.challonge_url", "http://127.0.0.1:8720/challonge/other", "wrong"),
        ("modules.challonge.challonge_url", None, "wrong"),
        ("modules.challonge.challonge_url", "127.0.0.1:8720/challonge/main", "wrong"),
        ("modules.challonge.api_key", "123", "wrong"),
        ("modules.challonge.tournament_id", "", "wrong"),
        ("modules.challonge.tournament_id", "a/b", "wrong"),
        ("modules.challonge.cache_ttl", 60_000, "wrong"),
        ("modules.challonge.cache_ttl", True, "wrong"),
        ("modules.challonge.post_detailed_score", False, "wrong"),
        ("modules.challonge.post_score_midduel", False, "unwise"),
        ("modules.challonge.no_match_mode", True, "wrong"),
        ("modules.tournament_mode.enabled", False, "wrong"),
        ("modules.tournament_mode.deck_check", False, "wrong"),
        ("modules.http.quick_death_rule", True, "wrong"),
        ("modules.http.quick_death_rule", 3, "wrong"),
        ("modules.http.quick_death_rule", "2", "wrong"),
        ("modules.http.port", 80, "wrong"),
        ("modules.http.show_info", False, "wrong"),
        ("modules.stop", "closed for today", "wrong"),
        ("modules.reconnect.enabled", False, "wrong"),
        ("modules.reconnect.wait_time", 1_000, "unwise"),
        ("modules.test_mode.no_connect_count_limit", False, "unwise"),
        ("modules.max_rooms_count", 10, "unwise"),
        ("port", 7_000, "wrong"),
        ("hostinfo.lflist", 1, "wrong"),
        ("hostinfo.no_check_deck", True, "unwise"),
        ("hostinfo.auto_death", 40, "wrong"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(path: str, value: object, weight: str) -> None:
    """Issue 3: permissions, rules and modes: one finding, with the change that mends it and nothing else."""
    broken = changed(path, value)
    assert found(broken) == [(path, weight)]
    (finding,) = examine_config(broken, WISH)
    assert finding.change is not None
    assert finding.file == CONFIG
    assert list(examine_config(with_value(broken, finding.change.path, finding.change.value), WISH)) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("modules.challonge.challonge_url", "https://tournaments.example.org:444/challonge/main/"),
        ("modules.challonge.tournament_id", 456),
        ("modules.challonge.cache_ttl", 0),
        ("modules.http.quick_death_rule", False),
        ("modules.reconnect.wait_time", 120_000),
        ("modules.max_rooms_count", 100),
        ("modules.welcome", "anything"),
    ],
)
def test_what_works_as_well_is_let_be(path: str, value: object) -> None:
    """duel-server.md 2, 3: ``false`` is rule 2; any way to the face, any word, any short time."""
    assert found(changed(path, value)) == []


def test_what_is_not_there_does_not_fit() -> None:
    """A file that says nothing: each setting is named, and all together mend it."""
    findings = list(examine_config({}, WISH))
    assert any("modules.challonge.enabled is not there, should be true" in f.what for f in findings)
    mended: dict[str, Any] = {}
    for finding in findings:
        assert finding.change is not None
        mended = with_value(mended, finding.change.path, finding.change.value)
    assert list(examine_config(mended, WISH)) == []


def test_secrets_are_never_told() -> None:
    """House 5: neither the one that is there nor the one that should be."""
    (finding,) = examine_config(changed("modules.challonge.api_key", "0ther"), WISH)
    assert finding.change is not None
    assert finding.change.secret
    assert not {"k3y", "0ther"} & set(finding.what.split())
    assert found(changed("modules.challonge.api_key", "0ther"), replace(WISH, challonge_key=None)) == []
    (finding,) = examine_users(with_value(USERS_FITTING, ("users", "relayd", "password"), "0ther"), WISH)
    assert "pw" not in finding.what.split()
    assert "0ther" not in finding.what


def test_the_other_links_want_no_challonge() -> None:
    """duel-server.md 3, 10.a: with it on srvpro asks it who sits where, and names the rooms itself."""
    for link in ("http", "plugin"):
        assert found(FITTING, linked(link)) == [("modules.challonge.enabled", "wrong")]
    plain = changed("modules.challonge.enabled", value=False)
    rule = with_value(plain, ("modules", "http", "quick_death_rule"), 1)
    assert found(rule, linked("http")) == [("modules.http.quick_death_rule", "wrong")]
    assert found(rule, linked("plugin")) == []  # the plugin sets it
    assert found(plain, replace(linked("http"), api_url="https://elsewhere:7923")) == []


def test_habits_and_lists_must_say_the_same() -> None:
    """Decisions 15: a best of one server; no list at all; a retro list with cards of other regions."""
    assert found(FITTING, linked("challonge", no_match_mode=True)) == [
        ("modules.challonge.no_match_mode", "wrong")
    ]
    without = linked("challonge", default_environment="")
    assert found(FITTING, without) == [("hostinfo.lflist", "wrong"), ("hostinfo.rule", "unwise")]
    none = with_value(
        with_value(FITTING, ("hostinfo", "lflist"), -1), ("hostinfo", "no_check_deck"), value=True
    )
    assert found(with_value(none, ("hostinfo", "rule"), 5), without) == []
    assert found(FITTING, linked("challonge", default_environment="goat")) == [("hostinfo.rule", "unwise")]


def test_what_a_running_server_tells_is_looked_at_as_far_as_it_goes() -> None:
    """duel-server.md 10: its plugin knows a few settings; the others are not known to be wrong."""
    facts = linked("plugin").facts
    told = {"modules": {"challonge": {"enabled": True}, "http": {"quick_death_rule": 1}}}
    paths = [".".join(f.change.path) for f in examine_told(told, facts) if f.change is not None]
    assert sorted(paths) == ["modules.challonge.enabled", "modules.http.quick_death_rule"]
    assert list(examine_told({}, facts)) == []
    hidden = {"modules": {"http": {"show_info": False, "quick_death_rule": 1}}}
    assert len(list(examine_told(hidden, WISH.facts))) == 2


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("users.relayd", None, "there is no account relayd"),
        ("users.relayd.enabled", False, "users.relayd.enabled is not true"),
        ("users.relayd.password", "x", "users.relayd.password is not that of api_password_file"),
        ("users.relayd.permissions", "streamer", "lack start_death, kick_user, shout"),
        ("users.relayd.permissions", "nobody", "lack get_rooms, start_death, kick_user, shout"),
        ("users.relayd.permissions", {**JUDGE, "start_death": False}, "lack start_death"),
        ("permission_examples.judge.kick_user", False, "lack kick_user"),
    ],
)
def test_an_account_that_may_not_enough_is_named(path: str, value: object, words: str) -> None:
    """Issue 3, duel-server.md 1: there, enabled, with the password, and with all four permissions."""
    broken = with_value(USERS_FITTING, path.split("."), value)
    (finding,) = examine_users(broken, WISH)
    assert (finding.file, finding.weight) == (USERS, "wrong")
    assert words in finding.what
    assert finding.change is not None
    assert list(examine_users(with_value(broken, finding.change.path, finding.change.value), WISH)) == []


def test_an_open_front_door_is_named() -> None:
    """duel-server.md 1: the account that srvpro ships, once somebody has enabled it."""
    assert list(examine_users(USERS_FITTING, WISH)) == []
    open_door = with_value(USERS_FITTING, ("users", "root", "enabled"), value=True)
    assert [finding.weight for finding in examine_users(open_door, replace(WISH, account=None))] == ["unwise"]


def lflist(*lists: tuple[str, Mapping[int, int]]) -> bytes:
    """Return a file with those lists."""
    return "".join(
        f"!{name}\n" + "".join(f"{code} {count}\n" for code, count in limits.items())
        for name, limits in lists
    ).encode()


def limited(key: Any) -> dict[int, int]:
    """Return the carried list of a retro environment."""
    return {code: limit for code, limit in pool_limits(key).items() if limit < 3}


def words(findings: Iterator[Finding]) -> str:
    """Return all that was found."""
    return "\n".join(finding.what for finding in findings)


def test_lists_are_where_the_settings_say() -> None:
    """D10: by their place among the dated headers; the first is the default's; they allow what is legal."""
    wish = linked("http", lists=(("edison", 3), ("goat", 2)))
    data = lflist(("2026.7", {1: 0}), ("2005.4 GOAT", limited("goat")), ("2010.3", limited("edison")))
    assert list(examine_lists(data, wish)) == []
    swapped = lflist(("2026.7", {1: 0}), ("2010.3", limited("edison")), ("2005.4", limited("goat")))
    assert "list 2, !2010.3, is stricter than that of goat for" in words(examine_lists(swapped, wish))
    short = lflist(("2026.7", {1: 0}))
    assert words(examine_lists(short, wish)).count("there are 1 lists, and habits.lists of relayd puts") == 2


def test_a_list_without_a_date_is_named() -> None:
    """D10: srvpro does not count it, so its numbers are not YGOPro's from there on."""
    wish = linked("http", lists=(("goat", 2),))
    data = lflist(("2026.7", {1: 0}), ("GOAT", limited("goat")))
    assert "the list !GOAT begins with no date" in words(examine_lists(data, wish))
    assert "there are 1 lists" in words(examine_lists(data, wish))


def test_the_first_list_is_the_one_that_decks_are_judged_by() -> None:
    """D44: relayd and the duel server read the same; a retro default is compared with the carried list."""
    data = lflist(("2026.7", {1: 0}))
    assert "is not the first one of environment.lflist_path" in words(
        examine_lists(data, replace(WISH, list_hash=1))
    )
    assert list(examine_lists(data, WISH)) == []
    goat = linked("challonge", default_environment="goat")
    strict = {**limited("goat"), next(code for code, limit in pool_limits("goat").items() if limit == 3): 0}
    assert "is stricter than that of goat for 1 cards" in words(
        examine_lists(lflist(("2005.4", strict)), goat)
    )
    assert list(examine_lists(lflist(("2005.4", limited("goat"))), goat)) == []
    assert "has at most" in words(examine_lists(b"!" + b"x" * MAX_FILE_BYTES, WISH))


def test_decks_that_lie_around_are_named() -> None:
    """duel-server.md 8: a folder that is not empty keeps out who is not in it."""
    (finding,) = examine_decks(["b.ydk", "a.ydk"], FITTING)
    assert (finding.weight, finding.what) == ("unwise", "2 decks lie there, a.ydk first")
    assert list(examine_decks([], FITTING)) == []
    assert list(examine_decks(["a.ydk"], changed("modules.tournament_mode.enabled", value=False))) == []


@pytest.mark.parametrize(
    ("files", "file", "what"),
    [
        (replace(PLUGIN, script=None), PLUGIN_SCRIPT, "it is not there"),
        (replace(PLUGIN, script=b"old"), PLUGIN_SCRIPT, "not the one that belongs to this relayd"),
        (replace(PLUGIN, conf=CONF.replace("main", "other")), PLUGIN_CONF, "server is other, should be main"),
        (replace(PLUGIN, token="0ther"), "./config/relayd.token", "another token"),
        (replace(PLUGIN, token=None), "./config/relayd.token", "not there"),
        (
            replace(PLUGIN, conf=f"{CONF}url = ws://127.0.0.1:1/plugin"),
            PLUGIN_CONF,
            "url is ws://127.0.0.1:1",
        ),
        (replace(PLUGIN, conf=f"{CONF}url = http://x/plugin"), PLUGIN_CONF, "url is http://x/plugin"),
        (replace(PLUGIN, conf=f"{CONF}url = wss://x/admin"), PLUGIN_CONF, "url is wss://x/admin"),
        (replace(PLUGIN, conf=f"{CONF}lead = off"), PLUGIN_CONF, "lead is off"),
        (replace(PLUGIN, conf=f"{CONF}death_rule = 0"), PLUGIN_CONF, "death_rule is 0, should be 2"),
    ],
)
def test_a_plugin_that_does_not_reach_us_is_named(files: PluginFiles, file: str, what: str) -> None:
    """Issue 3: the file, its settings, its token; each with the change that mends it."""
    (finding,) = examine_plugin(files, PLUGIN, WISH)
    assert finding.file == file
    assert what in finding.what
    assert "0ther" not in finding.what
    assert finding.change is not None


def test_a_plugin_that_is_not_there_is_put_there_whole() -> None:
    """Issue 3: script, settings and token from nothing; then there is nothing more to say."""
    shipped = PluginFiles(script=b"new", conf="# id\nserver =\n#url = x\ntoken_file = ./t\n")
    nothing = PluginFiles(script=None, conf=None)
    findings = list(examine_plugin(nothing, shipped, WISH))
    text = shipped.conf or ""
    for finding in findings:
        assert finding.change is not None
        if finding.file == PLUGIN_CONF:
            text = with_setting(text, finding.change.path[0], str(finding.change.value))
    there = PluginFiles(script=b"new", conf=text, token="t0ken")
    assert list(examine_plugin(there, shipped, WISH)) == []
    (finding,) = examine_plugin(replace(there, conf="server = main"), shipped, WISH)
    assert finding.what == "token_file is not set"
    assert list(examine_plugin(there, shipped, replace(WISH, plugin_token=None))) == []


def test_settings_of_the_plugin_are_read_and_written_in_their_lines() -> None:
    """relayd.conf: comments stay, a value that is commented out gets its line, an unknown one the end."""
    text = "# server = x\nserver = y # z\n#url = u\n"
    assert dict(read_conf(text)) == {"server": "y"}
    assert with_setting(text, "server", "main") == "# server = x\nserver = main\n#url = u\n"
    assert with_setting(text, "url", "ws://h") == "# server = x\nserver = y # z\nurl = ws://h\n"
    assert with_setting(text, "lead", "on").endswith("#url = u\nlead = on\n")


keys = st.text(min_size=1, max_size=3)
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
trees = st.dictionaries(keys, st.recursive(leaves, lambda inner: st.dictionaries(keys, inner), max_leaves=9))


@given(trees, st.lists(keys, min_size=1, max_size=4), leaves)
def test_a_value_that_is_set_is_there_and_nothing_else_has_changed(
    tree: dict[str, Any], path: list[str], value: object
) -> None:
    """Law: what was written is read; every other path outside of it reads as before."""
    after = with_value(tree, path, value)
    assert at(after, path) == value
    assert all(after[key] == tree[key] for key in tree if key != path[0])
    assert at(tree, [*path, "\ufffe-not-there"]) is MISSING or isinstance(at(tree, path), Mapping)


@given(trees, trees)
def test_what_holds_is_the_own_over_the_shipped(shipped: dict[str, Any], own: dict[str, Any]) -> None:
    """Law: each leaf of the own settings holds; each key of the shipped ones is still there."""
    held = overlaid(shipped, own)
    assert held.keys() == shipped.keys() | own.keys()
    assert overlaid(held, own) == held
    for key, value in own.items():
        if not isinstance(value, Mapping) or not isinstance(shipped.get(key), Mapping):
            assert held[key] == value
