"""`clonetruth matrix`: detectors under several views, levels of abstraction and seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_warning, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.matrix import MatrixOptions

if TYPE_CHECKING:
    from clonetruth.evaluate import MatrixStep
    from clonetruth.store.matrix import MatrixRow, MatrixSummary
    from clonetruth.store.results import Measurement

_PAGE = "index.html"


@verb_command(MatrixOptions)
def matrix(options: MatrixOptions) -> int:
    """Run a matrix, print its summary and write its page; 1 if a cell failed."""
    from clonetruth.evaluate import run_matrix
    from clonetruth.evaluate.matrix.runner import matrix_folder
    from clonetruth.html import write
    from clonetruth.report.matrix import matrix_page
    from clonetruth.store import open_benchmark

    with progress_bar() as progress:
        summary = run_matrix(options, on_step=_show_step, progress=progress)
    folder = options.output or matrix_folder(open_benchmark(options.on))
    page = write(matrix_page(summary), folder / _PAGE)
    if options.json:
        show_json(summary)
    else:
        _show(summary)
        show_written(page)
    failed: dict[str, list[str]] = {}
    for failure in summary.failures:
        failed.setdefault(failure.error, []).append(str(failure.cell))
    for error, cells in failed.items():
        more = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
        show_warning(f"{cells[0]}{more}: {error}")
    return int(bool(failed))


def _show_step(step: MatrixStep) -> None:
    """Print a line for each cell, with the time that is left: a matrix may take hours."""
    from clonetruth.store.results import Result

    outcome = "failed"
    if isinstance(step.outcome, Result):
        f1 = step.outcome.measurement("f1")
        outcome = f"F1 {f1.value:.3f}" if f1 and f1.value is not None else "F1 undefined"
    left = f"; about {duration(step.remaining)} left" if step.done < step.total else ""
    show_note(f"{step.done}/{step.total} {step.cell}: {outcome} ({duration(step.seconds)}{left})")


def duration(seconds: float) -> str:
    """Format a time as people say it: 12 s, 3 min, 2 h 5 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _show(summary: MatrixSummary) -> None:
    on = f"on {summary.benchmark.name}, policy {summary.policy}: mean over distinct divisions"
    _show_grid(f"F1 {on}", summary, lambda row: row.mean("f1"))
    if any(row.drops for row in summary.rows):
        _show_grid("F1 lost against the random view", summary, lambda row: row.drop("f1"))
    if any(row.gains for row in summary.rows):
        _show_grid("F1 gained over level 0, on the same pairs", summary, lambda row: row.gain("f1"))
    if any(row.transfer_losses for row in summary.rows):
        _show_grid(
            "F1 lost by training on other benchmarks, on the same pairs", summary, lambda row: row.transfer_loss("f1")
        )
    tests = [
        (
            test.view,
            test.runs,
            test.divisions,
            test.functionalities,
            round(test.pairs.value or 0),
            _percent(test.clone_share),
            _value(test.always_yes),
        )
        for test in summary.tests
    ]
    columns = ("view", "runs", "distinct divisions", "tested functionalities", "pairs", "clones", "F1 of always yes")
    show_table("Test parts", columns, tests)
    for caution in summary.cautions():
        show(caution)
    for assumption in summary.assumptions:
        show(assumption)


def _show_grid(title: str, summary: MatrixSummary, number: Callable[[MatrixRow], Measurement | None]) -> None:
    from clonetruth.store.matrix import row_label

    rows: list[tuple[object, ...]] = []
    for detector, source in summary.lines():
        for level in summary.levels:
            cells = [summary.row(detector, view, level, source) for view in summary.views]
            found = [number(row) if row else None for row in cells]
            if any(found):
                rows.append((row_label(detector, source), level, *map(_value, found)))
    show_table(title, ("detector", "level", *summary.views), rows)


def _value(one: Measurement | None) -> str | None:
    if one is None or one.value is None:
        return None
    interval = "" if one.low is None or one.high is None else f" [{one.low:.3f}, {one.high:.3f}]"
    return f"{one.value:.3f}{interval}"


def _percent(share: Measurement) -> str:
    return "–" if share.value is None else f"{share.value:.0%}"
