"""Ten heuristics on a million functions: ``python -m bench.bench_mining FOLDER… [--index MAKING] [--functions N]``.

The functions of the folders are indexed, or the index of a making is taken, and multiplied to the number of functions:
each copy adds its own suffix to the words of every second function, except those that are searched for, so that the
table of terms grows as it would with new code. Then each heuristic is searched for.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from pathlib import Path

from bench.measurement import machine
from clonetruth.make import make_benchmark, show_make
from clonetruth.make.candidate_search import search_sql
from clonetruth.make.function_index import TERMS
from clonetruth.make.functionality_file import functionality_names, read_functionality
from clonetruth.make.heuristic import parse_heuristic
from clonetruth.store import DuckDBEngine

HEURISTICS = (
    *(read_functionality(name, Path()).heuristic for name in functionality_names()),
    "keyword:byte AND keyword:for AND (name:compare* OR name:equals)",
    "call:openConnection OR type:URL AND (type:InputStream OR call:openStream)",
    "type:MessageDigest AND (call:digest OR call:update)",
    "(type:ZipInputStream OR type:ZipFile) AND (call:getNextEntry OR call:entries)",
    "name:sort* AND (keyword:for OR keyword:while) AND NOT call:sort",
    "type:Random AND NOT type:SecureRandom OR call:nextInt AND keyword:for",
)
"""Ten heuristics: those that ship, and others of the kind that BigCloneBench has."""

_INDEX = """
[make]
name = "bench"
description = "An index."

[[stage]]
use = "index"
paths = {paths}
"""

_COPIES = """
SELECT CASE WHEN c.copy = 0 OR t.function % 2 = 0 OR w.term IS NOT NULL THEN t.term
        ELSE concat(t.term, '_', CAST(c.copy AS STRING)) END AS term,
    t.kinds AS kinds, t.function + c.copy * c.size AS function
FROM terms t
CROSS JOIN copies c
LEFT JOIN wanted w ON t.term = w.term
WHERE t.function + c.copy * c.size < c.most
ORDER BY 1, 3
"""


def processor_seconds() -> float:
    """CPU seconds of this process and its children."""
    return sum(os.times()[:4])


def peak() -> float:
    """Peak memory of this process and of its largest child, in MB."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def main() -> None:
    """Measure, and print a table."""
    import pyarrow as pa

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--index", type=Path, help="the folder of a making with an index")
    parser.add_argument("--functions", type=int, default=1_000_000)
    options = parser.parse_args()
    engine = DuckDBEngine()
    with tempfile.TemporaryDirectory() as scratch:
        index = options.index
        if index is None:
            recipe = Path(scratch) / "index.toml"
            recipe.write_text(_INDEX.format(paths=[str(path.absolute()) for path in options.folders]))
            index = Path(scratch) / "making"
            make_benchmark(recipe, output=index)
        report = show_make(index).stage("index").report
        assert report is not None
        size = report.given["functions"]
        print(machine())
        print(f"Indexed: {size:,} functions, {report.given['terms']:,} terms, {report.cpu_seconds:,.0f} CPU seconds.")
        copies = -(-options.functions // size)
        terms = Path(scratch) / "terms.parquet"
        numbers = [{"copy": copy, "size": size, "most": options.functions} for copy in range(copies)]
        words = sorted({term.text for text in HEURISTICS for term in parse_heuristic(text).terms})
        tables = {
            "terms": index / "stages" / "index" / "terms",
            "copies": pa.Table.from_pylist(numbers),
            "wanted": pa.table({"term": words}),
        }
        rows = engine.write(_COPIES, tables, terms, schema=TERMS)
        print(f"Multiplied: {options.functions:,} functions, {rows:,} terms, {terms.stat().st_size / 1e6:,.0f} MB.")
        print(f"Peak memory so far: {peak():,.0f} MB.\n")
        print("| heuristic | functions | CPU seconds |\n| --- | ---: | ---: |")
        total = 0.0
        for text in HEURISTICS:
            started = processor_seconds()
            found = engine.sql(search_sql(parse_heuristic(text)), {"terms": terms}).num_rows
            total += processor_seconds() - started
            print(f"| `{text[:60]}` | {found:,} | {processor_seconds() - started:.2f} |")
        print(f"\nTen heuristics: {total:.1f} CPU seconds. Peak memory: {peak():,.0f} MB.")


if __name__ == "__main__":
    main()
