"""The pairs that a tool reports, with the original file names."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.formats.reports import REPORTED, PathResolver, ReadingLog, recognise_report
from clonetruth.progress import Progress
from clonetruth.tools.runner import PartRun, ToolRun, run_on_files
from clonetruth.tools.tool import ExternalTool, ToolOptions

_LOCATION = ("path", "first_line", "last_line")
_SIDES = [f"{side}_{column}" for side in ("left", "right") for column in _LOCATION]


def external_pairs(
    files: Mapping[str, str | os.PathLike[str]],
    tool: ExternalTool,
    options: ToolOptions | None = None,
    *,
    log: ReadingLog | None = None,
    progress: Progress | None = None,
) -> pa.Table:
    """Run a tool on files in a temporary folder and read its report; see `run_on_files` and `read_pairs`.

    Args:
        files: the paths of the files, by the names to use in the result.
        tool: the tool.
        options: which clones to report, and how to run the tool.
        log: collects skipped rows and notes on the pairs.
        progress: receives progress reports.
    """
    log = log or ReadingLog()
    with tempfile.TemporaryDirectory(prefix="clonetruth-") as folder:
        run = run_on_files(tool, files, options, workdir=Path(folder), progress=progress)
        log.notes.extend(run.notes)
        return read_pairs(run, log)


def read_pairs(run: ToolRun, log: ReadingLog) -> pa.Table:
    """Read the pairs that a run reports, sorted, with the original file names.

    Each pair occurs once, whatever the order of its sides and however many parts report it, with its best score. Scores
    are scaled so that equal locations score 1. A location is not paired with itself.

    Args:
        run: the run.
        log: collects skipped rows.

    Returns:
        The columns of `REPORTED`.

    Raises:
        InputError: a report is unreadable.
    """
    batches = [batch for part in run.parts if part.report for batch in _batches(run, part, log)]
    pairs = _ordered(pa.Table.from_batches(batches, REPORTED))
    if run.tool.lists_all_pairs:
        pairs = pairs.filter(pc.greater_equal(pairs["score"], run.threshold))
    unique = pairs.group_by(_SIDES).aggregate([("score", "max")]).rename_columns(REPORTED.names)
    return unique.cast(REPORTED).sort_by([(name, "ascending") for name in _SIDES])


def _batches(run: ToolRun, part: PartRun, log: ReadingLog) -> Iterator[pa.RecordBatch]:
    """The pairs of one part with the original names; a pair with any other file is skipped and logged."""
    copies, names = pa.array(part.names.keys(), pa.string()), pa.array(part.names.values(), pa.string())
    resolver = PathResolver(part.names)
    for read in recognise_report(part.report, run.tool.report_format).read(part.report, log):
        batch = resolver.resolve(read)
        sides = [pc.index_in(batch.column(f"{side}_path"), value_set=copies) for side in ("left", "right")]
        known = pc.and_(pc.is_valid(sides[0]), pc.is_valid(sides[1]))
        for _ in range(batch.num_rows - (pc.sum(known).as_py() or 0)):
            log.skip(part.report[0], None, "a location is in none of the files given to the tool")
        left, right = (names.take(side) for side in sides)
        score = pc.divide(batch.column("score"), run.tool.full_score)
        columns = [left, *batch.columns[1:3], right, *batch.columns[4:6], score]
        yield pa.RecordBatch.from_arrays(columns, REPORTED.names).filter(known).cast(REPORTED)


def _ordered(pairs: pa.Table) -> pa.Table:
    """Pairs with the smaller location on the left, without pairs of a location with itself."""
    left, right = ([pairs[f"{side}_{column}"] for column in _LOCATION] for side in ("left", "right"))
    less, same = pa.scalar(False), pa.scalar(True)
    for one, other in zip(left, right, strict=True):
        less = pc.or_(less, pc.and_(same, pc.less(other, one)))
        same = pc.and_(same, pc.equal(one, other))
    swapped = [
        *(pc.if_else(less, b, a) for a, b in zip(left, right, strict=True)),
        *(pc.if_else(less, a, b) for a, b in zip(left, right, strict=True)),
    ]
    return pa.Table.from_arrays([*swapped, pairs["score"]], REPORTED.names).filter(pc.invert(same))
