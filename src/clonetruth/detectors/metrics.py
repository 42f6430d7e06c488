"""Measures and calls: Oreo's idea. Fragments of like size that call the same names are compared by their measures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.code import Bags, FragmentMetrics, Language, fragment_profile, overlap_groups
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import Matches, Members
from clonetruth.detectors.token_overlap import OverlapComparison, numbered_tokens
from clonetruth.detectors.tokenized import Items
from clonetruth.errors import InputError
from clonetruth.progress import Progress

# The learned part of `metrics`: a small network over how much the measures of two fragments differ. numpy only.

MEASURES = tuple(one.name for one in fields(FragmentMetrics) if one.name != "lines")
"""The measures that are compared: all that comments and layout do not change."""

FEATURES = (*MEASURES, "shared actions", "size", "actions")
"""What the network sees of a pair: of each measure the difference, then the share of common actions, then how large the
pair is (the logarithms of the larger number of tokens and of actions)."""

_SCHEMA, _VERSION = "clonetruth-metrics-model", 1
_DIGITS = 6
"""Scores are rounded: sums of many numbers differ in their last digits from machine to machine."""


@dataclass(frozen=True, eq=False)
class MetricsLayer:
    """Weights, one row for each input, and a bias for each output."""

    weights: Floats
    bias: Floats

    def __call__(self, inputs: Floats) -> Floats:
        # Summed up in one order, whatever the number of rows is, which a product of matrices does not promise.
        outputs = np.tile(self.bias, (len(inputs), 1))
        for column, weights in zip(inputs.T, self.weights, strict=True):
            outputs += np.multiply.outer(column, weights)
        return outputs


@dataclass(frozen=True, eq=False)
class MetricsModel:
    """A network with one hidden layer. It calls a pair a clone from a score of 0.5.

    Attributes:
        hidden: from features to what is hidden.
        last: from there to one number.
        training: what it was trained on, and how well it did.
    """

    hidden: MetricsLayer
    last: MetricsLayer
    training: Mapping[str, Any]

    def scores(self, features: Floats) -> Floats:
        """The chance of a clone for each row of features, rounded to six digits."""
        logits = self.last(np.maximum(self.hidden(features), 0.0))[:, 0]
        scores: Floats = np.round(1.0 / (1.0 + np.exp(-np.clip(logits, -50.0, 50.0))), _DIGITS)
        return scores

    def save(self, path: Path) -> None:
        """Write the model as JSON."""
        document = {
            "schema": _SCHEMA,
            "schema_version": _VERSION,
            "features": FEATURES,
            "layers": [
                {"weights": layer.weights.tolist(), "bias": layer.bias.tolist()} for layer in (self.hidden, self.last)
            ],
            "training": self.training,
        }
        path.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, text: str, where: object) -> MetricsModel:
        """Read what `save` wrote.

        Raises:
            InputError: it is no such model, or one for other features.
        """
        try:
            document = json.loads(text)
            if (document["schema"], document["schema_version"]) != (_SCHEMA, _VERSION):
                raise ValueError("it is of another kind or version")
            if tuple(document["features"]) != FEATURES:
                raise ValueError("it was trained on other features")
            hidden, last = (_layer(layer["weights"], layer["bias"]) for layer in document["layers"])
            if hidden.weights.shape[0] != len(FEATURES) or last.weights.shape != (len(hidden.bias), 1):
                raise ValueError("its layers do not fit together")
            return cls(hidden, last, document["training"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"This is no model of 'metrics': {error}.", where=where) from error


def _layer(weights: Sequence[Sequence[float]], bias: Sequence[float]) -> MetricsLayer:
    return MetricsLayer(np.array(weights, dtype=np.float64), np.array(bias, dtype=np.float64))


@cache
def shipped_model() -> MetricsModel:
    """The model that comes with the package."""
    path = resources.files("clonetruth.detectors") / "metrics_model.json"
    return MetricsModel.load(path.read_text(encoding="utf-8"), path)


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
