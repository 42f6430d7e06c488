"""The learned part of `metrics`: a small network over how much the measures of two fragments differ. numpy only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from clonetruth.code import FragmentMetrics
from clonetruth.code.similarity import Floats
from clonetruth.errors import InputError

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
