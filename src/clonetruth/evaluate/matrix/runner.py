"""The matrix: detector × view × level of abstraction × seed, in processes, continued where a run was killed.

A cell is a file in the folder of the matrix (`cells/<detector>-<view>-<level>-<seed>.json`, a result), written whole or
not at all. A cell that fails is recorded, and the others go on.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from clonetruth import __version__
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.matrix.cell import CellWorkspace
from clonetruth.evaluate.matrix.options import MatrixOptions
from clonetruth.evaluate.matrix.summary import summarise, summary_csv
from clonetruth.evaluate.matrix.worker_pool import LostWorker, run_apart
from clonetruth.progress import Progress
from clonetruth.splits import SplitOptions, read_split, split
from clonetruth.store import Benchmark, hash_json
from clonetruth.store.matrix import CellFailure, MatrixCell, MatrixSummary, write_record
from clonetruth.store.records import write_text
from clonetruth.store.results import Result
from clonetruth.verdicts import judge_verdicts

_IDENTITY = "matrix.json"
SUMMARY = "summary.json"
TABLE = "summary.csv"


@dataclass(frozen=True)
class MatrixStep:
    """A cell that was computed now.

    Attributes:
        cell: which.
        outcome: its result, or why it has none.
        seconds: how long it took.
        done: how many cells are finished, with those of earlier runs.
        total: how many there are.
        remaining: about how many seconds the rest will take.
    """

    cell: MatrixCell
    outcome: Result | CellFailure
    seconds: float
    done: int
    total: int
    remaining: float


@dataclass
class MatrixClock:
    """Estimates how long the remaining cells take: as long as those of the same detector did so far."""

    spent: dict[str, list[float]] = field(default_factory=dict)

    def note(self, cell: MatrixCell, seconds: float) -> None:
        """A cell took so long."""
        self.spent.setdefault(cell.detector, []).append(seconds)

    def remaining(self, cells: Iterable[MatrixCell], processes: int) -> float:
        """About how many seconds these cells take in so many processes."""
        means = {detector: sum(spent) / len(spent) for detector, spent in self.spent.items()}
        overall = sum(means.values()) / len(means) if means else 0.0
        return sum(means.get(cell.detector, overall) for cell in cells) / processes


def run_matrix(
    benchmark: Benchmark,
    folder: Path,
    options: MatrixOptions,
    *,
    processes: int = 1,
    on_step: Callable[[MatrixStep], None] | None = None,
    progress: Progress | None = None,
) -> MatrixSummary:
    """Compute the cells that are not there yet, and the summary of all.

    The processes are started anew and import the main module, so a script must call this under
    ``if __name__ == "__main__"``.

    Args:
        benchmark: the benchmark; splits that it lacks are written into it.
        folder: where cells and summary stand; it is made, or continued if it holds the same matrix, or a part of it.
        options: what the matrix is of.
        processes: how many cells are computed at a time.
        on_step: told when a cell is finished.
        progress: told how the splits come along.

    Returns:
        The summary, which also stands in the folder as JSON and CSV.

    Raises:
        InputError: the folder holds another matrix, no cell has a result, or a policy gives no verdict.
        UnknownNameError: there is no such policy.
    """
    if processes < 1:
        raise InputError(f"{processes} processes are asked for.", hint="Give at least 1.")
    judge_verdicts(benchmark, options.policy, options.criterion)
    identity = _identity(benchmark, options)
    _check_folder(folder, identity)
    cells = options.cells()
    workplace = CellWorkspace(benchmark.path.absolute(), folder.absolute(), options)
    results = {cell: result for cell in cells if (result := workplace.finished(cell)) is not None}
    missing = [cell for cell in cells if cell not in results]
    splits, refusals = _splits(benchmark, options, missing, progress)
    if refusals and not splits and not results:
        raise InputError(f"No view can be made. The first cannot: {next(iter(refusals.values()))}")
    _begin(folder, identity)
    clock, failures, left = MatrixClock(), list[CellFailure](), set(missing)
    for cell, outcome, seconds in _outcomes(replace(workplace, splits=splits), refusals, missing, processes):
        left.remove(cell)
        if isinstance(outcome, Result):
            results[cell] = outcome
            clock.note(cell, seconds)
        else:
            failures.append(outcome)
        if on_step is not None:
            done, remaining = len(cells) - len(left), clock.remaining(left, processes)
            on_step(MatrixStep(cell, outcome, seconds, done, len(cells), remaining))
    with contextlib.suppress(OSError):
        workplace.trainings.rmdir()  # stays while a failed cell has a training to be continued
    summary = summarise(options, results, failures)
    if summary is None:
        raise InputError(f"No cell has a result. The first failed: {failures[0].error}", where=folder)
    write_record(summary, folder / SUMMARY)
    write_text(summary_csv(summary), folder / TABLE)
    return summary


def _identity(benchmark: Benchmark, options: MatrixOptions) -> dict[str, Any]:
    """What the cells of one folder have in common."""
    return {
        "clonetruth": __version__,
        "benchmark": benchmark.content_hash,
        "judgements": benchmark.judgements_hash,
        "conditions": options.conditions(),
    }


def _check_folder(folder: Path, identity: Mapping[str, Any]) -> None:
    """Refuse the folder of another matrix, whose cells would be mixed in, and of anything else."""
    path = folder / _IDENTITY
    try:
        if path.exists():
            if json.loads(path.read_text(encoding="utf-8")) != identity:
                raise InputError(
                    "The folder holds a matrix with another benchmark, judgements, options or version of clonetruth.",
                    where=path,
                    hint="Choose another folder.",
                )
        elif folder.exists() and any(folder.iterdir()):
            raise InputError("The folder holds something else.", where=folder, hint="Choose a new or an empty folder.")
    except (OSError, ValueError) as error:
        raise InputError(f"The folder cannot be used: {error}", where=folder, hint="Choose another folder.") from error


def _begin(folder: Path, identity: Mapping[str, Any]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder cannot be made: {error}", where=folder, hint="Choose another folder.") from error
    write_text(json.dumps(identity, indent=2) + "\n", folder / _IDENTITY)


def _splits(
    benchmark: Benchmark, options: MatrixOptions, cells: Iterable[MatrixCell], progress: Progress | None
) -> tuple[dict[tuple[str, int], str], dict[tuple[str, int], str]]:
    """The splits that cells need, by view and seed; and why there is none, where the benchmark does not permit one."""
    names, refusals = dict[tuple[str, int], str](), dict[tuple[str, int], str]()
    for view, seed in dict.fromkeys((cell.view, cell.seed) for cell in cells):
        try:
            names[view, seed] = _split(benchmark, options.split_options(view, seed), progress)
        except CloneTruthError as error:
            refusals[view, seed] = str(error)
    return names, refusals


def _outcomes(
    workplace: CellWorkspace, refusals: Mapping[tuple[str, int], str], cells: Sequence[MatrixCell], processes: int
) -> Iterator[tuple[MatrixCell, Result | CellFailure, float]]:
    """What comes of cells, and in how many seconds, in the order in which they are finished."""
    possible = []
    for cell in cells:
        why = refusals.get((cell.view, cell.seed))
        if why is None:
            possible.append(cell)
        else:
            yield cell, workplace.fail(CellFailure(cell, why)), 0.0
    for done in run_apart(workplace.perform, possible, processes):
        outcome = done.answer
        if isinstance(outcome, LostWorker):
            outcome = workplace.fail(CellFailure(done.task, str(outcome)))
        yield done.task, outcome, done.seconds


def _split(benchmark: Benchmark, wanted: SplitOptions, progress: Progress | None) -> str:
    """The name of a split with these options. One of that name that was made otherwise stays, and ours gets another."""
    there = benchmark.names("splits")
    if wanted.name in there and not _is(benchmark, wanted):
        wanted = replace(wanted, label=f"{wanted.name}-{hash_json(json.loads(wanted.record()))[:8]}")
    if wanted.name not in there:
        split(benchmark, wanted, progress)
    return wanted.name


def _is(benchmark: Benchmark, wanted: SplitOptions) -> bool:
    try:
        return read_split(benchmark, wanted.name).options == wanted
    except InputError:
        return False
