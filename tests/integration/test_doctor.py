"""relayctl server doctor, at a srvpro's folder and at duel servers that run."""

import json
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner, Result
from msgspec.structs import replace

from relayd.bridge.bridge import Bridge
from relayd.bridge.examining import GREETING, NOWHERE, Examiner
from relayd.bridge.facade import Facade, Heard
from relayd.bridge.gateway.gateway import Gateway
from relayd.bridge.gateway.questions import Questions
from relayd.bridge.gateway.records import Records
from relayd.bridge.intake import Intake
from relayd.cli import main as relayctl
from relayd.cli.doctor.folder import shipped_plugin
from relayd.environments import Environments
from relayd.exits import Exit
from relayd.settings import EnvironmentSettings
from relayd.storage.sqlite.cursors import SqliteCursors
from ruleset.ids import Instant, ServerId
from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.protocol import CardList, Hello
from tests.bridging import Answer, ServerStub, World, duel_server, person, room, serving, world
from tests.builders import SERVER
from tests.gateways import FACTS, HELLO

JUDGE = dict.fromkeys(("get_rooms", "shout", "kick_user", "start_death", "duel_log"), True)
SHIPPED = {
    "file": "./config/config.json",
    "port": 7911,
    "hostinfo": {"lflist": 0, "rule": 0, "no_check_deck": False, "auto_death": False},
    "modules": {
        "stop": False,
        "max_rooms_count": 0,
        "challonge": {
            "enabled": False,
            "post_detailed_score": True,
            "post_score_midduel": True,
            "cache_ttl": 60_000,
            "no_match_mode": False,
            "api_key": "123",
            "tournament_id": "456",
            "challonge_url": "https://api.challonge.com",
        },
        "tournament_mode": {"enabled": False, "deck_check": True, "deck_path": "./decks/"},
        "http": {"port": 7922, "quick_death_rule": 2, "show_info": True},
        "reconnect": {"enabled": True, "wait_time": 90_000},
        "test_mode": {"no_connect_count_limit": False},
    },
}
"""Of what srvpro ships the settings that we know of (duel-server.md)."""
SHIPPED_USERS = {
    "users": {
        "file": "./config/admin_user.json",
        "permission_examples": {"judge": JUDGE},
        "users": {"root": {"password": "123456", "enabled": False, "permissions": "judge"}},
    }
}
SETTINGS = """
data_dir = "{folder}/data"
[[duel_server]]
id = "main"
host = "duel.example.org"
link = "{link}"
challonge_key_file = "{folder}/key"
plugin_token_file = "{folder}/token"
api_url = "http://127.0.0.1:7922"
api_user = "relayd"
api_password_file = "{folder}/password"
"""


@pytest.fixture
def srvpro(tmp_path: Path) -> Path:
    """A srvpro that has never been started, and a daemon's settings beside it."""
    folder = tmp_path / "srvpro"
    (folder / "data").mkdir(parents=True)
    (folder / "plugins").mkdir()
    (folder / "data" / "default_config.json").write_text(json.dumps(SHIPPED), encoding="utf-8")
    (folder / "data" / "default_data.json").write_text(json.dumps(SHIPPED_USERS), encoding="utf-8")
    for name in ("key", "token", "password"):
        (tmp_path / name).write_text(f"s3cret-{name}\n", encoding="utf-8")
    write_settings(tmp_path, "challonge")
    return folder


def write_settings(folder: Path, link: str) -> None:
    """Write the daemon's settings."""
    (folder / "relayd.toml").write_text(SETTINGS.format(folder=folder, link=link), encoding="utf-8")


def doctor(srvpro: Path, *words: str) -> Result:
    """Return how the command ended."""
    config = srvpro.parent / "relayd.toml"
    line = ["server", "doctor", "--srvpro", str(srvpro), "--config", str(config), *words]
    return CliRunner().invoke(relayctl, line)


def findings(srvpro: Path, *words: str) -> list[dict[str, Any]]:
    """Return what was found."""
    (told,) = json.loads(doctor(srvpro, *words, "--json").stdout)
    found: list[dict[str, Any]] = told["findings"]
    return found


def test_a_fresh_srvpro_is_connected_by_one_command(srvpro: Path) -> None:
    """Issue 3: six settings and an account, each with its reason; then nothing is wrong any more."""
    before = doctor(srvpro)
    assert before.exit_code == Exit.REFUSED
    assert "main: 6 wrong, 1 unwise" in before.stdout
    assert "modules.challonge.cache_ttl is 60000, should be 1000" in before.stdout
    assert "With --fix" in before.stdout
    mended = doctor(srvpro, "--fix")
    assert mended.exit_code == Exit.OK
    assert "Restart srvpro now" in mended.stdout
    assert "s3cret" not in before.stdout + mended.stdout
    after = doctor(srvpro)
    assert (after.exit_code, "main: 0 wrong, 1 unwise" in after.stdout) == (Exit.OK, True)
    config = json.loads((srvpro / "config/config.json").read_text(encoding="utf-8"))
    assert config["modules"]["challonge"]["challonge_url"] == "http://127.0.0.1:8720/challonge/main"
    assert config["modules"]["challonge"]["api_key"] == "s3cret-key"
    assert config["port"] == 7911
    assert not list(srvpro.glob("config/*.before-relayd"))


def test_the_operators_own_files_are_kept_once(srvpro: Path) -> None:
    """Issue 3, bad input loses nothing: everything else stays, the first version lies beside it."""
    own = srvpro / "config" / "config.json"
    own.parent.mkdir()
    own.write_text(
        '\ufeff{"port": 7911,\n "modules": {"welcome": "你好",\n  "stop": "closed"}}', encoding="utf-8"
    )
    own.chmod(0o640)
    stop = next(found for found in findings(srvpro) if "modules.stop" in found["what"])
    assert (stop["file"], stop["line"]) == ("config/config.json", 3)
    assert doctor(srvpro, "--fix").exit_code == Exit.OK
    written = json.loads(own.read_text(encoding="utf-8"))
    assert (written["modules"]["welcome"], written["modules"]["stop"]) == ("你好", False)
    assert stat.S_IMODE(own.stat().st_mode) == 0o640
    kept = own.with_name("config.json.before-relayd")
    assert '"stop": "closed"' in kept.read_text(encoding="utf-8")
    own.write_text("{}", encoding="utf-8")
    doctor(srvpro, "--fix")
    assert '"stop": "closed"' in kept.read_text(encoding="utf-8")


def test_an_account_needs_no_restart(srvpro: Path) -> None:
    """duel-server.md 1: srvpro reads its accounts at every request."""
    doctor(srvpro, "--fix")
    users = srvpro / "config" / "admin_user.json"
    broken = json.loads(users.read_text(encoding="utf-8"))
    broken["users"]["relayd"]["enabled"] = False
    users.write_text(json.dumps(broken, indent=1), encoding="utf-8")
    (found,) = [found for found in findings(srvpro) if found["weight"] == "wrong"]
    assert found["line"] is not None
    assert "at its next request" in doctor(srvpro, "--fix").stdout
    assert json.loads(users.read_text(encoding="utf-8"))["users"]["relayd"]["enabled"]


def test_the_plugin_is_put_there(srvpro: Path) -> None:
    """Issue 3: script, settings and token; the token is for its owner alone."""
    write_settings(srvpro.parent, "plugin")
    assert doctor(srvpro).exit_code == Exit.REFUSED
    assert doctor(srvpro, "--fix").exit_code == Exit.OK
    assert [found["weight"] for found in findings(srvpro)] == ["unwise"]
    shipped = shipped_plugin()
    assert (srvpro / "plugins/relayd.js").read_bytes() == shipped.script
    conf = (srvpro / "plugins/relayd.conf").read_text(encoding="utf-8")
    assert "\nserver = main\n" in conf
    assert conf.splitlines()[0] == (shipped.conf or "").splitlines()[0]
    token = srvpro / "config" / "relayd.token"
    assert token.read_text(encoding="utf-8") == "s3cret-token\n"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_lists_and_decks_in_its_folder_are_looked_at(srvpro: Path) -> None:
    """D10, duel-server.md 8: what lies there; --fix leaves to the operator what takes a person."""
    (srvpro / "ygopro").mkdir()
    (srvpro / "ygopro" / "lflist.conf").write_text("!no date\n!2026.7\n", encoding="utf-8")
    (srvpro / "decks").mkdir()
    (srvpro / "decks" / "Eve.ydk").touch()
    doctor(srvpro, "--fix")
    assert {found["file"] for found in findings(srvpro)} == {
        "config/config.json",
        "decks",
        "ygopro/lflist.conf",
    }
    assert doctor(srvpro, "--fix").exit_code == Exit.REFUSED


def test_a_secret_that_nobody_may_read_is_not_compared(srvpro: Path) -> None:
    """Issue 3: what could not be looked at is said, and nothing is written for it."""
    doctor(srvpro, "--fix")
    (srvpro.parent / "key").unlink()
    (told,) = json.loads(doctor(srvpro, "--json").stdout)
    assert [finding["weight"] for finding in told["findings"]] == ["unwise"]
    assert "key: the secret cannot be read" in told["unchecked"][0]


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("config/config.json", "{", "config.json: is not JSON"),
        ("config/config.json", "[]", "config.json: is no JSON object"),
        ("config/admin_user.json", "[" * 100_000, "admin_user.json: is not JSON"),
        ("config/config.json", None, "config.json: cannot be read"),
        ("plugins/relayd.conf", b"\xff", "relayd.conf: it is not text"),
    ],
)
def test_what_cannot_be_read_is_named(
    srvpro: Path, file: str, content: str | bytes | None, says: str
) -> None:
    """Decisions 11: exit 3 with the file and why; nothing is written."""
    write_settings(srvpro.parent, "plugin")
    path = srvpro / file
    path.parent.mkdir(exist_ok=True)
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ended = doctor(srvpro, "--fix")
    assert (ended.exit_code, says in ended.stderr) == (Exit.UNREADABLE, True)
    assert not list(srvpro.rglob("*.before-relayd"))


def test_wrong_usage_is_said(srvpro: Path) -> None:
    """Decisions 11: which server, which settings, which folder."""

    def ends(*words: str) -> tuple[int, str]:
        ended = CliRunner().invoke(relayctl, ["server", "doctor", *words])
        return ended.exit_code, ended.stderr

    config = str(srvpro.parent / "relayd.toml")
    assert ends("nope", "--srvpro", str(srvpro), "--config", config)[0] == Exit.USAGE
    assert "known are main" in ends("nope", "--srvpro", str(srvpro), "--config", config)[1]
    assert ends("--fix") == (Exit.USAGE, "relayctl: --fix writes into a folder: name it with --srvpro\n")
    assert ends("--srvpro", str(srvpro.parent), "--config", config)[0] == Exit.UNREADABLE
    assert ends("--srvpro", str(srvpro), "--config", f"{config}.absent")[0] == Exit.UNREADABLE
    assert ends("--srvpro", str(srvpro / "absent"), "--config", config)[0] == Exit.USAGE
    if not Path("/etc/relayd/relayd.toml").exists():
        assert ends("--srvpro", str(srvpro))[0] == Exit.USAGE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_writes_belongs_to_srvpro(srvpro: Path) -> None:
    """Issue 3: srvpro writes its config itself, so it must own it, and the copy with the secrets, too."""
    os.chown(srvpro, 12_345, 12_345)
    (srvpro / "config").mkdir()
    (srvpro / "config" / "config.json").write_text("{}", encoding="utf-8")
    doctor(srvpro, "--fix")
    owners = {file.name: file.stat().st_uid for file in (srvpro / "config").iterdir()}
    assert owners == {"config.json": 0, "config.json.before-relayd": 12_345, "admin_user.json": 12_345}


@pytest.fixture
async def stub() -> AsyncIterator[ServerStub]:
    """A duel server without rooms."""
    async with serving(ServerStub()) as stub:
        yield stub


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A daemon's inside."""
    async with world(tmp_path) as here:
        yield here


@pytest.fixture
async def facing(here: World, stub: ServerStub, tmp_path: Path) -> AsyncIterator[tuple[Facade, Examiner]]:
    """The face, and whoever examines."""
    intake, servers = Intake(here.inside), [duel_server(stub.url)]
    bridge, facade = Bridge(servers, here.http, here.inside), Facade(servers, here.inside, intake)
    cursors = SqliteCursors(tmp_path / "cursors.db")
    questions = Questions(here.inside, Environments(EnvironmentSettings()))
    gateway = Gateway(servers, bridge.plugins, here.inside, Records(here.inside, intake, cursors), questions)
    yield facade, Examiner(bridge, facade, gateway, here.clock)
    await cursors.close()


async def test_a_server_that_runs_is_asked_without_harm(
    stub: ServerStub, facing: tuple[Facade, Examiner]
) -> None:
    """duel-server.md 1: permissions show in answers about a room that is not there; nobody hears a thing."""
    _, examine = facing
    told = await examine(SERVER)
    assert told.findings == ()
    assert set(stub.orders) == {("deathcancel", NOWHERE), ("kick", NOWHERE), ("shout", GREETING)}
    assert "permission kick_user" in told.checked
    stub.rooms, stub.orders = [room("M#X", person("Alice", 0))], []
    told = await examine(SERVER)
    assert "shout" not in {verb for verb, _ in stub.orders}
    assert any("permission shout" in line for line in told.unchecked)


async def test_what_the_account_may_not_is_named(stub: ServerStub, facing: tuple[Facade, Examiner]) -> None:
    """Issue 3: each permission that is lacking, and what relayd cannot do without it."""
    _, examine = facing
    stub.forbidden = frozenset({"deathcancel", "shout"})
    found = [(finding.file, finding.what) for finding in (await examine(SERVER)).findings]
    assert found == [
        ("config/admin_user.json", "the account's permissions lack start_death"),
        ("config/admin_user.json", "the account's permissions lack shout"),
    ]
    stub.deaf, stub.forbidden = True, frozenset()
    told = await examine(SERVER)
    assert told.findings == ()
    assert any("permission kick_user: answers with HTTP status 500" in line for line in told.unchecked)


async def test_hidden_rooms_are_named(stub: ServerStub, facing: tuple[Facade, Examiner]) -> None:
    """duel-server.md 1: show_info = false shows that a room has started, and no more."""
    _, examine = facing
    stub.instead = saying('{"rooms":[{"roomid":"1","roomname":"M#X","users":[],"istart":"start"}]}')
    (finding,) = (await examine(SERVER)).findings
    assert "modules.http.show_info is false, should be true" in finding.what


async def test_a_server_that_does_not_answer_is_named(
    stub: ServerStub, facing: tuple[Facade, Examiner]
) -> None:
    """Issue 3: an account that is refused, something else at its address."""
    _, examine = facing
    stub.instead = saying('{"rooms":[{"roomid":"0","roomname":"密码错误","needpass":"true"}]}')
    (finding,) = (await examine(SERVER)).findings
    assert "the account is refused" in finding.what
    stub.instead = saying("<html>")
    (finding,) = (await examine(SERVER)).findings
    assert "does not answer as srvpro does" in finding.what


def saying(text: str) -> Answer:
    """Return an answer to whatever is asked."""

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(text=text)

    return answer


class Told(Gateway):
    """A gateway with a plugin that has said *said*."""

    said: Hello | None = None

    def hello(self, server: ServerId) -> Hello | None:
        """Return it."""
        del server
        return self.said


async def test_what_a_plugin_tells_of_its_server_is_looked_at(here: World, tmp_path: Path) -> None:
    """duel-server.md 10: no plugin, one whose server does not fit, one whose does; no API is no fault."""
    facts = ServerFacts(id=SERVER, link="plugin", lists=(("goat", 2),))
    servers = [duel_server(None, facts=facts, account=None, challonge_key=None, plugin_token="t")]
    bridge, cursors = Bridge(servers, here.http, here.inside), SqliteCursors(tmp_path / "cursors.db")
    records = Records(here.inside, Intake(here.inside), cursors)
    questions = Questions(here.inside, Environments(EnvironmentSettings()))
    gateway = Told(servers, bridge.plugins, here.inside, records, questions)
    examine = Examiner(bridge, Facade(servers, here.inside, Intake(here.inside)), gateway, here.clock)
    told = await examine(SERVER)
    assert [finding.what for finding in told.findings] == ["the plugin is not connected"]
    assert told.unchecked == ("the admin API: relayd's settings have no api_url",)
    gateway.said = hello(challonge=True, reconnect_ms=0, connect_limit=True, quick_death_rule=1)
    found = "\n".join(finding.what for finding in (await examine(SERVER)).findings)
    for setting in ("challonge.enabled", "quick_death_rule", "reconnect.enabled", "no_connect_count_limit"):
        assert setting in found
    assert "there are 0 lists, and habits.lists of relayd puts goat at 2" in found
    gateway.said = hello(
        lists=(CardList(date="2026-07-01", tcg=False), CardList(date="2005-04-01", tcg=True))
    )
    told = await examine(SERVER)
    assert (told.findings, told.checked) == ((), ("plugin 1.0.0 is connected",))
    await cursors.close()


def hello(**facts: Any) -> Hello:
    """Return what a plugin says first, with other facts."""
    return replace(HELLO, facts=replace(FACTS, **facts))


async def test_the_challonge_module_is_known_by_what_came(
    facing: tuple[Facade, Examiner], here: World
) -> None:
    """duel-server.md 3: it asks when somebody joins; a wrong key shows then, and not before."""
    facade, examine = facing
    assert any("nobody has since relayd was started" in line for line in (await examine(SERVER)).unchecked)
    facade.heard[SERVER] = Heard(at=Instant(here.clock.now() - 3_000), right_key=True)
    assert "its Challonge module asked or told 3 s ago, with the right key" in (await examine(SERVER)).checked
    facade.heard[SERVER] = Heard(at=here.clock.now(), right_key=False)
    (finding,) = (await examine(SERVER)).findings
    assert "api_key is not that of challonge_key_file" in finding.what
