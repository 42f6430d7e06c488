"""Clones of blocks compared with jscpd's: ``python -m bench.bench_blocks LANGUAGE=FOLDER… [--list N] [--cost]``.

Of the clones that jscpd reports (50 tokens, 5 lines), or another tool (``--tool pmd``), those are taken that lie inside
of one function on either side. A clone is covered as far as its lines are in members of classes that have members on
both of its sides; on the side that is covered less. The table has the number that is covered by less than half, with
functions alone, and with blocks.

With ``--list N``, N of those that blocks do not cover are listed, evenly spaced. With ``--cost``, whole processes are
measured: CPU seconds of `clonetruth find --no-index` with functions, with functions and blocks, and of jscpd. With
``--sample N``, N classes of blocks (or of files, ``--kind file``) are printed with their code, drawn at random, for
people to judge.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.bench_find import run
from bench.measurement import machine
from clonetruth.code.discovery import DiscoveryOptions, discover
from clonetruth.detectors.finder import FinderOptions
from clonetruth.find import Clones, SearchedFile, clones_in, search_files
from clonetruth.find.grouping import CloneGroup
from clonetruth.formats.reports import ReadingLog
from clonetruth.options.find import FindOptions
from clonetruth.tools import ToolOptions, external_pairs, external_tool

Place = tuple[str, int, int]
"""A file, a first and a last line."""


class Coverage:
    """Which lines of two places are in clones of each other, by the classes of a search."""

    def __init__(self, groups: Sequence[CloneGroup]) -> None:
        self._members: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
        for number, one in enumerate(groups):
            for at, member in enumerate(one.occurrences):
                self._members[member.path].append((member.first_line, member.last_line, number, at))

    def of(self, left: Place, right: Place) -> float:
        """The covered share of the lines, on the side with less."""
        sides = [self._overlapping(place) for place in (left, right)]
        shares = []
        for (_, first, last), own, other in ((left, sides[0], sides[1]), (right, sides[1], sides[0])):
            lines: set[int] = set()
            for begin, end, number, at in own:
                if any(one[2] == number and one[3] != at for one in other):
                    lines.update(range(max(begin, first), min(end, last) + 1))
            shares.append(len(lines) / (last - first + 1))
        return min(shares)

    def _overlapping(self, place: Place) -> list[tuple[int, int, int, int]]:
        path, first, last = place
        return [one for one in self._members.get(path, ()) if one[0] <= last and one[1] >= first]


def inside_functions(language: str, folder: Path, tool: str) -> list[tuple[Place, Place]]:
    """The clones that a tool reports, with each side inside of one function."""
    discovery = discover([folder], DiscoveryOptions((language,)))
    files = [SearchedFile(*file) for file in discovery.files]
    rows = search_files(files, (), FinderOptions(min_tokens=1)).fragments
    functions: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, first, last in zip(
        *(rows[name].to_pylist() for name in ("file", "first_line", "last_line")), strict=True
    ):
        functions[files[number].name].append((first, last))
    found = external_pairs(
        {file.name: file.path for file in files}, external_tool(tool), ToolOptions(None, 50, 5), log=ReadingLog()
    )
    columns = ("left_path", "left_first_line", "left_last_line", "right_path", "right_first_line", "right_last_line")
    clones = []
    for row in zip(*(found[name].to_pylist() for name in columns), strict=True):
        left, right = row[:3], row[3:]
        if all(_inside(place, functions[place[0]]) for place in (left, right)):
            clones.append((left, right))
    print(f"{tool} reports {found.num_rows:,} clones, {len(clones):,} of them inside of functions", file=sys.stderr)
    return clones


def _inside(place: Place, functions: list[tuple[int, int]]) -> bool:
    _, first, last = place
    at = bisect_right(functions, (first, sys.maxsize))
    return any(one[0] <= first and last <= one[1] for one in functions[max(at - 5, 0) : at])


def compared(language: str, folder: Path, asked: argparse.Namespace) -> Iterator[str]:
    """A row of the table, and what was asked for besides."""
    clones = inside_functions(language, folder, asked.tool)
    less, classes, lines = [], [], 0
    last = "function,block" if asked.kind == "block" else "function,block,file"
    for granularity in ("function", last):
        options = FindOptions(paths=(folder,), language=(language,), granularity=(granularity,), index=False)
        with clones_in(options) as found:
            groups, lines = found.grouping.groups, found.result.lines
            coverage = Coverage(groups)
            missed = [clone for clone in clones if coverage.of(*clone) < 0.5]
            less.append(len(missed))
            classes.append(len(groups))
            if granularity == last:
                yield (
                    f"| {language} | {folder.name} | {lines:,} | {len(clones):,} | {less[0]:,} | {less[1]:,} "
                    f"| {classes[0]:,} | {classes[1]:,} |"
                )
                yield from _missed(missed, asked.list)
                drawn = [one for one in groups if one.occurrences[0].kind == asked.kind]
                yield from _sampled(drawn, found, asked.sample, asked.seed)


def _missed(missed: Sequence[tuple[Place, Place]], listed: int) -> Iterator[str]:
    for at in range(0, len(missed), max(1, len(missed) // listed)) if listed else ():
        left, right = missed[at]
        yield f"\nmissed: {left[0]}:{left[1]}-{left[2]} = {right[0]}:{right[1]}-{right[2]}"
        yield "\n".join(Path(left[0]).read_text(errors="replace").split("\n")[left[1] - 1 : left[2]])


def _sampled(groups: Sequence[CloneGroup], found: Clones, sample: int, seed: int) -> Iterator[str]:
    for number, one in enumerate(random.Random(seed).sample(groups, min(sample, len(groups)))):
        yield f"\n=== {number + 1} {one.weakest} {len(one.occurrences)} × {one.occurrences[0].tokens} tokens"
        for member in one.occurrences[:2]:
            text = found.grouping.snippets([member.fragment])[member.fragment][1]
            yield f"--- {member.path}:{member.first_line} {member.name}\n{text}"


def cost(language: str, folder: Path, jscpd: str) -> str:
    """The CPU seconds of whole processes."""
    find: list[str | Path] = [
        sys.executable,
        "-m",
        "clonetruth",
        "find",
        folder,
        "--language",
        language,
        "--no-index",
        "--format",
    ]
    with tempfile.TemporaryDirectory() as scratch:
        others: list[str | Path] = [
            jscpd,
            folder,
            "--format",
            language,
            "--reporters",
            "json",
            "--output",
            scratch,
            "--silent",
        ]
        seconds = [
            run([*find, form, "--granularity", granularity]).cpu
            for form in ("bigcloneeval", "json")
            for granularity in ("function", "function,block", "function,block,file")
        ]
        seconds.append(run([*others, "--max-lines", "10000000", "--max-size", "100mb"]).cpu)
    return f"| {language} | {folder.name} | {' | '.join(f'{one:.1f}' for one in seconds)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="LANGUAGE=FOLDER")
    parser.add_argument("--list", type=int, default=0, help="number of clones to list that are not covered")
    parser.add_argument("--sample", type=int, default=0, help="number of classes of blocks to print")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cost", action="store_true", help="measure CPU seconds instead")
    parser.add_argument("--tool", default="jscpd", help="whose clones to look for")
    parser.add_argument("--kind", default="block", choices=("block", "file"), help="classes to print")
    parser.add_argument("--jscpd", default="jscpd", help="the program")
    arguments = parser.parse_args()
    print(machine())
    if arguments.cost:
        print("| language | code | functions | + blocks | + files | json: functions | + blocks | + files | jscpd |")
    else:
        print("| language | code | lines | the tool's | < half by functions | + blocks | classes | + blocks |")
    for text in arguments.folders:
        language, _, folder = text.partition("=")
        if arguments.cost:
            print(cost(language, Path(folder), arguments.jscpd), flush=True)
        else:
            for line in compared(language, Path(folder), arguments):
                print(line, flush=True)


if __name__ == "__main__":
    main()
