"""What ``check-config`` finds in a file that is correct in itself."""

import grp
import pwd
from pathlib import Path

from relayd.settings import AdminToken, DuelServer, Settings, SocketRole, problems
from relayd.settings.tree import (
    Address,
    AdminSocket,
    EnvironmentSettings,
    Mail,
    OwnEnvironment,
    ServerHabits,
    Web,
)
from tests.decks import make_cdb


def written(path: Path, text: str, mode: int = 0o600) -> Path:
    """Return a file with *text*."""
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def server(folder: Path, name: str = "main", **changes: object) -> DuelServer:
    """Return a duel server with its plugin's token in *folder*."""
    token = written(folder / f"{name}.token", f"token of {name}")
    settings = {"id": name, "host": "duel.example.org", "link": "plugin", "plugin_token_file": token}
    return DuelServer.model_validate({**settings, **changes})


def found(**settings: object) -> list[str]:
    """Return the problems of settings."""
    return list(problems(Settings.model_validate({"data_dir": "/nowhere", **settings})))


def test_what_fits_has_no_problems(tmp_path: Path) -> None:
    """Issue 3, check-config: silence and exit 0, also with everything there is."""
    cdb = make_cdb(tmp_path / "cards.cdb", [(1, 3, 0, 0, 1, "One")])
    lists = written(tmp_path / "lflist.conf", "!2026.7\n1 0\n")
    pool = written(tmp_path / "pool.conf", "!Mine\n$whitelist\n1 3\n")
    own = OwnEnvironment(key="mine", file=pool)
    habits = ServerHabits(default_environment="mine", lists={"goat": 2})
    settings = {
        "environment": EnvironmentSettings(
            lflist_path=lists, cdb_paths=(cdb,), strings_path=lists, own=(own,)
        ),
        "duel_server": (server(tmp_path, habits=habits), server(tmp_path, "two")),
        "admin_socket": AdminSocket(role=(SocketRole(user="root", role="host"),)),
        "web": Web(mail=Mail(host="h", sender="s", user="u", password_file=written(tmp_path / "mail", "p"))),
    }
    assert found(**settings) == []
    assert found() == []


def test_every_secret_is_looked_at(tmp_path: Path) -> None:
    """Bad input: absent, empty, open to everybody; each file once, whoever names it."""
    (tmp_path / "empty").touch(mode=0o600)
    login: dict[str, object] = {
        "api_url": "http://127.0.0.1:1",
        "api_user": "u",
        "api_password_file": tmp_path / "empty",
    }
    shared = written(tmp_path / "open", "s", mode=0o644)
    lines = found(
        duel_server=(server(tmp_path, "main", challonge_key_file=tmp_path / "absent", **login),),
        admin_token=(AdminToken(name="a", role="host", token_file=shared),),
        web=Web(mail=Mail(host="h", sender="s", user="u", password_file=shared)),
    )
    assert len(lines) == 3
    for line, says in zip(
        lines, ("open: everybody", "empty: the secret is empty", "absent: the"), strict=True
    ):
        assert says in line


def test_tokens_that_are_the_same_tell_nobody_apart(tmp_path: Path) -> None:
    """F11: a report must come from the server whose token it shows; a judge is not another judge."""
    same = written(tmp_path / "same", "t")
    lines = found(
        duel_server=(
            server(tmp_path, plugin_token_file=same),
            server(tmp_path, "two", plugin_token_file=same),
        ),
        admin_token=tuple(AdminToken(name=name, role="judge", token_file=same) for name in ("a", "b")),
    )
    assert [line.partition(": the same token")[0] for line in lines] == [
        "admin_token.a.token_file and admin_token.b.token_file",
        "duel_server.main.plugin_token_file and duel_server.two.plugin_token_file",
    ]


def test_card_data_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    """D44: what is there must be what it should be."""
    text = written(tmp_path / "text", "no list, no cards")
    own = OwnEnvironment(key="mine", file=text)
    lines = found(environment=EnvironmentSettings(lflist_path=text, cdb_paths=(text,), own=(own,)))
    assert [line.partition(":")[0] for line in lines] == [
        "environment.lflist_path",
        "environment.cdb_paths",
        "environment.own.mine",
    ]
    lines = found(
        environment=EnvironmentSettings(lflist_path=tmp_path / "absent", strings_path=tmp_path / "no")
    )
    assert "absent" in lines[0]
    assert "name the cards, too" in lines[1]
    assert "environment.strings_path" in lines[2]


def test_a_role_of_nobody_is_named() -> None:
    """Decisions 6: a misspelt group would silently let nobody in."""
    user, group = pwd.getpwall()[0].pw_name, grp.getgrall()[0].gr_name
    roles = (
        SocketRole(user=user, role="judge"),
        SocketRole(group=group, role="judge"),
        SocketRole(user="nobody-here", role="judge"),
        SocketRole(group="no-such-group", role="judge"),
    )
    assert found(admin_socket=AdminSocket(role=roles)) == [
        "admin_socket.role.2: there is no user nobody-here on this machine",
        "admin_socket.role.3: there is no group no-such-group on this machine",
    ]


def test_two_ports_that_are_one_are_named() -> None:
    """Decisions 7: pages and WebSockets have an address each; port 0 is any."""
    one = Address(port=8_000)
    assert found(http=one, gateway=one) == ["http and gateway: both want port 8000"]
    assert found(http=Address(port=0), gateway=Address(port=0)) == []


def test_habits_of_unknown_environments_are_named(tmp_path: Path) -> None:
    """Decisions 15: a misspelt environment would silently never fit."""
    habits = ServerHabits(default_environment="gaot", lists={"xyzzy": 2})
    one, two = found(duel_server=(server(tmp_path, habits=habits),))
    assert (
        one == "duel_server.main.habits.default_environment: there is no environment gaot; did you mean goat?"
    )
    assert "lists: there is no environment xyzzy; known are ocg, " in two
    assert found(duel_server=(server(tmp_path, habits=ServerHabits(default_environment="")),)) == []
