"""Clones of whole files: equal, equal but for names and values, or with most statements in common."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa

from clonetruth.code.overlap import Bags, Integers
from clonetruth.code.statements import mixed
from clonetruth.detectors.clone_classes import star_classes
from clonetruth.detectors.finder import FOUND_PAIRS
from clonetruth.detectors.token_overlap import OverlapComparison
from clonetruth.find.block_cover import BlockClass, BlockLimits
from clonetruth.find.block_spans import LocatedStatements, Span
from clonetruth.progress import no_progress


class FileClasses:
    """The clone classes of files.

    Files match if enough of their statements are equal, as the finder `tokens` compares functions by their tokens.

    Args:
        located: the statements of all files of a language.
        limits: which files are large enough, and similar enough.
    """

    def __init__(self, located: LocatedStatements, limits: BlockLimits) -> None:
        self._located = located
        first = np.flatnonzero(np.diff(located.file, prepend=-1))
        end = np.append(first[1:], len(located.file)) if len(first) else first
        tokens = np.add.reduceat(located.tokens, first) if len(first) else first
        lines = located.rows["last_line"][located.row_of[end - 1]] if len(first) else first
        large = (tokens >= limits.min_tokens) & (lines >= limits.min_lines)
        self._spans = [Span(*one) for one in zip(first[large].tolist(), end[large].tolist(), strict=True)]
        self._threshold = limits.threshold

    @cached_property
    def classes(self) -> list[BlockClass]:
        """The classes; a file can be in several."""
        if not self._spans:
            return []
        by_form: dict[bytes, int] = {}
        form = [self._located.file_digest(int(self._located.file[span.first]), "renamed") for span in self._spans]
        equal = np.array([by_form.setdefault(one, len(by_form)) for one in form])
        first = np.unique(equal, return_index=True)[1]
        stars = star_classes([self._pairs(equal, first)], equal).members
        number, file, leading = (stars[name].to_numpy() for name in ("class", "fragment", "representative"))
        bounds = np.append(np.flatnonzero(np.diff(number, prepend=-1)), len(number)).tolist()
        return [
            self._class(file[begin:end][leading[begin:end]], file[begin:end][~leading[begin:end]], equal, first)
            for begin, end in pairwise(bounds)
        ]

    def _class(self, representative: Integers, others: Integers, equal: Integers, first: Integers) -> BlockClass:
        """A class: the representative first, and the similarity of the member that is least similar to it."""
        files = np.concatenate([representative, others]).tolist()
        spans = tuple(self._spans[file] for file in files)
        # Pairs were compared between the first files of each form.
        own, *forms = (int(first[equal[file]]) for file in files)
        scores = (self._scores.get((min(own, form), max(own, form)), 1.0) for form in forms)
        return BlockClass(spans, self._located.size(spans[0]), min(scores))

    def _pairs(self, equal: Integers, first: Integers) -> pa.RecordBatch:
        leader = first[equal]
        same = np.flatnonzero(leader != np.arange(len(leader)))
        left, right, score = [leader[same]], [same], [np.ones(len(same))]
        self._scores: dict[tuple[int, int], float] = {}
        for match in OverlapComparison(self._bags(first)).matches(self._threshold, no_progress):
            a, b = first[match.left], first[match.right]
            left.append(np.minimum(a, b))
            right.append(np.maximum(a, b))
            score.append(match.score)
            pairs = zip(left[-1].tolist(), right[-1].tolist(), strict=True)
            self._scores.update(zip(pairs, match.score.tolist(), strict=True))
        columns = [np.concatenate(column) for column in (left, right, score)]
        return pa.RecordBatch.from_arrays([pa.array(one) for one in columns], schema=FOUND_PAIRS)

    def _bags(self, files: Integers) -> Bags:
        """The statements of some files; the second occurrence of a statement is another one than the first."""
        spans = [self._spans[file] for file in files.tolist()]
        form = self._located.form("exact").form
        hashes = np.concatenate([form[span.first : span.end] for span in spans])
        sizes = np.array([span.end - span.first for span in spans])
        bag = np.repeat(np.arange(len(spans)), sizes)
        order = np.lexsort((hashes, bag))
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(bag[order]) != 0) | (np.diff(hashes[order]) != 0)
        position = np.arange(len(order))
        earlier = np.empty(len(order), np.int64)
        earlier[order] = position - np.maximum.accumulate(np.where(new, position, 0))
        occurrences = mixed(hashes + mixed(earlier.astype(np.uint64)))
        numbers: Integers = np.unique(occurrences, return_inverse=True)[1]
        return Bags(numbers.astype(np.int32), np.append(0, np.cumsum(sizes)))


def alike_files(located: LocatedStatements, classes: list[BlockClass]) -> Iterator[tuple[int, int, str]]:
    """Iterate over the pairs of files in one class, in both directions: two files, and the type of the pair."""
    for one in classes:
        files = [int(located.file[span.first]) for span in one.spans]
        exact, renamed = ([located.file_digest(file, form) for file in files] for form in ("exact", "renamed"))
        for i, left in enumerate(files):
            for j, right in enumerate(files):
                if i != j:
                    yield left, right, "T1" if exact[i] == exact[j] else "T2" if renamed[i] == renamed[j] else "T3"
