"""Functions cut out of IJaDataset's files by their recorded line ranges, and whether a range holds one function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from clonetruth.code import Function, available_cores, decode, extract, language, map_parallel
from clonetruth.formats.trees import read_tree

_BATCH = 500
_WORTH_A_PROCESS = 4000


@dataclass(frozen=True)
class FilePlace:
    """Where a function is recorded to stand: folder (`selected`, `default`, `sample`), file, 1-based lines."""

    folder: str
    file: str
    first_line: int
    last_line: int


def cut_functions(trees: Sequence[Path], places: Sequence[FilePlace]) -> list[str | None]:
    """The recorded lines of every place; None where no tree has the file.

    Files are found by the last two parts of their name, so that a reduced tree
    (`<functionality>/<folder>/<file>`) and the whole dataset (`<folder>/<file>`) both serve.
    """
    wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, place in enumerate(places):
        wanted[place.folder, place.file].append(number)
    texts: list[str | None] = [None] * len(places)
    for tree in trees:
        for member in read_tree(tree):
            folder, file = ("", *member.name.parts)[-2:]
            # A reduced tree holds a file once for each functionality: the first copy serves.
            numbers = wanted.pop((folder, file), None)
            if numbers:
                lines = decode(member.read()).text.split("\n")
                for number in numbers:
                    place = places[number]
                    texts[number] = "\n".join(lines[max(place.first_line - 1, 0) : max(place.last_line, 0)])
    return texts


def range_defects(texts: Iterable[str]) -> Iterator[str | None]:
    """For every text, why it is not exactly one function; None where it is."""
    iterator = iter(texts)
    first = list(islice(iterator, _WORTH_A_PROCESS))
    # Starting processes takes longer than a few thousand functions.
    processes = available_cores() if len(first) == _WORTH_A_PROCESS else 1

    def batches() -> Iterator[list[str]]:
        for start in range(0, len(first), _BATCH):
            yield first[start : start + _BATCH]
        while batch := list(islice(iterator, _BATCH)):
            yield batch

    for defects in map_parallel(_defects, "java", batches(), processes):
        yield from defects


def _defects(language_name: str, texts: list[str]) -> list[str | None]:
    java = language(language_name)
    return [_defect(extract(text, java, lone=True).functions) for text in texts]


def _defect(functions: Sequence[Function]) -> str | None:
    outermost, end, sound = 0, -1, True
    for function in functions:
        # Methods of a class inside a function are part of it.
        if function.start >= end:
            outermost, end, sound = outermost + 1, function.end, function.sound
    if outermost == 1:
        return None if sound else "the recorded range holds a function that does not parse"
    return f"the recorded range holds {'no whole function' if outermost == 0 else 'several functions'}"
