"""What a tool reports, as pairs of places in our files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.formats.reports import REPORTED, PathResolver, ReadingLog, recognise_report
from clonetruth.progress import Progress
from clonetruth.tools.process import ToolOptions
from clonetruth.tools.runner import PartRun, ToolRun, run_tool
from clonetruth.tools.tool import ExternalTool

_PLACE = ("path", "first_line", "last_line")
_SIDES = [f"{side}_{column}" for side in ("left", "right") for column in _PLACE]


def external_pairs(
    files: Mapping[str, Path],
    tool: ExternalTool,
    options: ToolOptions | None = None,
    *,
    log: ReadingLog | None = None,
    progress: Progress | None = None,
) -> pa.Table:
    """Run a tool over files in a temporary folder, and read what it reports; see `run_tool` and `run_pairs`.

    Args:
        files: where the files are, by the names that they are to have in the result.
        tool: the tool.
        options: which clones are reported, and how the tool is run.
        log: told what happened while the report was read, and what a reader of the pairs should know.
        progress: told what is being done.
    """
    log = log or ReadingLog()
    with tempfile.TemporaryDirectory(prefix="clonetruth-") as folder:
        run = run_tool(tool, files, options, workdir=Path(folder), progress=progress)
        log.notes.extend(run.notes)
        return run_pairs(run, log)


def run_pairs(run: ToolRun, log: ReadingLog) -> pa.Table:
    """The pairs that a run reports, with our names of the files, sorted.

    Each pair is there once, whichever side came first and however many parts reported it, with its best score. The
    score of equal places is 1. A place is no clone of itself.

    Args:
        run: the run.
        log: told what happened while the reports were read.

    Returns:
        The columns of `REPORTED`.

    Raises:
        InputError: a report cannot be read.
    """
    batches = [batch for part in run.parts if part.report for batch in _batches(run, part, log)]
    pairs = _ordered(pa.Table.from_batches(batches, REPORTED))
    if run.tool.lists_all_pairs:
        pairs = pairs.filter(pc.greater_equal(pairs["score"], run.threshold))
    once = pairs.group_by(_SIDES).aggregate([("score", "max")]).rename_columns(REPORTED.names)
    return once.cast(REPORTED).sort_by([(name, "ascending") for name in _SIDES])


def _batches(run: ToolRun, part: PartRun, log: ReadingLog) -> Iterator[pa.RecordBatch]:
    """The pairs of a part with our names; those with a file that the tool was not given are told and left out."""
    copies, names = pa.array(part.names.keys(), pa.string()), pa.array(part.names.values(), pa.string())
    resolver = PathResolver(part.names)
    for read in recognise_report(part.report, run.tool.report_format).read(part.report, log):
        batch = resolver.resolve(read)
        sides = [pc.index_in(batch.column(f"{side}_path"), value_set=copies) for side in ("left", "right")]
        known = pc.and_(pc.is_valid(sides[0]), pc.is_valid(sides[1]))
        for _ in range(batch.num_rows - (pc.sum(known).as_py() or 0)):
            log.skip(part.report[0], None, "a place is in none of the files that the tool was given")
        left, right = (names.take(side) for side in sides)
        score = pc.divide(batch.column("score"), run.tool.full_score)
        columns = [left, *batch.columns[1:3], right, *batch.columns[4:6], score]
        yield pa.RecordBatch.from_arrays(columns, REPORTED.names).filter(known).cast(REPORTED)


def _ordered(pairs: pa.Table) -> pa.Table:
    """Pairs with the smaller place on the left, and none of a place with itself."""
    left, right = ([pairs[f"{side}_{column}"] for column in _PLACE] for side in ("left", "right"))
    less, same = pa.scalar(False), pa.scalar(True)
    for one, other in zip(left, right, strict=True):
        less = pc.or_(less, pc.and_(same, pc.less(other, one)))
        same = pc.and_(same, pc.equal(one, other))
    swapped = [
        *(pc.if_else(less, b, a) for a, b in zip(left, right, strict=True)),
        *(pc.if_else(less, a, b) for a, b in zip(left, right, strict=True)),
    ]
    return pa.Table.from_arrays([*swapped, pairs["score"]], REPORTED.names).filter(pc.invert(same))
