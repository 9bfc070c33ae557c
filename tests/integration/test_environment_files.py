"""The operator's lists and cards under a daemon that runs."""

from pathlib import Path

from click.testing import CliRunner

from relayd.cli import main as relayctl
from relayd.exits import Exit
from tests.cardfiles import operators_files, own_deck, write_list
from tests.daemons import Daemon, running, settings

PLAN = ("tournament", "publish", "--title", "Cup", "--format", "swiss", "--rounds", "3", "--environment")


def list_of(daemon: Daemon, tournament: int) -> str:
    """Return the name of a tournament's frozen list."""
    frozen = daemon.data("tournament", "show", str(tournament))["frozen"]
    return str(frozen["list_name"])


def status(daemon: Daemon, tournament: int, deck: Path) -> str:
    """Return what becomes of a deck in a tournament."""
    checked = CliRunner().invoke(
        relayctl, ["--socket", str(daemon.socket), "deck", "check", str(tournament), str(deck)]
    )
    return checked.stdout.splitlines()[0]


def test_an_updated_list_holds_for_new_tournaments_alone(tmp_path: Path) -> None:
    """D45, R045: through a restart, too; until their hosts refresh it."""
    files, deck = operators_files(tmp_path), tmp_path / "deck.ydk"
    deck.write_text(own_deck(), encoding="utf-8")
    config = settings(
        tmp_path,
        f'[environment]\nlflist_path = "{files.lflist_path}"\ncdb_paths = ["{files.cdb_paths[0]}"]\n',
    )
    with running(config) as daemon:
        daemon.ctl(*PLAN, "ocg")
        write_list(tmp_path, "2026.10", "102 1")
        daemon.ctl(*PLAN, "ocg")
        assert [list_of(daemon, number) for number in (1, 2)] == ["2026.7", "2026.10"]
        assert [status(daemon, number, deck) for number in (1, 2)] == ["legal", "illegal"]
        assert daemon.end() == 0
    with running(config) as daemon:
        assert [status(daemon, number, deck) for number in (1, 2)] == ["legal", "illegal"]
        daemon.ctl("tournament", "refresh-list", "1")
        assert (list_of(daemon, 1), status(daemon, 1, deck)) == ("2026.10", "illegal")


def test_a_pool_is_added_while_the_daemon_runs(tmp_path: Path) -> None:
    """D08, issue 3: written into the settings and taken up by a reload; gone again, its tournaments go on."""
    operators_files(tmp_path)
    (tmp_path / "deck.ydk").write_text(own_deck(), encoding="utf-8")
    cards = f'environment.cdb_paths = ["{tmp_path}/cards.cdb"]\n'
    pool = f'[[environment.own]]\nkey = "summer"\nfile = "{tmp_path}/summer.conf"\n'
    with running(settings(tmp_path, cards)) as daemon:
        unknown = CliRunner().invoke(relayctl, ["--socket", str(daemon.socket), *PLAN, "summer"])
        assert (unknown.exit_code, "explorer" in unknown.stderr) == (Exit.REFUSED, True)
        settings(tmp_path, cards + pool)
        assert daemon.data("reload")["changed"] == ["environment.own.summer (added)"]
        daemon.ctl(*PLAN, "summer")
        settings(tmp_path, cards)
        assert daemon.data("reload")["changed"] == ["environment.own.summer (removed)"]
        assert list_of(daemon, 1) == "Summer"
        assert status(daemon, 1, tmp_path / "deck.ydk") == "legal"
