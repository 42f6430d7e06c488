"""Measures and calls: Oreo's idea. Fragments of like size that call the same names are compared by their measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from clonetruth.code import Bags, Language, fragment_profile, overlap_groups
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.detector import Progress
from clonetruth.detectors.metrics_model import MEASURES, shipped_model
from clonetruth.detectors.pair_batches import Matches, Members
from clonetruth.detectors.token_overlap import OverlapComparison, numbered_tokens
from clonetruth.detectors.tokenized import Items

LIKE_SIZE = 0.6
"""Tokens of the smaller fragment ÷ tokens of the larger, at least."""
SHARED_ACTIONS = 0.5
"""Common actions ÷ actions of the fragment with more, at least."""

_NO_ACTION = (b"",)
"""Fragments without any action have that in common."""


@dataclass(frozen=True)
class Metrics(ClassicalDetector):
    """Oreo's idea (Saini et al., ESEC/FSE 2018), with a network of our own.

    Pairs of unlike size, or with too few actions (called names, used members) in common, score 0: the finder need not
    look at them, and so agrees with the scorer. The others score what a small network says of the differences of their
    measures. Fragments with equal measures and actions score 1.
    """

    name: str = "metrics"
    description: str = field(
        default="Chance of a clone by a network over measures (size, complexity …) of fragments with the same calls.",
        repr=False,
    )
    default_threshold: float = 0.5

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `Reader.read`. The first item holds the measures, the others are the actions."""
        if language is None:
            return None
        profile = fragment_profile(text, language)
        if not profile.metrics.tokens:
            return None
        measures = np.array([getattr(profile.metrics, name) for name in MEASURES], dtype=np.float64)
        return (measures.tobytes(), *numbered_tokens(profile.actions))

    def compare(self, readings: Iterable[Items]) -> ProfileComparison:
        """See `ClassicalDetector.compare`."""
        return ProfileComparison(readings)


class ProfileComparison:
    """Measures and actions of different fragments."""

    def __init__(self, readings: Iterable[Items]) -> None:
        profiles = [(np.frombuffer(measures), actions or _NO_ACTION) for measures, *actions in readings]
        self._measures = np.array([measures for measures, _ in profiles]).reshape(-1, len(MEASURES))
        self._tokens = self._measures[:, MEASURES.index("tokens")]
        self._bags = Bags.of(actions for _, actions in profiles)
        self._actions = OverlapComparison(self._bags)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `Comparison.scores`."""
        features, comparable = self.features(left, right)
        scores = np.zeros(len(left))
        scores[comparable] = shipped_model().scores(features)
        return scores

    def features(self, left: Integers, right: Integers) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """What the network sees of the pairs that it is asked about, and which pairs these are."""
        shared = self._actions.scores(left, right)
        tokens = self._tokens[left], self._tokens[right]
        comparable = (shared >= SHARED_ACTIONS) & (np.minimum(*tokens) >= LIKE_SIZE * np.maximum(*tokens))
        left, right = left[comparable], right[comparable]
        one, other = self._measures[left], self._measures[right]
        # One is added so that none and one differ less than one and three.
        differences = np.abs(one - other) / (np.maximum(one, other) + 1.0)
        size = np.log2(np.maximum(self._tokens[left], self._tokens[right]) + 1.0) / 10.0
        actions = np.log2(np.maximum(self._bags.sizes[left], self._bags.sizes[right])) / 10.0
        return np.column_stack([differences, shared[comparable], size, actions]), comparable

    def candidates(self, report: Progress) -> Iterator[Matches]:
        """All pairs that share enough actions, each once; their scores are nothing yet."""
        groups = overlap_groups(
            self._bags, SHARED_ACTIONS, progress=lambda done, total: report("Comparing fragments", done, total)
        )
        bags = Matches(groups.pairs.left, groups.pairs.right, np.ones(len(groups.pairs)))
        return Members(groups.bag).pairs([bags])

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `Comparison.matches`."""
        for pairs in self.candidates(report):
            yield Matches(pairs.left, pairs.right, self.scores(pairs.left, pairs.right)).at_least(threshold)


METRICS = Metrics()
