"""Counts of published files, BigCloneEval's reports and its threshold, and the definitions of views."""

from __future__ import annotations

import math
import re
from collections import Counter
from math import nan

import duckdb
import pyarrow as pa

from clonetruth.build import recover_functionalities
from clonetruth.code.words import subword_estimate
from clonetruth.evaluate.locations.matchers import CoverageMatcher
from clonetruth.evaluate.locations.published import published_result
from clonetruth.evaluate.locations.selection import Behaviour
from clonetruth.formats.streams import read_lines
from clonetruth.formats.tables import read_rows
from clonetruth.formats.trees import read_tree
from clonetruth.formats.validateclones import read_input, read_output
from clonetruth.literature.checks.context import CheckContext, listed
from clonetruth.splits import split_benchmark
from clonetruth.store import Benchmark

_REPORTS = "bigcloneeval_reports"
_TYPES = ("T1", "T2", "VST3", "ST3", "MT3", "WT3_T4")


def _recall(context: CheckContext, tool: str, clone_type: str) -> tuple[float, int]:
    result = published_result(context.path(_REPORTS, f"{tool}_recall_report.txt.gz"))
    found = result.measurement(f"recall-{clone_type}")
    return (nan, 0) if found is None or found.value is None or found.n is None else (found.value, found.n)


def tool_recall(context: CheckContext, *, tool: str, clone_type: str) -> float:
    """A tool's recall of a clone type in the report that BigCloneEval printed."""
    return _recall(context, tool, clone_type)[0]


def reference_share(context: CheckContext, *, clone_type: str) -> float:
    """The share of a clone type in the reference clones of BigCloneEval's reports."""
    counts = {one: _recall(context, "oreo", one)[1] for one in _TYPES}
    return counts[clone_type] / sum(counts.values())


def reference_functionalities(context: CheckContext) -> float:
    """The number of functionalities in BigCloneEval's report, which tells the versions of BigCloneBench apart."""
    strata = published_result(context.path(_REPORTS, "oreo_recall_report.txt.gz")).strata
    return next(len(one.groups) for one in strata if one.by == "functionality")


def functionalities_below(context: CheckContext, *, share: float) -> float:
    """How many functionalities, the smallest first, together have at most a share of all reference clones."""
    sizes = sorted(
        sum(int(value) for name, value in row.values.items() if name.startswith("clones_"))
        for row in read_rows(context.path("bigclonebench", "functionalities.csv"))
    )
    limit, found = share * sum(sizes), 0
    for count, size in enumerate(sizes, 1):
        limit -= size
        found = count if limit >= 0 else found
    return found


def functionality_share(context: CheckContext, *, functionality: str) -> float:
    """The share of a functionality, by name, in all reference clones with at least 50 tokens."""
    sizes = {
        row.values["name"]: sum(int(value) for name, value in row.values.items() if name.startswith("clones_"))
        for row in read_rows(context.path("bigclonebench", "functionalities.csv"))
    }
    return sizes[functionality] / sum(sizes.values())


def coverage_needed(context: CheckContext, *, share: float, behaviour: str) -> float:
    """The smallest share of a clone's 100 lines that a report must cover for BigCloneEval to count it as found."""
    lines = range(1, 101)
    reports = pa.table(
        {"r_first": [1] * 100, "r_last": list(lines), "f_first": [1] * 100, "f_last": [100] * 100, "lines": list(lines)}
    )
    with duckdb.connect() as engine:
        found = engine.from_arrow(reports).filter(CoverageMatcher(share).condition(Behaviour(behaviour)))
        return min(int(row[found.columns.index("lines")]) for row in found.fetchall()) / 100


def shared_by_parts(
    context: CheckContext, *, view: str, what: str, first: str, second: str, variant: str | None = None
) -> float:
    """The functionalities or projects that two parts of a split of the embedded benchmark have in common."""
    benchmark = context.benchmark("embedded")
    name = f"ledger-{view}-{variant or 'own'}"
    split = split_benchmark(benchmark, view, variant=variant, name=name, one_class=True, replace=True)
    parts = dict(listed(benchmark.table(f"splits/{split.name}"), "fragment", "part"))
    if what == "project":
        rows = listed(benchmark.table("fragments"), "fragment", "project")
    else:
        rows = listed(benchmark.table("memberships"), "fragment", "functionality")
    inside = {part: {group for fragment, group in rows if parts.get(fragment) == part} for part in (first, second)}
    return len(inside[first] & inside[second])


def count_rows(context: CheckContext, *, data: str, file: str, column: str = "", value: str = "") -> float:
    """The rows of a published table, or those with a value in a column."""
    rows = read_rows(context.path(data, file))
    return sum(not column or str(row.values[column]) == value for row in rows)


def count_blocks(context: CheckContext, *, file: str) -> float:
    """The blocks in an input file of the ValidateClones tool: one for each pair."""
    return sum(1 for _ in read_input(context.path("gptclonebench", file)))


def undecided_rows(context: CheckContext, *, file: str) -> float:
    """The share of the rows in an output file of the ValidateClones tool that record no verdict."""
    statuses = Counter(row.status for row in read_output(context.path("gptclonebench", file)))
    return statuses["undecided"] / statuses.total()


def count_files(context: CheckContext, *, data: str, archive: str, pattern: str, distinct: int = 0) -> float:
    """The files of an archive whose names match, or the different values of one group of the pattern."""
    names = (re.search(pattern, str(one.name)) for one in read_tree(context.path(data, archive)))
    return len({match[distinct] for match in names if match})


def _functions(context: CheckContext) -> Benchmark:
    return context.benchmark("bigclonebench-functions", context.path("bigclonebench", "functions.zip"))


def published_functions(context: CheckContext) -> float:
    """The functions in the file that TBCCD publishes, by id."""
    return len(_functions(context).table("fragments"))


def truncated(context: CheckContext, *, window: int) -> float:
    """The share of BigCloneBench's 9,134 published functions with more subwords than a model's window (estimate)."""
    texts = _functions(context).table("fragments")["text"].to_pylist()
    return sum(subword_estimate(text) > window for text in texts) / len(texts)


def problem_sizes(context: CheckContext, *, statistic: str) -> float:
    """DeepSim's Code Jam programs by problem: `problems`, `programs`, `mean` or standard `deviation`."""
    folder = context.path("gcj", "googlejam4_src.zip")
    sizes = Counter(match[1] for one in read_tree(folder) if (match := re.search(r"(\d+)/[^/]+\.java$", str(one.name))))
    average = sizes.total() / len(sizes)
    found: dict[str, float] = {
        "problems": float(len(sizes)),
        "programs": float(sizes.total()),
        "mean": average,
        "deviation": math.sqrt(sum((size - average) ** 2 for size in sizes.values()) / len(sizes)),
    }
    return found[statistic]


def recovered(context: CheckContext) -> float:
    """The share of the functions in CodeXGLUE's sampled lists whose functionality our recipe recovers."""
    lists = context.path("bigclonebench", "codexglue")
    parent = context.benchmark("codexglue-bcb", lists, context.path("bigclonebench", "functions.zip"))
    known = context.path("bigclonebench", "function_functionality.parquet")
    output = context.scratch / "recovered"
    found = recover_functionalities(parent, with_=known, output=output)
    if found.build is None:
        return nan
    return found.build.step("recovered").counts["fragments"] / len(parent.table("fragments"))


def imported_size(context: CheckContext, *, source: str, data: str, what: str, view: str = "") -> float:
    """The number of fragments, pairs or functionalities after an import of the published files, of a view if needed."""
    options = {"view": view} if view else {}
    return context.benchmark(source, context.path(data), **options).counts[what]


def listed_labels(context: CheckContext, *, label: str) -> float:
    """The rows with a label in CodeXGLUE's three lists."""
    end = f"\t{label}".encode()
    lists = [context.path("codexglue", f"{part}.txt") for part in ("train", "valid", "test")]
    return sum(line.rstrip().endswith(end) for path in lists for _, line in read_lines(path))
