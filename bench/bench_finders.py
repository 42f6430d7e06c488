"""The time that each finder takes on the functions of a source tree: ``python -m bench.bench_finders FOLDER…``.

Point it at about a million lines, for instance Debian's source packages of Tomcat, HSQLDB and Ant. The functions are
extracted beforehand; each finder then reads and compares those with at least 50 tokens, with its default threshold.
`ncd` is left out, since it compresses every candidate pair.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pyarrow as pa

from bench.measurement import machine, measure, peak_memory
from clonetruth.code import available_cores, extract_files, source_files
from clonetruth.detectors import FINDERS, Finder


def corpus(folders: list[Path]) -> pa.Table:
    """The functions of all files."""
    files = extract_files(source_files(folders), processes=available_cores())
    rows = [(file.language, function.text) for file in files for function in file.functions]
    languages, texts = zip(*rows, strict=True) if rows else ((), ())
    return pa.table({"fragment": range(len(rows)), "language": pa.array(languages), "text": pa.array(texts)})


def pairs_of(finder: Finder, fragments: pa.Table) -> int:
    """The number of pairs that a finder finds."""
    return sum(batch.num_rows for batch in finder.find(fragments, processes=available_cores()))


def main(folders: list[Path]) -> None:
    """Measure and print."""
    fragments = corpus(folders)
    lines = sum(text.count("\n") + 1 for text in fragments["text"].to_pylist())
    print(f"# Finders, {machine()}, {fragments.num_rows:,} functions, {lines:,} lines")
    for name in FINDERS:
        if name != "ncd":
            measured = measure(partial(pairs_of, FINDERS[name], fragments))
            print(
                f"{name:12} {measured.result:9,} pairs   {measured.cpu:6.1f} CPU s   {measured.wall:6.1f} s", flush=True
            )
    print(f"peak memory {peak_memory():.2f} GB")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main([Path(name) for name in sys.argv[1:]])
