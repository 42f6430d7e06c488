"""Leaderboards as text: rows for a table, Markdown for a paper or an issue, CSV for a program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from clonetruth.evaluate.leaderboard import Leaderboard, LeaderboardCell, LeaderboardColumn, LeaderboardRow
from clonetruth.store.results import Measurement

MARKS = {LeaderboardRow.AHEAD: "▲", LeaderboardRow.WITHIN: "△", LeaderboardRow.UNSURE: "○"}
"""The sign beside the best number of a column, by what may be said of it."""

_UNKNOWN = "–"


def number_text(value: float | None) -> str:
    """A metric's value with four decimals, or as many as it takes not to look like 0 or 1."""
    if value is None:
        return _UNKNOWN
    if 0 < abs(value) < 0.001:
        return f"{value:.2g}"
    digits = 4
    while abs(value) != 1 and abs(round(value, digits)) == 1:
        digits += 1
    return f"{value:.{digits}f}"


def interval_text(measurement: Measurement) -> str | None:
    """An interval in brackets, where there is one."""
    if measurement.low is None or measurement.high is None:
        return None
    return f"[{number_text(measurement.low)}, {number_text(measurement.high)}]"


def headings(board: Leaderboard) -> list[str]:
    """The heads of the columns: the metric, after the letter of its conditions where there are several."""
    return [_heading(board, column) for column in board.columns]


def rows(board: Leaderboard, separator: str = "\n") -> list[list[str]]:
    """A row for each detector: its name, and a text for each column; a dash where nothing was measured."""
    return [
        [detector, *(_cell_text(column.cell(detector), separator) for column in board.columns)]
        for detector in board.detectors
    ]


def legend(board: Leaderboard) -> Iterator[str]:
    """What a reader needs under the table: the conditions, the signs, the notes."""
    for letter, conditions in board.conditions.items():
        named = "; ".join(f"{name} {text}" for name, text in conditions.items() if text != "not stated")
        yield f"{letter}: {named}." if len(board.conditions) > 1 else f"Measured under: {named}."
    if board.differences:
        yield f"Columns under different letters cannot be compared: they differ in {', '.join(board.differences)}."
    shown = {cell.standing for column in board.columns for cell in column.cells}
    for standing, mark in MARKS.items():
        if standing in shown:
            yield f"{mark} {standing.value}."
    yield from board.notes


def markdown(board: Leaderboard) -> str:
    """The leaderboard as a Markdown table with its legend."""
    head = ["detector", *headings(board)]
    lines = [_markdown_row(head), _markdown_row(["---"] + ["---:"] * len(board.columns))]
    lines += [_markdown_row(row) for row in rows(board, " ")]
    return "\n".join([*lines, "", *(f"- {line}" for line in legend(board))]) + "\n"


def csv_text(board: Leaderboard) -> str:
    """The leaderboard as CSV, a line for each number."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("detector", "conditions", "metric", "value", "low", "high", "successes", "n", "standing", "under"))
    for column in board.columns:
        under = "; ".join(f"{name}={text}" for name, text in board.conditions[column.conditions].items())
        for cell in column.cells:
            one = cell.measurement
            numbers = (one.value, one.low, one.high, one.successes, one.n)
            writer.writerow((cell.detector, column.conditions, column.metric, *numbers, cell.standing, under))
    return out.getvalue()


def _heading(board: Leaderboard, column: LeaderboardColumn) -> str:
    return f"{column.conditions} {column.metric}" if len(board.conditions) > 1 else column.metric


def _cell_text(cell: LeaderboardCell | None, separator: str) -> str:
    if cell is None:
        return _UNKNOWN
    mark = MARKS.get(cell.standing) if cell.standing else None
    value = number_text(cell.measurement.value) + (f" {mark}" if mark else "")
    interval = interval_text(cell.measurement)
    return f"{value}{separator}{interval}" if interval else value


def _markdown_row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
