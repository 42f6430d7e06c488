"""Near-miss clones: the lines that two fragments share, in order, as in NiCad."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from clonetruth.code import Bags, Language, SequenceTable, form_lines, overlap_parts
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.equal_forms import RENAMINGS
from clonetruth.detectors.pair_batches import GroupMembers, Matches
from clonetruth.detectors.tokenized import Items
from clonetruth.progress import Progress


@dataclass(frozen=True)
class NearMissDetector(ClassicalDetector):
    """NiCad (Roy and Cordy, ICPC 2008): a limited share of unique lines on either side, 0.3 by default.

    The score is a similarity, 1 − NiCad's dissimilarity: its threshold of 0.3 is 0.7 here.

    Attributes:
        renaming: `blind`, `consistent` or `none`, applied before lines are compared.
    """

    name: str = "nearmiss"
    description: str = field(
        default="Longest common subsequence of pretty-printed lines ÷ lines of the longer fragment, names ignored.",
        repr=False,
    )
    default_threshold: float = 0.7
    renaming: str = "blind"
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {"renaming": ("blind", "consistent", "none")}

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`."""
        lines = form_lines(text, language, RENAMINGS[self.renaming]) if language else ()
        return tuple(lines) or None

    def compare(self, distinct: Iterable[Items]) -> _LineComparison:
        """See `ClassicalDetector.compare`."""
        return _LineComparison(distinct)


class _LineComparison:
    """Compares sequences of lines.

    Lines that two fragments share in order they also share in any order. So every match is among the pairs whose bags
    of lines overlap by the threshold, and the finder misses nothing by examining those only.
    """

    def __init__(self, distinct: Iterable[Items]) -> None:
        lines = list(distinct)
        self._bags = Bags.of(lines)
        self._sequences = SequenceTable(lines)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        return self._sequences.ratios(left, right)

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`."""
        bag, parts = overlap_parts(
            self._bags, threshold, progress=lambda done, total: report("Comparing fragments", done, total)
        )
        bags = (Matches(pairs.left, pairs.right, np.ones(len(pairs))) for pairs in parts)
        for candidates in GroupMembers(bag).pairs(bags):
            left, right = candidates.left, candidates.right
            yield Matches(left, right, self.scores(left, right)).at_least(threshold)


NEARMISS = NearMissDetector()
