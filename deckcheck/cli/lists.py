"""``deckcheck lint``, ``hash`` and ``pools``: lists, hashes, what the package carries."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click
from rich.text import Text

from deckcheck import reports
from deckcheck.cli.options import json_option
from deckcheck.cli.screen import ILLEGAL, show, show_json, show_table
from deckcheck.environments import retro
from deckcheck.errors import DeckInvalid
from deckcheck.frozen import freeze_deck
from deckcheck.lflist import read_lflist
from deckcheck.lint import lint
from deckcheck.pools import POOLS, PoolKey, pool_cards, pool_limits
from deckcheck.reading import read_any

_LIST_HEADER: Final = re.compile(rb"^!(?!side\s*$)", re.MULTILINE | re.IGNORECASE)
_FILES: Final = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command("lint")
@json_option
@_FILES
@click.pass_context
def lint_command(ctx: click.Context, files: tuple[Path, ...], *, as_json: bool) -> None:
    """Name what game servers read in another way than FILES (lflist.conf) look."""
    found = [(str(path), lint(_read(path))) for path in files]
    if as_json:
        show_json([data for path, problems in found for data in reports.problem_data(path, problems)])
    else:
        for path, problems in found:
            for each in problems:
                show(Text(f"{path}:{each.line}: {each.code}: {each.message}"))
    ctx.exit(ILLEGAL if any(problems for _, problems in found) else 0)


@click.command("hash")
@json_option
@_FILES
def hash_command(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Print the hash of every list in FILES, and the SHA-256 by which a deck is frozen."""
    found = [row for path in files for row in _hashes(path)]
    if as_json:
        show_json(found)
        return
    for row in found:
        show(Text(f"{row['hash']}  {row.get('name', row['file'])}"))


@click.command("pools")
@click.argument("pool", type=click.Choice(list(POOLS)), required=False)
@json_option
def pools_command(pool: PoolKey | None, *, as_json: bool) -> None:
    """Show the pools that are carried, or one POOL as a $whitelist to start an own one from."""
    if pool:
        click.echo("\n".join(_whitelist(pool)))
    elif as_json:
        show_json([{**reports.environment_data(retro(key)), **asdict(POOLS[key])} for key in POOLS])
    else:
        columns = ("pool", "title", "cards", "forbidden", "limited", "semi", "unlimited", "list", "hash")
        show_table(columns, (_row(key) for key in POOLS))


def _row(key: PoolKey) -> tuple[object, ...]:
    facts, environment = POOLS[key], retro(key)
    return key, facts.title, sum(facts.sizes), *facts.sizes, facts.list_name, environment.list_hash


def _whitelist(key: PoolKey) -> Iterator[str]:
    cards = pool_cards()
    yield f"!{POOLS[key].title}"
    yield "$whitelist"
    for code, limit in pool_limits(key).items():
        yield f"{code:08d} {limit} --{cards[code].name}"


def _hashes(path: Path) -> Iterator[dict[str, object]]:
    data = _read(path)
    if _LIST_HEADER.search(data):
        for number, each in enumerate(read_lflist(data)):
            yield {"file": str(path), **reports.list_data(number, each)}
    else:
        yield {"file": str(path), "hash": freeze_deck(read_any(data).complete().deck).sha256}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DeckInvalid("no_file", f"{path} cannot be read: {error.strerror or error}") from error
