"""A tournament as files: CSV, plain text for chat groups, a workbook, JSON (H208)."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO, StringIO
from typing import Any, Final

import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from relayd.neutral import neutral
from relayd.rosters import rows_of
from relayd.views.people import player_rows
from relayd.views.tables import result_view
from relayd.web.languages import Language, text
from relayd.web.words import result_text
from ruleset.ids import PlayerId, player_label
from ruleset.standings.sentences import TITLES, display
from ruleset.standings.table import Row
from ruleset.tournament.ranking import standings
from ruleset.tournament.state import Player, Round, Table, Tournament

Rows = Iterable[Sequence[object]]
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def as_csv(rows: Rows) -> bytes:
    """Return rows as CSV that a spreadsheet reads as UTF-8 and takes no cell of for a formula."""
    out = StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_plain(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def as_workbook(state: Tournament, language: Language) -> bytes:
    """Return players, standings and results as a workbook of three sheets."""
    sheets = {
        "players": players(state),
        "standings": ranks(state, language),
        "results": matches(state),
    }
    return workbook({text(language, f"tab.{name}"): rows for name, rows in sheets.items()})


def workbook(sheets: Mapping[str, Rows]) -> bytes:
    """Return sheets by their titles as an Excel workbook, none of whose cells is a formula or a link."""
    out = BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    for title, rows in sheets.items():
        sheet = book.add_worksheet(title)
        for n, row in enumerate(rows):
            sheet.write_row(n, 0, [neutral(cell) if isinstance(cell, str) else cell for cell in row])
        sheet.freeze_panes(1, 0)
        sheet.autofit()
    book.close()
    return out.getvalue()


def roster(state: Tournament) -> Iterator[Sequence[str]]:
    """Yield everybody with the team that he counts for, as a host may send it again (S109, S110)."""
    people = sorted(state.players.values(), key=lambda player: player.number)
    yield from rows_of((player_label(p.number), p.nickname, _team(state, p)) for p in people)


def _team(state: Tournament, player: Player) -> str:
    return "" if player.team is None else state.teams[player.team]


def players(state: Tournament) -> Iterator[Sequence[object]]:
    """Yield everybody on the list, a header first."""
    yield ("number", "nickname", "deck", "signed_in", "status", "dropped_in")
    for row in player_rows(state):
        yield (
            row["label"],
            row["nickname"],
            row["deck"],
            row["signed_in"] or "",
            row["status"],
            row["dropped_in"] or "",
        )


def ranks(state: Tournament, language: Language) -> Iterator[Sequence[object]]:
    """Yield the Swiss list with every criterion, a header first."""
    rows = standings(state)
    keys = list(rows[0].values) if rows else []
    yield ("rank", "number", "nickname", *(TITLES[key][language] for key in keys))
    for row in rows:
        name = state.players[row.player].nickname
        yield (row.rank, f"P{row.player:06d}", name, *(display(row.values[key]) for key in keys))


def matches(state: Tournament) -> Iterator[Sequence[object]]:
    """Yield every match of every round, a header first; byes have no second player."""
    yield ("round", "table", "a", "a_nickname", "a_games", "b_games", "b", "b_nickname", "outcome", "reason")
    for played in state.all_rounds():
        for table in played.tables.values():
            yield _match(state, played, table)
        for player in played.byes:
            yield (played.number, "", f"P{player:06d}", _name(state, player), "", "", "", "", "a", "bye")


def dp(state: Tournament) -> Iterator[Sequence[object]]:
    """Yield every row of the DP ledger that the tournament wrote, a header first; reversals take one back."""
    yield ("number", "nickname", "at_entry", "delta", "dp_before", "reason", "table", "opponent", "reversal")
    for row in state.rows:
        yield (
            player_label(row.player),
            _name(state, row.player),
            state.players[row.player].dp_at_entry,
            row.delta,
            row.dp_before,
            row.reason,
            "" if row.table is None else str(row.table),
            "" if row.opponent is None else player_label(row.opponent),
            "yes" if row.reversal else "",
        )


def pairings(state: Tournament, played: Round, language: Language) -> Iterator[Sequence[object]]:
    """Yield the tables of one round, a header first."""
    yield ("table", "a", "b", "games", "result")
    for table in played.tables.values():
        view = None if table.result is None else result_view(table.result)
        yield (
            table.id.table,
            _name(state, table.a),
            _name(state, table.b),
            _games(table),
            "" if view is None else result_text(language, view),
        )
    for player in played.byes:
        yield ("", _name(state, player), "", "", text(language, "reason.bye"))


def pairings_text(state: Tournament, played: Round, language: Language, address: str) -> str:
    """Return the pairings as a message for a chat group."""
    head = f"{state.settings.title} · {text(language, 'round.nth', n=played.number)}"
    lines = [
        f"{table.id.table}. {_name(state, table.a)} {_games(table) or 'vs'} {_name(state, table.b)}"
        for table in played.tables.values()
    ]
    byes = [f"{text(language, 'reason.bye')}: {_name(state, player)}" for player in played.byes]
    return "\n".join(map(neutral, [head, *lines, *byes, address])) + "\n"


def standings_text(state: Tournament, language: Language, address: str) -> str:
    """Return the standings as a message for a chat group: rank, name, points and the first tie-break."""
    rows = standings(state)
    head = f"{state.settings.title} · {text(language, 'tab.standings')}"
    lines = [f"{row.rank}. {_name(state, row.player)} {_first_two(row)}" for row in rows]
    return "\n".join(map(neutral, [head, *lines, address])) + "\n"


def _first_two(row: Row) -> str:
    return " / ".join(display(value) for value in list(row.values.values())[:2])


def _match(state: Tournament, played: Round, table: Table) -> Sequence[object]:
    result: Mapping[str, Any] = {} if table.result is None else result_view(table.result)
    wins = result.get("wins", ("", ""))
    names = (_name(state, table.a), _name(state, table.b))
    labels = (f"P{table.a:06d}", f"P{table.b:06d}")
    ends = (result.get("outcome", ""), result.get("reason", ""))
    return (played.number, table.id.table, labels[0], names[0], *wins, labels[1], names[1], *ends)


def _games(table: Table) -> str:
    return "" if table.result is None else f"{table.result.wins('a')}:{table.result.wins('b')}"


def _name(state: Tournament, player: PlayerId) -> str:
    return state.players[player].nickname


def _plain(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    shown = neutral(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
