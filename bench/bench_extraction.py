"""Extraction and tokenizing compared with a bare tree-sitter parse: ``python -m bench.bench_extraction FOLDER…``.

Point it at about a million lines of Java, for instance Debian's source packages of Tomcat, HSQLDB and Ant. The steps
run in turn on each file, so that other load on the machine affects all of them alike. Prints the CPU seconds of each
step and the ratio to the bare parse.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench.measurement import machine
from clonetruth.code import extract, language, source_files

JAVA = language("java")


def bare_parse(source: bytes) -> None:
    """Parse with tree-sitter alone."""
    JAVA.parser.parse(source)


def functions(source: bytes) -> None:
    """Extract functions with lines, names, class paths and parameter types."""
    extract(source, JAVA)


def tokens(source: bytes) -> None:
    """Extract functions, and the tokens of each with their classes."""
    extract(source, JAVA).token_streams()


STEPS: tuple[tuple[str, Callable[[bytes], None]], ...] = (
    ("bare parse", bare_parse),
    ("functions", functions),
    ("functions and tokens with classes", tokens),
)


def main(folders: list[Path]) -> None:
    """Measure and print."""
    sources = [path.read_bytes() for path in source_files(folders, ["java"])]
    lines = sum(source.count(b"\n") for source in sources)
    seconds = dict.fromkeys((name for name, _ in STEPS), 0.0)
    for source in sources:
        for name, step in STEPS:
            start = time.process_time()
            step(source)
            seconds[name] += time.process_time() - start
    print(f"# Extraction, {machine()}, {len(sources):,} files, {lines:,} lines")
    for name, spent in seconds.items():
        print(f"{name:36} {spent:6.2f} CPU s   {spent / seconds['bare parse']:.2f} × the bare parse")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main([Path(name) for name in sys.argv[1:]])
