"""`clonetruth matrix`: detectors under several views, levels of abstraction and seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.output import json_option, progress_bar, show_json, show_table, show_warning
from clonetruth.errors import InputError

if TYPE_CHECKING:
    from clonetruth.evaluate.matrix.options import MatrixOptions
    from clonetruth.evaluate.matrix.runner import MatrixStep
    from clonetruth.store.matrix import MatrixRow, MatrixSummary
    from clonetruth.store.results import Measurement

_FOUND_SOMETHING = 1
_PAGE = "index.html"
_path = click.Path(path_type=Path)
_count = click.IntRange(min=1)


@dataclass(frozen=True)
class MatrixCall:
    """The options of the command, as it was called."""

    on: Path
    detectors: str
    views: str
    levels: str
    seeds: int
    policy: str
    criterion: str | None
    ratio: str
    train_pairs: int | None
    valid_pairs: int | None
    test_pairs: int | None
    clone_share: float | None
    balance: bool
    epochs: int
    processes: int | None
    output: Path | None
    as_json: bool

    @property
    def folder(self) -> Path:
        """Where the matrix stands."""
        return self.output or Path(f"matrix-{self.on.absolute().name}")

    def options(self) -> MatrixOptions:
        """What the library is asked for."""
        from clonetruth.evaluate.matrix.options import PERSPECTIVES, MatrixOptions
        from clonetruth.splits import Sampling, read_ratio

        return MatrixOptions(
            detectors=_names(self.detectors),
            views=PERSPECTIVES if self.views == "all" else _names(self.views),
            levels=read_levels(self.levels),
            seeds=self.seeds,
            policy=self.policy,
            criterion=self.criterion,
            ratio=read_ratio(self.ratio),
            sampling=Sampling(self.train_pairs, self.valid_pairs, self.test_pairs, self.clone_share, self.balance),
            epochs=self.epochs,
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def read_levels(text: str) -> tuple[int, ...]:
    """Levels as people write them: `0-3`, `1`, `0,2-3`.

    Raises:
        InputError: they are none.
    """
    levels: list[int] = []
    for word in _names(text):
        first, dash, last = word.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError(f"'{word}' is no level.", hint="Write 0-3, or 0,2 for instance.")
        levels += range(int(first), int(last if dash else first) + 1)
    return tuple(levels)


@click.command()
@click.option("--on", type=_path, required=True, help="The benchmark folder. Splits that it lacks are written into it.")
@click.option(
    "--detectors",
    default="mlp,identifiers,token-similarity",
    show_default=True,
    help="Detectors and learners, with commas between them; learners are trained for each cell.",
)
@click.option(
    "--views",
    default="all",
    show_default=True,
    help="Views, or view:variant, with commas; all: random, cross-project, cross-functionality, cross-all.",
)
@click.option("--levels", default="0-3", show_default=True, help="Levels of abstraction (docs/abstraction.md).")
@click.option("--seeds", type=_count, default=5, show_default=True, help="How many seeds; intervals need two.")
@click.option("--policy", default="default", show_default=True, help="Whose verdicts count.")
@click.option("--criterion", help="What was asked of the judges; the card's criterion unless told.")
@click.option("--ratio", default="3:1:1", show_default=True, help="train:valid:test.")
@click.option("--train-pairs", type=_count, help="Draw at most so many pairs of train.")
@click.option("--valid-pairs", type=_count, help="Draw at most so many pairs of valid.")
@click.option("--test-pairs", type=_count, help="Draw at most so many pairs of test.")
@click.option(
    "--clone-share", type=float, help="Draw pairs so that this share are clones, in every part of every view."
)
@click.option("--balance", is_flag=True, help="Draw as many pairs of each functionality, as far as they go.")
@click.option("--epochs", type=_count, default=20, show_default=True, help="The most epochs of a training.")
@click.option("--processes", type=_count, help="Cells computed at a time; as many as there are cores unless told.")
@click.option(
    "-o", "--output", type=_path, help="The folder of the matrix; unless told, matrix-BENCHMARK. A started one goes on."
)
@json_option
@click.pass_context
def matrix(context: click.Context, /, **options: Any) -> None:
    """Does a detector generalise, or did it memorise? Detector × view × level × seed, and the drop.

    Every cell is a result of its own in the folder's cells/. A run that was stopped goes on without repeating finished
    cells; a cell that fails is recorded and does not stop the others, and the exit code is then 1.
    """
    from clonetruth.code import available_cores
    from clonetruth.evaluate.matrix.runner import run_matrix
    from clonetruth.html import write
    from clonetruth.report.matrix import matrix_page
    from clonetruth.store import Benchmark

    call = MatrixCall(**options)
    asked = call.options()
    benchmark = Benchmark.open(call.on)
    with progress_bar() as progress:
        summary = run_matrix(
            benchmark,
            call.folder,
            asked,
            processes=call.processes or available_cores(),
            on_step=_tell,
            progress=progress,
        )
    page = write(matrix_page(summary), call.folder / _PAGE)
    if call.as_json:
        show_json(summary)
    else:
        _show(summary)
        click.echo(f"Written: {page}")
    failed: dict[str, list[str]] = {}
    for failure in summary.failures:
        failed.setdefault(failure.error, []).append(str(failure.cell))
    for error, cells in failed.items():
        more = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
        show_warning(f"{cells[0]}{more}: {error}")
    if failed:
        context.exit(_FOUND_SOMETHING)


def _tell(step: MatrixStep) -> None:
    """A line for each cell: who waits for hours, or reads a log, wants to see that it goes on, and how long."""
    from clonetruth.store.results import Result

    said = "failed"
    if isinstance(step.outcome, Result):
        f1 = step.outcome.measurement("f1")
        said = f"F1 {f1.value:.3f}" if f1 and f1.value is not None else "F1 undefined"
    left = f"; about {duration(step.remaining)} left" if step.done < step.total else ""
    click.echo(f"{step.done}/{step.total} {step.cell}: {said} ({duration(step.seconds)}{left})", err=True)


def duration(seconds: float) -> str:
    """A time as people say it: 12 s, 3 min, 2 h 5 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _show(summary: MatrixSummary) -> None:
    on = f"on {summary.benchmark.name}, policy {summary.policy}: mean over seeds ({len(summary.seeds)})"
    _show_grid(f"F1 {on}", summary, lambda row: row.mean("f1"))
    if any(row.drops for row in summary.rows):
        _show_grid("F1 lost against the random view", summary, lambda row: row.drop("f1"))
    tests = [
        (test.view, round(test.pairs.value or 0), _percent(test.clone_share), _said(test.always_yes))
        for test in summary.tests
    ]
    show_table("What was tested on", ("view", "pairs", "clones", "F1 of calling all clones"), tests)
    for assumption in summary.assumptions:
        click.echo(assumption)


def _show_grid(title: str, summary: MatrixSummary, number: Callable[[MatrixRow], Measurement | None]) -> None:
    rows: list[tuple[object, ...]] = []
    for detector in summary.detectors:
        for level in summary.levels:
            found = [summary.row(detector, view, level) for view in summary.views]
            rows.append((detector, level, *(_said(number(row)) if row else None for row in found)))
    show_table(title, ("detector", "level", *summary.views), rows)


def _said(one: Measurement | None) -> str | None:
    if one is None or one.value is None:
        return None
    interval = "" if one.low is None or one.high is None else f" [{one.low:.3f}, {one.high:.3f}]"
    return f"{one.value:.3f}{interval}"


def _percent(share: Measurement) -> str:
    return "–" if share.value is None else f"{share.value:.0%}"
