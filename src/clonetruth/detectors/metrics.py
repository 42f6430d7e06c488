"""Metrics and calls, as in Oreo: fragments of similar size that call the same names are compared by their metrics.

A small network, in numpy only, scores the differences between the metrics of two fragments. `bench/train_metrics.py`
trains it; the package ships the trained model.
"""

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

from clonetruth.code import Bags, FragmentMetrics, Language, fragment_profile, overlap_parts
from clonetruth.code.overlap import Integers
from clonetruth.code.similarity import Floats
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.pair_batches import GroupMembers, Matches
from clonetruth.detectors.token_overlap import OverlapComparison, numbered_tokens
from clonetruth.detectors.tokenized import Items
from clonetruth.errors import InputError
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress

MEASURES = tuple(one.name for one in fields(FragmentMetrics) if one.name != "lines")
"""The metrics that are compared: all that do not depend on comments and layout."""

FEATURES = (*MEASURES, "shared actions", "size", "actions")
"""The network's inputs for a pair: the difference of each metric, the share of common actions, and the size of the pair
(the logarithms of the larger number of tokens and of actions)."""

_SCHEMA, _VERSION = "clonetruth-metrics-model", 1
_DIGITS = 6
"""Scores are rounded: the last digits of long sums differ between machines."""


@dataclass(frozen=True, eq=False)
class MetricsLayer:
    """Weights, one row per input, and a bias per output."""

    weights: Floats
    bias: Floats

    def __call__(self, inputs: Floats) -> Floats:
        # Sum in a fixed order whatever the number of rows, which a matrix product does not guarantee.
        outputs = np.tile(self.bias, (len(inputs), 1))
        for column, weights in zip(inputs.T, self.weights, strict=True):
            outputs += np.multiply.outer(column, weights)
        return outputs


@dataclass(frozen=True, eq=False)
class MetricsModel:
    """A network with one hidden layer. Pairs that score at least 0.5 are clones.

    Attributes:
        hidden: the hidden layer.
        last: the output layer, with one output.
        training: the training data, and the results on held-out projects.
    """

    hidden: MetricsLayer
    last: MetricsLayer
    training: Mapping[str, Any]

    def scores(self, features: Floats) -> Floats:
        """The probability of a clone for each row of features, rounded to six digits."""
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
        """Read a model that `save` wrote.

        Raises:
            InputError: not such a model, or one for other features.
        """
        try:
            document = parse_json(text)
            if (document["schema"], document["schema_version"]) != (_SCHEMA, _VERSION):
                raise ValueError("it has another schema or version")
            if tuple(document["features"]) != FEATURES:
                raise ValueError("it was trained on other features")
            hidden, last = (_layer(layer["weights"], layer["bias"]) for layer in document["layers"])
            if hidden.weights.shape[0] != len(FEATURES) or last.weights.shape != (len(hidden.bias), 1):
                raise ValueError("its layers do not fit together")
            return cls(hidden, last, document["training"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"Not a model of 'metrics': {error}.", where=where) from error


def _layer(weights: Sequence[Sequence[float]], bias: Sequence[float]) -> MetricsLayer:
    return MetricsLayer(np.array(weights, dtype=np.float64), np.array(bias, dtype=np.float64))


@cache
def shipped_model() -> MetricsModel:
    """The model that ships with the package."""
    path = resources.files("clonetruth.detectors") / "metrics_model.json"
    return MetricsModel.load(path.read_text(encoding="utf-8"), path)


MIN_SIZE_RATIO = 0.6
"""The minimum of tokens of the smaller fragment ÷ tokens of the larger one."""
MIN_SHARED_ACTIONS = 0.5
"""The minimum of common actions ÷ actions of the fragment with more."""

_NO_ACTION = (b"",)
"""The placeholder that fragments without any action share."""


@dataclass(frozen=True)
class Metrics(ClassicalDetector):
    """Oreo's idea (Saini et al., ESEC/FSE 2018), with our own network.

    Pairs of different size, or with too few common actions (called names, used members), score 0: the finder need not
    examine them, and so agrees with the scorer. For the others, a small network scores the differences of their
    metrics. Fragments with equal metrics and actions score 1.
    """

    name: str = "metrics"
    description: str = field(
        default="Probability of a clone, by a network over metrics (size, complexity …) of code with the same calls.",
        repr=False,
    )
    default_threshold: float = 0.5

    def read(self, text: str, language: Language | None) -> Items | None:
        """See `FragmentReader.read`. The first item holds the metrics, the others are the actions."""
        if language is None:
            return None
        profile = fragment_profile(text, language)
        if not profile.metrics.tokens:
            return None
        values = np.array([getattr(profile.metrics, name) for name in MEASURES], dtype=np.float64)
        return (values.tobytes(), *numbered_tokens(profile.actions))

    def compare(self, distinct: Iterable[Items]) -> ProfileComparison:
        """See `ClassicalDetector.compare`."""
        return ProfileComparison(distinct)


class ProfileComparison:
    """Compares fragments by their metrics and actions."""

    def __init__(self, distinct: Iterable[Items]) -> None:
        profiles = [(np.frombuffer(metrics), actions or _NO_ACTION) for metrics, *actions in distinct]
        self._metrics = np.array([metrics for metrics, _ in profiles]).reshape(-1, len(MEASURES))
        self._tokens = self._metrics[:, MEASURES.index("tokens")]
        self._bags = Bags.of(actions for _, actions in profiles)
        self._actions = OverlapComparison(self._bags)

    def scores(self, left: Integers, right: Integers) -> Floats:
        """See `PairComparison.scores`."""
        features, comparable = self.features(left, right)
        scores = np.zeros(len(left))
        scores[comparable] = shipped_model().scores(features)
        return scores

    def features(self, left: Integers, right: Integers) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """The network's inputs for the comparable pairs, and a mask of the pairs that are comparable."""
        shared = self._actions.scores(left, right)
        tokens = self._tokens[left], self._tokens[right]
        comparable = (shared >= MIN_SHARED_ACTIONS) & (np.minimum(*tokens) >= MIN_SIZE_RATIO * np.maximum(*tokens))
        left, right = left[comparable], right[comparable]
        one, other = self._metrics[left], self._metrics[right]
        # Adding 1 makes 0 and 1 differ less than 1 and 3.
        differences = np.abs(one - other) / (np.maximum(one, other) + 1.0)
        size = np.log2(np.maximum(self._tokens[left], self._tokens[right]) + 1.0) / 10.0
        actions = np.log2(np.maximum(self._bags.sizes[left], self._bags.sizes[right])) / 10.0
        return np.column_stack([differences, shared[comparable], size, actions]), comparable

    def candidates(self, report: Progress) -> Iterator[Matches]:
        """All pairs that share enough actions, each once; their scores are placeholders."""
        bag, parts = overlap_parts(
            self._bags, MIN_SHARED_ACTIONS, progress=lambda done, total: report("Comparing fragments", done, total)
        )
        bags = (Matches(pairs.left, pairs.right, np.ones(len(pairs))) for pairs in parts)
        return GroupMembers(bag).pairs(bags)

    def matches(self, threshold: float, report: Progress) -> Iterator[Matches]:
        """See `PairComparison.matches`."""
        for pairs in self.candidates(report):
            yield Matches(pairs.left, pairs.right, self.scores(pairs.left, pairs.right)).at_least(threshold)


METRICS = Metrics()
