"""What an operator may write, and what he is told when it cannot be used."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.settings import (
    Settings,
    SettingsError,
    default_data_dir,
    load,
    secret,
    shown,
    surroundings,
)
from ruleset.ids import ServerId
from srvpro_bridge.capabilities import ServerFacts

SERVER = """
[[duel_server]]
id = "main"
host = "duel.example.org"
link = "challonge"
challonge_key_file = "/etc/relayd/key"
"""


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this process is set, and home is empty."""
    for name in [name for name in os.environ if name.startswith("RELAYD_")]:
        monkeypatch.delenv(name)
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CREDENTIALS_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def written(folder: Path, text: str) -> Path:
    """Return a settings file with *text*."""
    path = folder / "relayd.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> Iterator[str]:
    """Yield what is wrong with a file of *text*."""
    with pytest.raises(SettingsError) as caught:
        load(written(folder, text))
    yield from caught.value.problems


def test_the_daemon_runs_with_no_file_at_all(tmp_path: Path) -> None:
    """Decisions 7: both addresses are loopback, data lie in the user's own data folder."""
    settings = load()
    assert (settings.http.host, settings.http.port) == ("127.0.0.1", 8720)
    assert (settings.gateway.host, settings.gateway.port) == ("127.0.0.1", 8721)
    assert settings.data_dir == tmp_path / ".local/share/relayd"
    assert settings.admin_socket_path == settings.data_dir / "admin.sock"
    assert (settings.time_zone, str(settings.zone)) == ("Asia/Shanghai", "Asia/Shanghai")


def test_a_file_sets_and_a_variable_goes_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One tree: the file, and over it ``RELAYD_…`` with two underscores between the steps."""
    monkeypatch.setenv("RELAYD_HTTP__PORT", "80")
    monkeypatch.setenv("RELAYD_CONFIG", "says where the file is, and is no setting")
    settings = load(written(tmp_path, '[http]\nhost = "::1"\nport = 9\n' + SERVER))
    assert (settings.http.host, settings.http.port) == ("::1", 80)
    assert [server.id for server in settings.duel_server] == ["main"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("htttp.port = 1", "htttp: unknown setting; did you mean http?"),
        (
            'environment.own = [{ key = "goat", file = "f" }]',
            "environment: own: goat is there twice",
        ),
        (
            'environment.own = [{ key = "A b", file = "f" }]',
            "environment.own.0.key: String should match pattern '^[a-z0-9][a-z0-9-]{0,31}$' (it is 'A b')",
        ),
        ("[http]\nprot = 1", "http.prot: unknown setting; did you mean port?"),
        ("[clock]\nxyzzy = 1", "clock.xyzzy: unknown setting; known are scale, origin"),
        (SERVER + "api_usr = 'x'", "duel_server.0.api_usr: unknown setting; did you mean api_user?"),
        (
            SERVER + "[duel_server.poll]\nidle = 1",
            "duel_server.0.poll.idle: unknown setting; did you mean idle_ms?",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(tmp_path: Path, text: str, sentence: str) -> None:
    """House 5: unknown keys are errors, with their path."""
    assert sentence in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[http]\nport = 99999", "http.port: Input should be less than or equal to 65535 (it is 99999)"),
        ('time_zone = "Asia/Shangai"', "time_zone: no such time zone; did you mean Asia/Shanghai?"),
        ('time_zone = "0"', "time_zone: no such time zone"),
        (SERVER + 'api_url = "ftp://x"', "duel_server.0.api_url: write http://host:port"),
        (SERVER + 'api_url = "http://a:b@x"', "write the account into api_user and api_password_file"),
        (SERVER + 'api_url = "http://x:7922/"', "needs api_user, api_password_file"),
        (SERVER.replace("challonge_key", "plugin_token"), "link = 'challonge' needs challonge_key_file"),
        (SERVER + SERVER, "duel_server: main is there twice"),
        ('[[admin_socket.role]]\nrole = "judge"', "name either a user or a group"),
        ('[[admin_token]]\nname = "x"\nrole = "player"\ntoken_file = "/x"', "names its player"),
        (
            SERVER + "[duel_server.habits]\nlists = { goat = 0 }",
            "duel_server.0.habits.lists.goat: Input should",
        ),
        (SERVER.replace("duel.example.org", " "), "duel_server.0.host: String should match pattern"),
        ("[http]\nport = 1\n[http]\nhost = 'x'", "Cannot declare ('http',) twice (at line 3"),
        ("time_zone = 'UTC'\ntime_zone = 'UTC'", "the same key stands there twice"),
        (f'[admin_socket]\npath = "/{"x" * 107}"', "a unix socket's path has 107 bytes at most"),
        ("= 3", "is not TOML"),
    ],
)
def test_a_value_that_cannot_be_used_says_why(tmp_path: Path, text: str, sentence: str) -> None:
    """Every problem is one sentence with its place."""
    assert any(sentence in line for line in refusal(tmp_path, text))


def test_all_problems_are_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """House 5: three mistakes in file and variables, three lines, also where only a variable is unknown."""
    monkeypatch.setenv("RELAYD_HTPP__PORT", "1")
    lines = list(refusal(tmp_path, "[http]\nport = -1\n[clock]\nscale = 0"))
    assert len(lines) == 3
    assert "RELAYD_HTPP__PORT: unknown variable; did you mean RELAYD_HTTP?" in lines
    with pytest.raises(SettingsError, match="unknown variable"):
        load()


def test_a_secret_that_cannot_be_used_is_not_shown(tmp_path: Path) -> None:
    """House 5: of what is secret itself not even the wrong value."""
    (line,) = refusal(tmp_path, 'fixed_seed = "5ecret"')
    assert line.startswith("fixed_seed: ")
    assert "5ecret" not in line


def test_a_variable_deep_in_the_tree_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """House 5: an unknown step of a variable is an error, too."""
    monkeypatch.setenv("RELAYD_HTTP__PROT", "1")
    assert "http.prot: unknown setting; did you mean port?" in refusal(tmp_path, "")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Issue 2, bad input: one clear sentence."""
    with pytest.raises(SettingsError, match=r"absent\.toml: cannot be read: No such file"):
        load(tmp_path / "absent.toml")


def test_secrets_come_from_files_and_credentials(tmp_path: Path) -> None:
    """House 5: the newline at the end is no part of it; missing, empty and unpassed ones are refused."""
    (tmp_path / "key").write_text("s3cret\n", encoding="utf-8")
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff")
    assert secret(tmp_path / "key") == "s3cret"
    with pytest.raises(SettingsError, match="it is not text"):
        secret(tmp_path / "binary")
    with pytest.raises(SettingsError, match="the secret is empty"):
        secret(tmp_path / "empty")
    with pytest.raises(SettingsError, match="cannot be read"):
        secret(tmp_path / "absent")


def test_a_credential_is_passed_alone_or_with_its_folder(tmp_path: Path) -> None:
    """systemd.exec(5): ``LoadCredential=key:…``, or the unit's folder; root finds it where the unit does."""
    passed = tmp_path / "passed"
    passed.mkdir()
    (passed / "key").write_text("alone", encoding="utf-8")
    (passed / "secrets_other").write_text("of the folder", encoding="utf-8")
    (tmp_path / "key").write_text("on the disk", encoding="utf-8")
    service = surroundings({"CREDENTIALS_DIRECTORY": str(passed)})
    assert secret(Path("credential:key"), service) == "alone"
    assert secret(Path("credential:other"), service) == "of the folder"
    with pytest.raises(
        SettingsError, match=r"credential:absent: the secret cannot be read: .*secrets_absent: No"
    ):
        secret(Path("credential:absent"), service)
    root = replace(surroundings({}), secrets=tmp_path)
    assert secret(Path("credential:key"), root) == "on the disk"
    assert str(surroundings({}).secrets) == "/etc/relayd/secrets"


def test_the_tree_is_printed_without_secrets(tmp_path: Path) -> None:
    """``check-config``: each setting on a line with its path; of a secret only where it lies."""
    (tmp_path / "key").write_text("s3cret", encoding="utf-8")
    text = f'fixed_seed = "{"5eed" * 16}"\n' + SERVER.replace("/etc/relayd/key", str(tmp_path / "key"))
    lines = list(shown(load(written(tmp_path, text))))
    assert "fixed_seed = '…'" in lines
    assert "http.port = 8720" in lines
    assert "duel_server.0.id = 'main'" in lines
    assert f"duel_server.0.challonge_key_file = '{tmp_path / 'key'}'" in lines
    assert "s3cret" not in "\n".join(lines)


def test_what_a_duel_server_can_do_is_declared(tmp_path: Path) -> None:
    """Decisions 15: its habits, as publishing asks for them; srvpro's own are the defaults."""
    habits = "[duel_server.habits]\nno_match_mode = true\nlists = { goat = 3, edison = 2 }\n"
    servers = SERVER + habits + SERVER.replace("main", "plain")
    one, two = load(written(tmp_path, servers)).duel_server
    lists = (("edison", 2), ("goat", 3))
    assert one.facts == ServerFacts(id=ServerId("main"), no_match_mode=True, lists=lists)
    assert two.facts == ServerFacts(id=ServerId("plain"))


def test_the_service_managers_folders_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """systemd.exec(5): state and runtime folders, the first where there are several."""
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}/state:{tmp_path}/more")
    monkeypatch.setenv("RUNTIME_DIRECTORY", f"{tmp_path}/run")
    settings = load()
    assert settings.data_dir == tmp_path / "state"
    assert settings.admin_socket_path == tmp_path / "run" / "admin.sock"
    assert default_data_dir({"XDG_DATA_HOME": "/x"}) == Path("/x/relayd")
    assert surroundings({"WATCHDOG_USEC": "5000000"}).watchdog_usec == 5_000_000
    assert surroundings({"WATCHDOG_USEC": "soon"}).watchdog_usec is None


def test_the_tree_is_frozen() -> None:
    """House 5: nobody changes a setting behind the others' backs."""
    with pytest.raises(ValueError, match="frozen"):
        Settings().data_dir = Path()
