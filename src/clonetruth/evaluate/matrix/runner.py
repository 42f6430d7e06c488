"""Runs a matrix: detector × view × level of abstraction × seed, in worker processes; an interrupted run is resumed.

A cell is a result in the folder of the matrix (`cells/<detector>-<view>-<level>-<seed>.json`), written whole or not at
all. A cell that fails is recorded, and the others continue.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from clonetruth import __version__
from clonetruth.budgets import read_text
from clonetruth.code import available_cores
from clonetruth.code.worker_pool import LostWorker, run_in_processes
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.matrix.cell import CellWorkspace, FinishedCell
from clonetruth.evaluate.matrix.plan import PERSPECTIVES, MatrixPlan, Run, TrainingSource, read_levels, read_names
from clonetruth.evaluate.matrix.summary import summarise, summary_csv
from clonetruth.options.declaration import verb
from clonetruth.options.matrix import MatrixOptions
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress
from clonetruth.splits import Sampling, SplitSpec, create_split, read_ratio, read_split
from clonetruth.store import Benchmark, hash_json, open_benchmark
from clonetruth.store.matrix import CellFailure, MatrixCell, MatrixSummary, write_record
from clonetruth.store.records import write_text
from clonetruth.store.results import Result
from clonetruth.training.request import split_requests
from clonetruth.verdicts import judge_verdicts

_IDENTITY = "matrix.json"
SUMMARY = "summary.json"
TABLE = "summary.csv"


@dataclass(frozen=True)
class MatrixStep:
    """A cell that was just computed.

    Attributes:
        cell: the cell.
        outcome: its result, or why it failed.
        seconds: how long it took.
        done: number of finished cells, including those of earlier runs.
        total: number of cells.
        remaining: estimated seconds until all cells are finished.
    """

    cell: MatrixCell
    outcome: Result | CellFailure
    seconds: float
    done: int
    total: int
    remaining: float


@dataclass
class MatrixClock:
    """Estimates how long the remaining cells take: as long as those of the same detector so far."""

    spent: dict[str, list[float]] = field(default_factory=dict)

    def record(self, cell: MatrixCell, seconds: float) -> None:
        """Record how long a cell took."""
        self.spent.setdefault(cell.detector, []).append(seconds)

    def remaining(self, cells: Iterable[MatrixCell], processes: int) -> float:
        """Estimate how many seconds these cells take with a number of processes."""
        means = {detector: sum(spent) / len(spent) for detector, spent in self.spent.items()}
        overall = sum(means.values()) / len(means) if means else 0.0
        return sum(means.get(cell.detector, overall) for cell in cells) / processes


@verb(MatrixOptions)
def run_matrix(
    options: MatrixOptions,
    *,
    on_step: Callable[[MatrixStep], None] | None = None,
    progress: Progress | None = None,
) -> MatrixSummary:
    """Evaluate detectors under several views, levels of abstraction and seeds, and how much they lose.

    Every cell is a result in the folder's cells/; the summary is written as JSON and CSV. An interrupted run resumes
    without repeating finished cells. The worker processes import the main module, so a script must call this under
    ``if __name__ == "__main__"``.

    Args:
        on_step: called when a cell is finished.
        progress: called as splits are made.

    Returns:
        The summary. A cell that fails is recorded in its failures, and does not stop the others.

    Raises:
        InputError: the folder has another matrix, no cell has a result, or an option is invalid.
        UnknownNameError: there is no such detector, view or policy.

    Example:
        >>> small = {"views": "random", "levels": "0", "seeds": 1}
        >>> summary = clonetruth.run_matrix("my-benchmark", detectors="length", **small, output="my-matrix")
        >>> summary.row("length", "random", 0).mean("f1").n
        1
    """
    benchmark = open_benchmark(options.on)
    views = read_names(options.views)
    sampling = Sampling(
        options.train_pairs, options.valid_pairs, options.test_pairs, options.clone_share, options.balance
    )
    plan = MatrixPlan(
        detectors=split_requests(options.detectors),
        views=PERSPECTIVES if views == ("all",) else views,
        levels=read_levels(options.levels),
        seeds=options.seeds,
        policy=options.policy,
        criterion=options.criterion,
        ratio=read_ratio(options.ratio),
        folds=options.folds,
        tolerance=options.tolerance,
        train_functionalities=options.train_functionalities,
        max_functionality_fragments=options.max_functionality_fragments,
        min_functionality_fragments=options.min_functionality_fragments,
        sampling=sampling,
        all_pairs=options.all_pairs,
        epochs=options.epochs,
        train_on=tuple(TrainingSource.of(one) for one in options.train_on),
    )
    return compute_matrix(
        benchmark,
        options.output or matrix_folder(benchmark),
        plan,
        processes=options.processes or available_cores(),
        on_step=on_step,
        progress=progress,
        spreadsheet_safe=options.spreadsheet_safe,
    )


def matrix_folder(benchmark: Benchmark) -> Path:
    """The default folder of a benchmark's matrix."""
    return Path(f"matrix-{benchmark.path.absolute().name}")


def compute_matrix(
    benchmark: Benchmark,
    folder: Path,
    plan: MatrixPlan,
    *,
    processes: int = 1,
    on_step: Callable[[MatrixStep], None] | None = None,
    progress: Progress | None = None,
    spreadsheet_safe: bool = False,
) -> MatrixSummary:
    """Compute the missing cells, and the summary of all.

    The worker processes import the main module, so a script must call this under ``if __name__ == "__main__"``.

    Args:
        benchmark: the benchmark; splits that it lacks are written into it.
        folder: the folder of cells and summary; it is created, or resumed if it has the same matrix or a part of it.
        plan: the cells of the matrix, and how they are computed.
        processes: number of worker processes.
        on_step: called when a cell is finished.
        progress: called as splits are made.
        spreadsheet_safe: whether the CSV is for spreadsheets.

    Returns:
        The summary, which is also written to the folder as JSON and CSV.

    Raises:
        InputError: the folder has another matrix, no cell has a result, or a policy gives no verdict.
        UnknownNameError: there is no such policy.
    """
    if processes < 1:
        raise InputError(f"The number of processes is {processes}.", hint="Give at least 1.")
    judge_verdicts(benchmark, plan.policy, plan.criterion)
    identity = _identity(benchmark, plan)
    _check_folder(folder, identity)
    cells = plan.cells()
    workspace = CellWorkspace(benchmark.path.absolute(), folder.absolute(), plan)
    results = {cell: finished for cell in cells if (finished := workspace.finished(cell)) is not None}
    missing = [cell for cell in cells if cell not in results]
    splits, refusals = _splits(benchmark, plan, missing, progress)
    source_splits, source_refusals = _source_splits(plan, missing, progress)
    if refusals and not splits and not results:
        raise InputError(f"No view can be split. The first error: {next(iter(refusals.values()))}")
    _create_folder(folder, identity)
    clock, failures, left = MatrixClock(), list[CellFailure](), set(missing)
    workspace = replace(workspace, splits=splits, source_splits=source_splits)
    refused = {cell: why for cell in missing if (why := refusals.get((cell.view, cell.run)))}
    refused |= {cell: why for cell in missing if (why := source_refusals.get((cell.trained_on, cell.view, cell.run)))}
    for cell, outcome, seconds in _outcomes(workspace, refused, missing, processes):
        left.remove(cell)
        if isinstance(outcome, FinishedCell):
            results[cell] = outcome
            clock.record(cell, seconds)
        else:
            failures.append(outcome)
        if on_step is not None:
            done, remaining = len(cells) - len(left), clock.remaining(left, processes)
            shown = outcome.result if isinstance(outcome, FinishedCell) else outcome
            on_step(MatrixStep(cell, shown, seconds, done, len(cells), remaining))
    with contextlib.suppress(OSError):
        workspace.trainings.rmdir()  # stays while a failed cell has a training to resume
    summary = summarise(plan, results, failures)
    if summary is None:
        raise InputError(f"No cell has a result. The first error: {failures[0].error}", where=folder)
    write_record(summary, folder / SUMMARY)
    write_text(summary_csv(summary, spreadsheet_safe=spreadsheet_safe), folder / TABLE)
    return summary


def _identity(benchmark: Benchmark, plan: MatrixPlan) -> dict[str, Any]:
    """What the cells of one folder have in common."""
    return {
        "clonetruth": __version__,
        "benchmark": benchmark.content_hash,
        "judgements": benchmark.judgements_hash,
        "conditions": plan.conditions(),
    }


def _check_folder(folder: Path, identity: Mapping[str, Any]) -> None:
    """Refuse the folder of another matrix, whose cells would be mixed in, and any other folder that is not empty."""
    path = folder / _IDENTITY
    try:
        if path.exists():
            if parse_json(read_text(path)) != identity:
                raise InputError(
                    "The folder has a matrix with another benchmark, judgements, options or version of clonetruth.",
                    where=path,
                    hint="Choose another folder.",
                )
        elif folder.exists() and any(folder.iterdir()):
            raise InputError(
                "The folder is not empty and has no matrix.", where=folder, hint="Choose a new or an empty folder."
            )
    except (OSError, ValueError) as error:
        raise InputError(f"The folder cannot be used: {error}", where=folder, hint="Choose another folder.") from error


def _create_folder(folder: Path, identity: Mapping[str, Any]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder cannot be created: {error}", where=folder, hint="Choose another folder."
        ) from error
    write_text(json.dumps(identity, indent=2) + "\n", folder / _IDENTITY)


def _splits(
    benchmark: Benchmark, plan: MatrixPlan, cells: Iterable[MatrixCell], progress: Progress | None
) -> tuple[dict[tuple[str, Run], str], dict[tuple[str, Run], str]]:
    """The splits that cells need, by view and run; and for those that the benchmark does not permit, the reason."""
    names, refusals = dict[tuple[str, Run], str](), dict[tuple[str, Run], str]()
    for view, run in dict.fromkeys((cell.view, cell.run) for cell in cells):
        try:
            names[view, run] = _split(benchmark, plan.split_spec(view, *run), progress)
        except CloneTruthError as error:
            refusals[view, run] = str(error)
    return names, refusals


def _source_splits(
    plan: MatrixPlan, cells: Iterable[MatrixCell], progress: Progress | None
) -> tuple[dict[tuple[str, str, Run], tuple[str, ...]], dict[tuple[str, str, Run], str]]:
    """The splits of the other benchmarks that cells are trained on, and why some cannot be made."""
    names, refusals = dict[tuple[str, str, Run], tuple[str, ...]](), dict[tuple[str, str, Run], str]()
    folders = {one.name: one.folders for one in plan.train_on}
    for source, view, run in dict.fromkeys((cell.trained_on, cell.view, cell.run) for cell in cells):
        if not source:
            continue
        try:
            opened = [open_benchmark(folder) for folder in folders[source]]
            names[source, view, run] = tuple(_split(one, plan.split_spec(view, *run), progress) for one in opened)
        except CloneTruthError as error:
            refusals[source, view, run] = str(error)
    return names, refusals


def _outcomes(
    workspace: CellWorkspace, refusals: Mapping[MatrixCell, str], cells: Sequence[MatrixCell], processes: int
) -> Iterator[tuple[MatrixCell, FinishedCell | CellFailure, float]]:
    """The outcomes of cells, and how many seconds each took, in the order in which they finish."""
    possible = []
    for cell in cells:
        why = refusals.get(cell)
        if why is None:
            possible.append(cell)
        else:
            yield cell, workspace.fail(CellFailure(cell, why)), 0.0
    for finished in run_in_processes(workspace.perform, possible, processes):
        outcome = finished.outcome
        if isinstance(outcome, LostWorker):
            outcome = workspace.fail(CellFailure(finished.task, str(outcome)))
        yield finished.task, outcome, finished.seconds


def _split(benchmark: Benchmark, wanted: SplitSpec, progress: Progress | None) -> str:
    """The name of a split with these options. A different split of that name stays, and ours gets another name."""
    existing = benchmark.names("splits")
    if wanted.name in existing and not _exists(benchmark, wanted):
        wanted = replace(wanted, label=f"{wanted.name}-{hash_json(parse_json(wanted.record()))[:8]}")
    if wanted.name not in existing:
        create_split(benchmark, wanted, progress)
    return wanted.name


def _exists(benchmark: Benchmark, wanted: SplitSpec) -> bool:
    try:
        return read_split(benchmark, wanted.name).options == wanted
    except InputError:
        return False
