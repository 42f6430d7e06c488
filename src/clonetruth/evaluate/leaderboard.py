"""Leaderboards: results side by side, where only results under the same conditions share a column."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike as PathLike
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import correct_result
from clonetruth.evaluate.locations.recall import SEPARATE_TYPES
from clonetruth.evaluate.locations.selection import Selection
from clonetruth.evaluate.results import Evaluation, load_result
from clonetruth.formats.writers import csv_pieces
from clonetruth.options.claims import LeaderboardOptions
from clonetruth.options.declaration import verb
from clonetruth.safe_text import markdown_line, markdown_row, markdown_rule
from clonetruth.stats.label_noise import CorrectionMethod
from clonetruth.store.comparability import conditions, differing_conditions
from clonetruth.store.results import Correction, Measurement, Result, ResultKind
from clonetruth.verdicts.policies import ORIGIN
from clonetruth.verdicts.published_samples import published_samples

_FILTERS = tuple(
    field.name for field in dataclasses.fields(Selection) if field.name not in ("min_similarity", "similarity")
)
_LOWER_IS_BETTER = {"ece", "brier"}
_UNRANKED = {"precision-lower-bound", "precision-upper-bound", "reported-judged", "corrected-prevalence"}
_TOTALS = "reference pairs"
_METHOD = str(CorrectionMethod.INDEPENDENT)
_CORRECTED = "corrected-"


class RankStanding(StrEnum):
    """How certain the lead of the best number of a column is."""

    AHEAD = "best, and its interval is apart from the next one's"
    WITHIN = "best, but its interval overlaps the next one's"
    UNSURE = "best, without intervals to compare"
    ALONE = "the only one"


@dataclass(frozen=True)
class LeaderboardCell:
    """A detector's number in a column; only the best has a `standing`."""

    detector: str
    measurement: Measurement
    standing: RankStanding | None = None


@dataclass(frozen=True)
class LeaderboardColumn:
    """One metric under one set of conditions: the cells, best first."""

    conditions: str
    metric: str
    cells: tuple[LeaderboardCell, ...]

    def cell(self, detector: str) -> LeaderboardCell | None:
        """The cell of a detector, where it was measured under these conditions."""
        return next((one for one in self.cells if one.detector == detector), None)


@dataclass(frozen=True, repr=False)
class Leaderboard:
    """Detectors × conditions × metrics.

    Attributes:
        detectors: the rows, in the order of the results.
        conditions: for each letter the conditions that its numbers share: benchmark, policy, setting …
        columns: the numbers.
        differences: the conditions that are not equal everywhere, each with its values in the order of the letters.
        notes: what a reader must know.
    """

    detectors: tuple[str, ...]
    conditions: Mapping[str, Mapping[str, str]]
    columns: tuple[LeaderboardColumn, ...]
    differences: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Leaderboard of {len(self.detectors)} detectors: {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        columns = [Column("detector"), *(Column(heading) for heading in headings(self))]
        return notebook.view("Leaderboard", notebook.table(columns, rows(self, " ")), *legend(self))


@verb(LeaderboardOptions)
def rank_detectors(options: LeaderboardOptions) -> Leaderboard:
    """Put results side by side, where only results under the same conditions share a column.

    Returns:
        The leaderboard. The best number of a column is marked with how certain its lead is.

    Raises:
        InputError: a file is not a result, no result has such a metric, a detector has two results under the same
            conditions, or the results do not share the requested column; the message names what differs.

    Example:
        >>> evaluation = clonetruth.evaluate_detector(["identifier-overlap", "length"], on="my-benchmark")
        >>> board = clonetruth.rank_detectors(evaluation, column="f1")
        >>> [cell.detector for cell in board.columns[0].cells]
        ['length', 'identifier-overlap']
    """
    results = [result for source in options.results for result in _loaded(source)]
    metrics = (options.column,) if options.column else options.metric
    return build_leaderboard(results, metrics=metrics, require_comparable=options.column is not None)


def _loaded(source: Any) -> Sequence[Result]:
    """The results of an evaluation, a file, or a folder of files."""
    if isinstance(source, Evaluation):
        return source.results
    if isinstance(source, str | PathLike) and Path(source).is_dir():
        files = sorted(path for path in Path(source).iterdir() if path.suffix == ".json")
        if not files:
            raise InputError("The folder has no result: no .json file is in it.", where=source)
        return [load_result(path) for path in files]
    return [load_result(source)]


def build_leaderboard(
    results: Sequence[Result], *, metrics: Sequence[str] = (), require_comparable: bool = False
) -> Leaderboard:
    """Put results side by side.

    Results share a column if everything but the detector is equal: benchmark and revision, view, policy, criterion,
    matcher and all other settings. There is one exception: filters that differ but select the same reference pairs. A
    filter can only remove pairs, so if each set of filters is narrower than the next one and all totals are equal, the
    pairs are the same; the notes say so.

    Args:
        results: at least one.
        metrics: the metrics to show (default: all of the headlines).
        require_comparable: refuse results that do not share their columns.

    Raises:
        InputError: there is no result, or none with such a metric; a detector has two results under the same
            conditions; or the results must be comparable and are not: the message names what differs.
    """
    if not results:
        raise InputError("There is no result to show.", hint="Give files that `clonetruth evaluate … -o` wrote.")
    groups = [_with_corrections(group) for group in _groups(results)]
    wanted = _metrics([result for group in groups for result in group], metrics)
    shared = [_shared_conditions(group) for group in groups]
    differences = differing_conditions(shared)
    if require_comparable and len(groups) > 1:
        raise InputError(
            f"The results cannot share a column: {_listed(differences)}.",
            where=", ".join(dict.fromkeys(result.detector for result in results)),
            hint="Without --column each kind of result gets its own column.",
        )
    letters = [_letter(number) for number in range(len(groups))]
    columns = tuple(
        column
        for letter, group in zip(letters, groups, strict=True)
        for metric in wanted
        if (column := _column(letter, metric, group)).cells
    )
    return Leaderboard(
        detectors=tuple(dict.fromkeys(result.detector for result in results)),
        conditions=dict(zip(letters, shared, strict=True)),
        columns=columns,
        differences={name: tuple(texts) for name, texts in differences.items()},
        notes=tuple(_notes(groups, columns)),
    )


def _with_corrections(group: Sequence[Result]) -> list[Result]:
    """The results of a column with their corrected numbers, where the same judged sample corrects all of them."""
    found = []
    for result in group:
        correction = _correction(result)
        if correction is None and result.policy.name == ORIGIN.name:
            samples = published_samples(result.benchmark.name)
            correction = next(iter(correct_result(result, samples[0])), None) if samples else None
        found.append(correction)
    if len({None if one is None else one.label_errors for one in found}) > 1:
        return [dataclasses.replace(result, corrections=()) for result in group]
    return [
        result
        if correction is None
        else dataclasses.replace(
            result,
            corrections=(correction,),
            headline=(
                *result.headline,
                *(dataclasses.replace(one, name=f"{_CORRECTED}{one.name}") for one in correction.measurements),
            ),
        )
        for result, correction in zip(group, found, strict=True)
    ]


def _correction(result: Result) -> Correction | None:
    return next((one for one in result.corrections if one.name == _METHOD), None)


def _metrics(results: Sequence[Result], asked: Sequence[str]) -> Sequence[str]:
    known = list(dict.fromkeys(one.name for result in results for one in result.headline))
    if not known:
        raise InputError("The results have no number to show.")
    for metric in asked:
        if metric not in known:
            raise InputError(f"No result has the metric '{metric}'.", hint=f"Known metrics: {', '.join(known)}.")
    return asked or known


def _groups(results: Sequence[Result]) -> list[list[Result]]:
    """Group results that share columns, in the order of the first result of each."""
    alike: dict[str, list[Result]] = {}
    for result in results:
        alike.setdefault(json.dumps(_fixed_conditions(result), sort_keys=True), []).append(result)
    groups: list[list[Result]] = []
    for candidates in alike.values():
        if _nested(candidates):
            groups.append(candidates)
        else:
            by_filters: dict[tuple[str | None, ...], list[Result]] = {}
            for result in candidates:
                by_filters.setdefault(_filters(result), []).append(result)
            groups += by_filters.values()
    for group in groups:
        for at, result in enumerate(group):
            if any(result.detector == other.detector for other in group[:at]):
                raise InputError(
                    f"There are two results of '{result.detector}' under the same conditions.",
                    hint="Leave one out, or name them: NAME=FILE.",
                )
    return groups


def _fixed_conditions(result: Result) -> dict[str, str]:
    """All conditions except the filters, and for locations the totals, which must be equal despite filters."""
    fixed = {name: text for name, text in conditions(result).items() if name not in _FILTERS}
    if result.kind is ResultKind.LOCATIONS:
        counted = ((name, result.measurement(f"recall-{name}")) for name in SEPARATE_TYPES)
        fixed[_TOTALS] = ", ".join(f"{name} {one.n:,}" for name, one in counted if one is not None and one.n)
    return fixed


def _shared_conditions(group: Sequence[Result]) -> dict[str, str]:
    """The conditions of a group, and its filters where they are all equal."""
    first = conditions(group[0])
    filters = {
        name: first[name]
        for name in _FILTERS
        if name in first and all(result.setting.get(name) == group[0].setting.get(name) for result in group)
    }
    return _fixed_conditions(group[0]) | filters


def _filters(result: Result) -> tuple[str | None, ...]:
    """The filters as texts."""
    stated = conditions(result)
    return tuple(map(stated.get, _FILTERS))


def _nested(results: Sequence[Result]) -> bool:
    """Whether each one's filters are narrower than, or equal to, those of the next in some order."""
    limits = [result.setting.get(name) for result in results for name in _FILTERS]
    numbers = all(limit is None or isinstance(limit, int | float) for limit in limits)
    if not numbers or results[0].kind is not ResultKind.LOCATIONS:
        # The totals of scored pairs do not show which pairs were selected, so filters must be equal.
        return len(set(map(_filters, results))) == 1
    return all(_narrower(one, other) or _narrower(other, one) for one in results for other in results)


def _narrower(one: Result, other: Result) -> bool:
    for name in _FILTERS:
        mine, others = one.setting.get(name), other.setting.get(name)
        if others is not None and (mine is None or (mine < others if name.startswith("min") else mine > others)):
            return False
    return True


def _column(letter: str, metric: str, group: Iterable[Result]) -> LeaderboardColumn:
    measured = [(result.detector, one) for result in group if (one := result.measurement(metric)) is not None]
    direction = 1 if metric in _LOWER_IS_BETTER else -1
    # Undefined numbers come last; equal numbers keep the order of the results.
    measured.sort(key=lambda pair: (pair[1].value is None, direction * (pair[1].value or 0.0)))
    cells = [LeaderboardCell(detector, one) for detector, one in measured]
    best = cells[0].measurement.value if cells else None
    if best is None or metric in _UNRANKED:
        return LeaderboardColumn(letter, metric, tuple(cells))
    standing = _standing([cell.measurement for cell in cells])
    marked = (
        dataclasses.replace(cell, standing=standing) if cell.measurement.value == best else cell for cell in cells
    )
    return LeaderboardColumn(letter, metric, tuple(marked))


def _standing(ranked: Sequence[Measurement]) -> RankStanding:
    best, rest = ranked[0], [one for one in ranked[1:] if one.value is not None]
    if not rest:
        return RankStanding.ALONE
    if best.low is None or best.high is None or any(one.low is None or one.high is None for one in rest):
        return RankStanding.UNSURE
    # The next best value need not have the interval that reaches furthest.
    apart = all(
        one.low is not None and one.high is not None and (best.low > one.high or best.high < one.low) for one in rest
    )
    return RankStanding.AHEAD if apart else RankStanding.WITHIN


def _notes(groups: Sequence[Sequence[Result]], columns: Sequence[LeaderboardColumn]) -> Iterable[str]:
    for group in groups:
        differing = differing_conditions([conditions(result) for result in group])
        for name in (one for one in _FILTERS if one in differing):
            values = ", ".join(f"{result.detector} {result.setting.get(name, 'none')}" for result in group)
            yield (
                f"The filter {name} differs ({values}), but selects the same pairs: the narrower filter did not change "
                "any total."
            )
        if len({result.policy.counted for result in group}) > 1:
            counts = ", ".join(f"{result.detector} {result.policy.counted:,}" for result in group)
            yield (
                f"The results are not over the same pairs ({counts}): predictions were missing, or judgements were "
                "added in between."
            )
    if any(cell.standing is RankStanding.WITHIN for column in columns for cell in column.cells):
        yield (
            "Where the best number's interval overlaps the next one's, these results do not show which is better; a "
            "paired comparison on the same pairs may."
        )
    yield from _scope_notes(columns)
    used = {(result.benchmark.name, result.policy) for group in groups for result in group}
    yield from dict.fromkeys(
        f"Policy {policy.name}: {assumption}"
        for _, policy in sorted(used, key=lambda one: one[1].name)
        for assumption in policy.assumptions
    )
    for name in sorted({name for name, policy in used if policy.name == ORIGIN.name}):
        for one in published_samples(name):
            wrong = one.error(True)
            judged = f"{wrong.successes:.0f} of {wrong.n} judged {one.sample}"
            yield f"{judged} are not clones (criterion '{one.criterion}'). {one.source}"
    corrections = [_correction(result) for group in groups for result in group]
    for assumption in dict.fromkeys(one.assumption for one in corrections if one is not None):
        yield f"Numbers named {_CORRECTED}… are corrected for wrong labels by '{_METHOD}'. {assumption}"


def _scope_notes(columns: Sequence[LeaderboardColumn]) -> Iterable[str]:
    """Which intervals hold for the tested functionalities only: a lead is then one on these."""
    scopes: dict[str, list[str]] = {}
    for column in columns:
        for cell in column.cells:
            if cell.measurement.scope is not None and cell.measurement.low is not None:
                scopes.setdefault(cell.measurement.scope, []).append(column.metric)
    for scope, metrics in scopes.items():
        yield f"The intervals of {', '.join(dict.fromkeys(metrics))} hold for {scope} only, not for others."


def _listed(differences: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{name} ({' / '.join(dict.fromkeys(texts))})" for name, texts in differences.items())


def _letter(number: int) -> str:
    """A, B … Z, AA, AB …"""
    head, tail = divmod(number, len(ascii_uppercase))
    return (_letter(head - 1) if head else "") + ascii_uppercase[tail]


# Leaderboards as text: rows of a table, Markdown for a paper or an issue, CSV for a program.

MARKS = {RankStanding.AHEAD: "▲", RankStanding.WITHIN: "△", RankStanding.UNSURE: "○"}
"""The mark of the best number of a column, by its standing."""

_UNKNOWN = "–"


def number_text(value: float | None) -> str:
    """Format a metric's value with four decimals, or as many as it takes not to look like 0 or 1."""
    if value is None:
        return _UNKNOWN
    if 0 < abs(value) < 0.001:
        return f"{value:.2g}"
    digits = 4
    while abs(value) != 1 and abs(round(value, digits)) == 1:
        digits += 1
    return f"{value:.{digits}f}"


def interval_text(measurement: Measurement) -> str | None:
    """Format an interval in brackets; None where there is none."""
    if measurement.low is None or measurement.high is None:
        return None
    return f"[{number_text(measurement.low)}, {number_text(measurement.high)}]"


def headings(board: Leaderboard) -> list[str]:
    """The headings of the columns: the metric, after the letter of its conditions where there are several."""
    return [_heading(board, column) for column in board.columns]


def rows(board: Leaderboard, separator: str = "\n") -> list[list[str]]:
    """A row for each detector: its name, and a text for each column, a dash where nothing was measured."""
    return [
        [detector, *(_cell_text(column.cell(detector), separator) for column in board.columns)]
        for detector in board.detectors
    ]


def legend(board: Leaderboard) -> Iterator[str]:
    """What a reader needs under the table: the conditions, the marks and the notes."""
    for letter, shared in board.conditions.items():
        named = "; ".join(f"{name} {text}" for name, text in shared.items() if text != "not stated")
        yield f"{letter}: {named}." if len(board.conditions) > 1 else f"Measured under: {named}."
    if board.differences:
        yield f"Columns under different letters cannot be compared: they differ in {', '.join(board.differences)}."
    shown = {cell.standing for column in board.columns for cell in column.cells}
    for standing, mark in MARKS.items():
        if standing in shown:
            yield f"{mark} {standing.value}."
    yield from board.notes


def markdown(board: Leaderboard) -> str:
    """Write the leaderboard as a Markdown table with its legend."""
    head = ["detector", *headings(board)]
    lines = [markdown_row(head), markdown_rule(len(head), 1), *(markdown_row(row) for row in rows(board, " "))]
    return "\n".join([*lines, "", *(f"- {markdown_line(line)}" for line in legend(board))]) + "\n"


_CSV = ("detector", "conditions", "metric", "value", "low", "high", "scope", "successes", "n", "standing", "under")


def csv_text(board: Leaderboard, *, spreadsheet_safe: bool = False) -> str:
    """Write the leaderboard as CSV, a line for each number."""
    return "".join(csv_pieces(_CSV, _csv_rows(board), spreadsheet_safe=spreadsheet_safe))


def _csv_rows(board: Leaderboard) -> Iterator[Sequence[object]]:
    for column in board.columns:
        under = "; ".join(f"{name}={text}" for name, text in board.conditions[column.conditions].items())
        for cell in column.cells:
            one = cell.measurement
            numbers = (one.value, one.low, one.high, one.scope, one.successes, one.n)
            yield cell.detector, column.conditions, column.metric, *numbers, cell.standing, under


def _heading(board: Leaderboard, column: LeaderboardColumn) -> str:
    return f"{column.conditions} {column.metric}" if len(board.conditions) > 1 else column.metric


def _cell_text(cell: LeaderboardCell | None, separator: str) -> str:
    if cell is None:
        return _UNKNOWN
    mark = MARKS.get(cell.standing) if cell.standing else None
    value = number_text(cell.measurement.value) + (f" {mark}" if mark else "")
    interval = interval_text(cell.measurement)
    return f"{value}{separator}{interval}" if interval else value
