"""relayctl server doctor: what a duel server needs, and which line to change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Group as Lines
from rich.console import RenderableType

from relayd.cli.desk import Desk
from relayd.cli.doctor.folder import BEFORE, Folder, Unusable
from relayd.cli.doctor.wishes import unreadable, wish_of
from relayd.cli.draw.base import cell
from relayd.exits import Exit
from relayd.settings import DuelServer, Settings, SettingsError, load
from srvpro_bridge.doctor import USERS, Finding

SYSTEM_CONFIG: Final = Path("/etc/relayd/relayd.toml")
Told = dict[str, Any]
_STYLES: Final = {"wrong": "bold red", "unwise": "yellow", "mended": "green"}


def at_a_folder(desk: Desk, server: str | None, srvpro: Path, config: Path | None, *, fix: bool) -> NoReturn:
    """Compare a srvpro on this machine with the daemon's settings, and end the program.

    *fix*: write what is wrong.
    """
    settings = _settings(desk, config)
    chosen = _chosen(desk, settings, server)
    try:
        folder = Folder(srvpro)
        findings = list(folder.examine(wish_of(settings, chosen)))
        mended = [finding for finding in findings if fix and _mendable(finding)]
        told = _told(chosen, folder, findings, mended)
        folder.mend(mended)
    except Unusable as error:
        desk.fail(str(error), Exit.UNREADABLE)
    _end(desk, [told], fix=fix)


def at_the_daemon(desk: Desk, server: str | None) -> NoReturn:
    """Have the daemon look at duel servers that run. Ends the program."""
    told = desk.ask("server.doctor", server=server)
    _end(desk, told, fix=False)


def _end(desk: Desk, told: Sequence[Told], *, fix: bool) -> NoReturn:
    desk.show(told, lambda view: Lines(*(line for one in view for line in _lines(one, fix=fix))))
    left = [f for one in told for f in one["findings"] if f["weight"] == "wrong" and not f.get("mended")]
    raise SystemExit(Exit.REFUSED if left else Exit.OK)


def _settings(desk: Desk, config: Path | None) -> Settings:
    path = config or (SYSTEM_CONFIG if SYSTEM_CONFIG.is_file() else None)
    if path is None:
        desk.fail("with --srvpro, say where the daemon's settings are: --config", Exit.USAGE)
    try:
        return load(path)
    except SettingsError as error:
        desk.fail(error.problems, Exit.UNREADABLE)


def _chosen(desk: Desk, settings: Settings, name: str | None) -> DuelServer:
    known = {server.id: server for server in settings.duel_server}
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        which = f"there is no duel_server {name} in the settings" if name else "say which duel server"
        desk.fail(f"{which}; known are {', '.join(known) or 'none'}", Exit.USAGE)
    return known[name]


def _mendable(finding: Finding) -> bool:
    return finding.weight == "wrong" and finding.change is not None and finding.change.value is not None


def _told(server: DuelServer, folder: Folder, findings: Iterable[Finding], mended: Sequence[Finding]) -> Told:
    return {
        "server": server.id,
        "findings": [
            {
                "weight": finding.weight,
                "file": finding.file,
                "line": folder.line(finding),
                "what": finding.what,
                "why": finding.why,
                "mendable": _mendable(finding),
                "mended": finding in mended,
            }
            for finding in findings
        ],
        "checked": [],
        "unchecked": [f"what is secret: {problem}" for problem in unreadable(server)],
    }


def _lines(told: Told, *, fix: bool) -> Iterator[RenderableType]:
    yield cell(f"{told['server']}: {_summary(told['findings'])}", "bold")
    for finding in told["findings"]:
        yield from _shown(finding)
    yield from (cell(f"  fine    {line}", "dim") for line in told["checked"])
    yield from (cell(f"  open    {line}", "dim") for line in told["unchecked"])
    yield from (cell(line) for line in _next(told["findings"], fix=fix))


def _shown(finding: Told) -> Iterator[RenderableType]:
    place = finding["file"] if finding.get("line") is None else f"{finding['file']}:{finding['line']}"
    words = ": ".join(word for word in (place, finding["what"]) if word)
    mark = "mended" if finding.get("mended") else finding["weight"]
    yield cell(f"  {mark:7} {words}", _STYLES[mark])
    yield cell(f"          {finding['why']}")


def _summary(findings: Sequence[Mapping[str, Any]]) -> str:
    weights = [finding["weight"] for finding in findings]
    if not weights:
        return "nothing to change"
    return f"{weights.count('wrong')} wrong, {weights.count('unwise')} unwise"


def _next(findings: Sequence[Mapping[str, Any]], *, fix: bool) -> Iterator[str]:
    """Yield what to do now."""
    mended = [finding for finding in findings if finding.get("mended")]
    if any(finding["file"] != USERS for finding in mended):
        yield f"Restart srvpro now. Files that were there before are kept with the ending {BEFORE}."
    elif mended:
        yield f"srvpro reads it at its next request. What was there before is kept with the ending {BEFORE}."
    if not fix and any(finding.get("mendable") for finding in findings):
        yield "With --fix what is wrong is written into these files."
