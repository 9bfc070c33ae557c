"""The messages between plugin and daemon: documented, strict, and alike on both sides."""

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from srvpro_bridge import protocol
from srvpro_bridge.errors import PeerError
from srvpro_bridge.protocol import (
    FromDaemon,
    FromPlugin,
    Hello,
    ProtocolError,
    Trouble,
    encode,
    from_daemon,
    from_plugin,
    negotiate,
)

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "srvpro_bridge" / "plugin" / "srvpro"
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text()
_, _PLUGIN_SAYS, _DAEMON_SAYS = re.split(
    r"^## What the (?:plugin|daemon) says$", DOCUMENT, flags=re.MULTILINE
)


def examples(section: str) -> list[tuple[str, str]]:
    """Return the headings of a part of the document, each with the example under it."""
    return re.findall(r"^#{3,4} `(\w+)`$.*?^```json\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


FROM_PLUGIN = examples(_PLUGIN_SAYS)
FROM_DAEMON = examples(_DAEMON_SAYS)


def spoken(types: object) -> set[str]:
    """Return the type names of a union of messages."""
    return {kind.__struct_config__.tag for kind in get_args(types)}


def ids(shown: list[tuple[str, str]]) -> list[str]:
    """Name the cases by their messages."""
    return [name for name, _ in shown]


@pytest.mark.parametrize(("name", "example"), FROM_PLUGIN, ids=ids(FROM_PLUGIN))
def test_each_example_of_the_plugin_is_read(name: str, example: str) -> None:
    """docs/protocol.md: what it shows is read as that message and written again as it was."""
    assert json.loads(example)["type"] == name
    assert json.loads(encode(from_plugin(example))) == json.loads(example)


@pytest.mark.parametrize(("name", "example"), FROM_DAEMON, ids=ids(FROM_DAEMON))
def test_each_example_of_the_daemon_is_read(name: str, example: str) -> None:
    """docs/protocol.md: what it shows is read as that message and written again as it was."""
    assert json.loads(example)["type"] == name
    assert json.loads(encode(from_daemon(example))) == json.loads(example)


def test_every_message_is_documented_once() -> None:
    """Step 2: docs/protocol.md describes every message with an example, and none that does not exist."""
    assert sorted(ids(FROM_PLUGIN)) == sorted(spoken(FromPlugin))
    assert sorted(ids(FROM_DAEMON)) == sorted(spoken(FromDaemon))


def mutations(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the message with each field left out, of another type, and with one field too many."""
    missing = [{key: message[key] for key in message if key != gone} for gone in message]
    odd = [{**message, key: {"odd": [1.5]}} for key in message]
    return [*missing, *odd, {**message, "more": 1}]


@pytest.mark.parametrize(("name", "example"), FROM_PLUGIN, ids=ids(FROM_PLUGIN))
def test_a_changed_message_is_refused(name: str, example: str) -> None:
    """F17: no field may be missing, odd or added; a record's number is still told, to set it aside."""
    for changed in mutations(json.loads(example)):
        with pytest.raises(ProtocolError) as caught:
            from_plugin(json.dumps(changed))
        assert caught.value.close_code == 1002
        seq = changed.get("seq")
        assert caught.value.seq == (seq if isinstance(seq, int) else None)
    assert name in spoken(FromPlugin)


@pytest.mark.parametrize(
    ("frame", "code", "close_code"),
    [
        ("", "not_json", 1007),
        ('{"type": "trouble", "place": "', "not_json", 1007),
        (b"\xff\xfe{}", "not_json", 1007),
        ('{"type": "trouble", "place": "\\ud800", "text": "", "count": 1}', "not_json", 1007),
        ('{"type": "trouble", "place": "\ud800", "text": "", "count": 1}', "not_json", 1007),
        ('{"type": "trouble", "place": "", "text": "", "count": NaN}', "not_json", 1007),
        ('{"type": "trouble", "place": "", "text": "", "count": ' + "9" * 5_000 + "}", "wrong_shape", 1002),
        ('{"type": "trouble", "place": ' + "[" * 100_000 + "]" * 100_000, "wrong_shape", 1002),
        ('{"type": "' + "x" * (1 << 20) + '"}', "too_large", 1009),
        ('{"type": "nonsense"}', "wrong_shape", 1002),
        ('{"type": "welcome"}', "wrong_shape", 1002),
        ("{}", "wrong_shape", 1002),
        ("[]", "wrong_shape", 1002),
        ("null", "wrong_shape", 1002),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_frame_that_is_no_message_has_its_close_code(
    frame: str | bytes, code: str, close_code: int
) -> None:
    """F17, F18: the peer learns whether it sent no text, no message or too much; nothing else escapes."""
    with pytest.raises(ProtocolError) as caught:
        from_plugin(frame)
    assert (caught.value.code, caught.value.close_code) == (code, close_code)
    assert caught.value.seq is None


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 0},
        {"seq": 1 << 53},
        {"seq": 1.5},
        {"seq": True},
        {"at": -1},
        {"room": ""},
        {"code": "x12r3t4"},
        {"code": "X12R3T4$"},
        {"name": "x" * 65},
        {"ending": "won"},
        {"players": [{"pos": 2, "nickname": "A", "seat": None, "score": 0}]},
        {"players": [{"pos": 0, "nickname": "A", "seat": "c", "score": 0}]},
        {"games": [{"winner": 2, "reason": 0, "first": 0}]},
        {"away": [0, 1, 0]},
    ],
    ids=str,
)
def test_values_have_bounds(change: dict[str, object]) -> None:
    """A number, a name or a word outside of what it can be is refused, not booked."""
    message = json.loads(dict(FROM_PLUGIN)["room_closed"]) | change
    with pytest.raises(ProtocolError):
        from_plugin(json.dumps(message))


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_nothing_but_protocol_errors_escapes(frame: bytes | str) -> None:
    """F17: whatever comes is a message or a PeerError."""
    for read in (from_plugin, from_daemon):
        try:
            read(frame)
        except PeerError:
            continue


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
)


@given(st.sampled_from(FROM_PLUGIN), st.data())
def test_one_changed_field_is_read_or_refused(shown: tuple[str, str], data: st.DataObject) -> None:
    """F17: with any value in any field a message is either read and written alike, or refused."""
    message = json.loads(shown[1])
    message[data.draw(st.sampled_from(sorted(message)))] = data.draw(json_values)
    try:
        read = from_plugin(json.dumps(message))
    except ProtocolError:
        return
    assert json.loads(encode(read)) == message


def test_the_best_common_version_is_spoken() -> None:
    """A newer plugin that still speaks version 1 is welcome; another is told who must be updated."""
    hello = from_plugin(dict(FROM_PLUGIN)["hello"])
    assert isinstance(hello, Hello)
    assert negotiate(hello.versions) == negotiate([3, 2, 1]) == 1
    with pytest.raises(ProtocolError, match="update the older") as caught:
        negotiate([2, 3])
    assert (caught.value.code, caught.value.close_code) == ("version", 1002)


def test_a_message_is_named_first() -> None:
    """docs/protocol.md: ``type`` comes first, so that a log line or a capture is read at a glance."""
    assert (
        encode(Trouble(place="a", text="b", count=1)) == '{"type":"trouble","place":"a","text":"b","count":1}'
    )
    assert set(protocol.__all__) <= set(dir(protocol))


def test_the_plugin_speaks_this_protocol() -> None:
    """Step 2: every message that the real plugin sends, played against srvpro's rules, is read here."""
    node = which("node")
    if node is None:
        pytest.skip("no node on PATH")
    if not (PLUGIN / "node_modules" / "ws").exists():
        pytest.skip("run npm ci in srvpro_bridge/plugin/srvpro first")
    played = subprocess.run([node, "harness/say-everything.js"], cwd=PLUGIN, capture_output=True, check=True)
    heard = {type(from_plugin(line)) for line in played.stdout.splitlines()}
    assert heard == set(get_args(FromPlugin)), sys.executable
