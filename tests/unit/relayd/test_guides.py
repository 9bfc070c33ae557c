"""What people are told to type, and what they are told of srvpro, is so."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from relayd.__main__ import main as relayd
from relayd.cli import main as relayctl
from srvpro_bridge.doctor.account import NEEDED
from srvpro_bridge.doctor.config import rows

ROOT = Path(__file__).parents[3]
GUIDES = sorted(
    [
        *ROOT.glob("docs/*.md"),
        ROOT / "README.md",
        ROOT / "systemd" / "README.md",
        *ROOT.glob("systemd/prometheus/*.yml"),
    ]
)
COMMANDS: dict[str, click.Command] = {"relayctl": relayctl, "relayd": relayd}
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINE = re.compile(r"^(?:\$ )?((?:relayctl|relayd) .+)$", re.MULTILINE)


def typed(text: str) -> Iterator[list[str]]:
    """Yield every line that a guide has people type, up to what another program reads."""
    found = [
        *_LINE.findall(text),
        *(span for span in _SPAN.findall(text) if span.startswith(tuple(COMMANDS))),
    ]
    for line in found:
        words = shlex.split(re.split(r"[|>;#]| && ", line.replace("…", ""))[0], posix=True)
        if words and words[0] in COMMANDS and len(words) > 1:
            yield words


def faults(words: list[str]) -> Iterator[str]:
    """Yield what is wrong with a line: a command or an option that is not there."""
    command, known = COMMANDS[words[0]], {"--help"}
    for word in words[1:]:
        known |= {
            option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        if word.startswith("--"):
            if word.partition("=")[0] not in known:
                yield f"{' '.join(words)}: no {word}"
        elif isinstance(command, click.Group) and re.fullmatch(r"[a-z][a-z-]*", word):
            if word not in command.commands:
                yield f"{' '.join(words)}: no {word}"
                return
            command = command.commands[word]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_of_a_guide_is_there(guide: Path) -> None:
    """Issue 3: commands and options in docs, alerts and READMEs are those of the programs."""
    text = guide.read_text(encoding="utf-8")
    assert [fault for words in typed(text) for fault in faults(words)] == []


def test_lines_are_looked_at_closely() -> None:
    """The test above can fail: unknown commands, unknown options, at every depth."""
    text = (
        "see `relayctl tabels 1`\nrelayctl server doctor a --mend\n`relayd run --confg x`\nrelayd replay t1"
    )
    assert [fault.rpartition(": ")[2] for words in typed(text) for fault in faults(words)] == [
        "no --mend",
        "no tabels",
        "no --confg",
    ]


@pytest.mark.parametrize(
    "guide", [g for g in GUIDES if g.suffix == ".md"], ids=lambda path: str(path.relative_to(ROOT))
)
def test_every_link_of_a_guide_leads_somewhere(guide: Path) -> None:
    """Files that are there, headings that are there."""
    text = guide.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in _HEADING.findall(text)
    }
    targets = [target for target in _LINK.findall(text) if "://" not in target]
    lost = [
        t
        for t in targets
        if not (t[1:] in headings if t[0] == "#" else (guide.parent / t.split("#")[0]).exists())
    ]
    assert lost == []


def test_the_guide_names_every_setting_that_the_doctor_looks_at() -> None:
    """Issue 3: docs/operators.md lists every srvpro setting that matters."""
    guide = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    missing = [name for name in (*(row.path for row in rows()), *NEEDED) if f"`{name}`" not in guide]
    assert missing == []
