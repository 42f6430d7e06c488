"""Functions located from tokens compared with those of the trees: ``python -m bench.bench_outlines LANGUAGE=FOLDER…``.

For every source file of each folder (generated and vendored ones too) the functions of any size are located twice: from
tokens, as `clonetruth find` does, and by parsing. Two functions are the same if name, lines, bytes and all tokens are.
Prints a row per folder: functions that are the same in both, also among the files without syntax errors; files that the
scanner left to the parser; and the CPU seconds of locating and lexing both ways, after a first run that fills caches.
``--list N`` shows N functions of each cause of a difference.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.measurement import machine
from clonetruth.code import Language, decode, language, language_of_path
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import is_binary
from clonetruth.detectors.finder import FinderOptions
from clonetruth.find.functions import FileFunctions, functions_by_tokens, functions_by_trees

_ALL = FinderOptions(min_tokens=1, min_lines=1)
_BATCH = 4 * 1024**2
_LARGEST = 4 * 1024**2

Place = tuple[str, int, int, int, int, bytes]
"""Name, first and last line, start, end, and the tokens as hashes."""


def batches(paths: Sequence[Path]) -> Iterator[list[tuple[Path, bytes]]]:
    """The files as bytes to parse, in batches of the size that `find` reads."""
    batch: list[tuple[Path, bytes]] = []
    for path in paths:
        data = path.read_bytes()
        if len(data) <= _LARGEST and not is_binary(data):
            batch.append((path, source_bytes(decode(data).text)))
        if sum(len(text) for _, text in batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def places(found: FileFunctions, files: int) -> list[list[Place]]:
    """The functions of each file."""
    result: list[list[Place]] = [[] for _ in range(files)]
    for part in found.parts:
        hashes = part.lexed.vocabulary.whole(part.lexed.tokens)
        rows = (part.file, part.name, part.first_line, part.last_line, part.start, part.end, part.first, part.last)
        for file, name, first_line, last_line, start, end, first, last in zip(*map(list, rows), strict=True):
            tokens = hashes[first : last + 1].tobytes()
            result[file].append((name, int(first_line), int(last_line), int(start), int(end), tokens))
    return result


def cause(place: Place, others: Sequence[Place]) -> str:
    """What distinguishes a function from the most similar one of the other list."""
    for index, what in ((3, "another name or end"), (4, "another start")):
        for other in others:
            if other[index] == place[index]:
                return (
                    "another name" if other[3:5] == place[3:5] else "other tokens" if other[:5] == place[:5] else what
                )
    return "absent"


class Comparison:
    """Scanner and tree on the files of a language below a folder."""

    def __init__(self, kind: Language, folder: Path) -> None:
        self.kind = kind
        # Headers with the extension ".h" belong to C and to C++.
        self.paths = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file() and (path.suffix in kind.extensions or language_of_path(path) == kind)
        )
        self.sound = self.sound_same = 0
        self.files = self.lines = self.doubtful = self.functions = self.left = self.same = 0
        self.by_tokens = self.by_trees = 0.0
        self.causes: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = defaultdict(list)

    def run(self, shown: int) -> None:
        """Compare."""
        for batch in batches(self.paths):
            texts = [text for _, text in batch]
            functions_by_tokens(texts, self.kind, _ALL)
            started = time.process_time()
            found = functions_by_tokens(texts, self.kind, _ALL)
            self.by_tokens += time.process_time() - started
            scanned = places(found, len(texts))
            started = time.process_time()
            tree = functions_by_trees(texts, np.arange(len(texts)), self.kind, _ALL)
            self.by_trees += time.process_time() - started
            for (path, text), ours, theirs, count, broken in zip(
                batch, scanned, places(tree, len(texts)), found.functions.tolist(), tree.broken.tolist(), strict=True
            ):
                self.files += 1
                self.lines += text.count(b"\n")
                self.functions += len(theirs)
                if count < 0:
                    self.doubtful += 1
                    self.left += len(theirs)
                else:
                    self._compare(path, broken > 0, ours, theirs, shown)

    def _compare(self, path: Path, is_broken: bool, ours: list[Place], theirs: list[Place], shown: int) -> None:
        equal = Counter(ours) & Counter(theirs)
        self.same += sum(equal.values())
        if not is_broken:
            self.sound += len(theirs)
            self.sound_same += sum(equal.values())
        if len(ours) == len(theirs) == sum(equal.values()):
            return
        broken = "broken for the parser" if is_broken else "parsed without errors"
        for side, places_, others in (("tree", theirs, ours), ("scanner", ours, theirs)):
            for place in Counter(places_) - Counter(others):
                why = f"{side} only: {cause(place, others)} ({broken})"
                self.causes[why] += 1
                if len(self.examples[why]) < shown:
                    self.examples[why].append(f"{path}:{place[1]}-{place[2]} {place[0]}")

    def row(self, name: str) -> str:
        """A line of the table."""
        compared = self.functions - self.left
        share, sound = (
            100 * same / all_ if all_ else 100.0
            for same, all_ in ((self.same, compared), (self.sound_same, self.sound))
        )
        return (
            f"| {self.kind.title} | {name} | {self.files:,} | {self.lines:,} | {self.functions:,} "
            f"| {self.doubtful:,} | "
            f"{compared:,} | {share:.3f} | {sound:.3f} | {self.by_tokens:.1f} | {self.by_trees:.1f} |"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="LANGUAGE=FOLDER")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="Examples of each cause of a difference.")
    arguments = parser.parse_args()
    print(machine())
    print(
        "| language | code | files | lines | functions | files left to the parser | compared | same % | in sound files "
        "| scanner | tree |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for argument in arguments.folders:
        name, _, folder = argument.partition("=")
        comparison = Comparison(language(name), Path(folder))
        comparison.run(arguments.list)
        print(comparison.row(Path(folder).name), flush=True)
        for why, count in comparison.causes.most_common() if arguments.list else ():
            print(f"    {count:,} {why}")
            for example in comparison.examples[why]:
                print(f"        {example}")


if __name__ == "__main__":
    main()
