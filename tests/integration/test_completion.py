"""The Tab key: relayctl completion, in the shells that are there."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from relayd.cli import main as relayctl
from relayd.cli.completion import SHELLS
from tests.daemons import PROGRAMS


def script(shell: str) -> str:
    """Return what is printed for a shell."""
    printed = CliRunner().invoke(relayctl, ["completion", shell])
    assert printed.exit_code == 0, printed.output
    return printed.stdout


def offered(tmp_path: Path, *words: str) -> set[str]:
    """Return what bash offers behind *words*, the last of which is not finished."""
    (tmp_path / "relayctl").write_text(script("bash"), encoding="utf-8")
    asks = f"""
        PATH={PROGRAMS}:$PATH; complete() {{ :; }}; compopt() {{ :; }}
        source {tmp_path}/relayctl
        COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
        _relayctl_completion relayctl; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", asks], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


def test_commands_are_finished(tmp_path: Path) -> None:
    """Issue 3, shell completion: commands, their own commands, choices, options."""
    assert offered(tmp_path, "relayctl", "cl") == {"clock"}
    assert {"pause", "postpone"} <= offered(tmp_path, "relayctl", "clock", "p")
    assert offered(tmp_path, "relayctl", "round", "p") == {"pair-again"}
    assert {"import", "export"} == offered(tmp_path, "relayctl", "roster", "")
    assert offered(tmp_path, "relayctl", "clock", "auto", "12", "o") == {"on", "off"}
    assert "--srvpro" in offered(tmp_path, "relayctl", "server", "doctor", "--s")
    assert offered(tmp_path, "relayctl", "completion", "f") == {"fish"}


@pytest.mark.parametrize("shell", list(SHELLS))
def test_each_shell_reads_its_script(shell: str, tmp_path: Path) -> None:
    """Issue 3: bash, zsh and fish take what is printed for them."""
    if shutil.which(shell) is None:
        pytest.skip(f"needs the Debian package {shell}")
    path = tmp_path / "script"
    path.write_text(script(shell), encoding="utf-8")
    read = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert (read.returncode, read.stderr) == (0, "")


def test_another_shell_is_refused() -> None:
    """Decisions 11: wrong usage names what there is."""
    refused = CliRunner().invoke(relayctl, ["completion", "tcsh"])
    assert (refused.exit_code, "'bash', 'zsh', 'fish'" in refused.stderr) == (2, True)
