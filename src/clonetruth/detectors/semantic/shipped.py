"""The model that ships with the package: how common features are, a cohort of unrelated code, the weights of the views.

`bench/train_semantic.py` makes it. It contains hashed counts, numbers and hashes, and no text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical import BINS, VIEWS, ViewCounts
from clonetruth.detectors.semantic.background import Background, Cohort, FeatureFrequencies, Floats32, project
from clonetruth.detectors.semantic.similarity import LOWEST
from clonetruth.detectors.semantic.view_model import ViewModel
from clonetruth.errors import InputError
from clonetruth.formats.arrays import read_arrays
from clonetruth.parsing import parse_json

FILE = "semantic_model.npz"
_SCHEMA, _VERSION = "clonetruth-semantic-model", 3
_STEPS = 20.0
"""Steps per unit of a weight or of a similarity, in the file."""


def fragment_hash(language: str, text: str) -> str:
    """What identifies a training fragment: its language and its text without white space, hashed to 64 bits."""
    content = f"{language}\0{''.join(text.split())}"
    return hashlib.sha256(content.encode(errors="replace")).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class ShippedExamples:
    """Pairs of functionalities that their background did not contain, as a training makes them, with their labels.

    A training on few functionalities adds them to its own: few tell badly how views count for others.

    Attributes:
        similarities: of each pair in each view.
        truth: whether it is a clone.
        fold: the fold of each side's functionality.
    """

    similarities: npt.NDArray[np.float64]
    truth: npt.NDArray[np.bool_]
    fold: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ShippedModel:
    """A model of `semantic`, ready to score.

    Attributes:
        weights: the weight of each feature.
        gram_weights: the weight of each run of tokens, for `ngrams`.
        cohort: the features of the cohort.
        languages: the language of each fragment of the cohort.
        model: the weights of the views: half of them as they were fitted, half shared equally by 17 views.
        threshold: the lowest score of a clone.
        training: hashes of the training fragments (`fragment_hash`).
        facts: where the cohort and the training data come from, and what was measured.
        examples: examples for trainings on few functionalities.
        fitted: the weights of the views as they were fitted, from which a training starts.
    """

    weights: Floats32
    gram_weights: Floats32
    cohort: ViewCounts
    languages: tuple[str, ...]
    model: ViewModel
    threshold: float
    training: frozenset[str]
    facts: Mapping[str, Any]
    examples: ShippedExamples
    fitted: ViewModel

    @property
    def background(self) -> Background:
        """The background against which fragments are compared."""
        return Background(self.weights, Cohort(project(self.cohort, self.weights), self.languages))

    @property
    def frequencies(self) -> FeatureFrequencies:
        """How common features are, as far as the weights say."""
        return FeatureFrequencies(np.exp(-self.weights.astype(np.float64)), 1.0)

    def save(self, path: Path) -> None:
        """Write the model to a file."""
        about = {
            "schema": _SCHEMA,
            "schema_version": _VERSION,
            "views": VIEWS,
            "bins": BINS,
            "languages": self.languages,
            "threshold": self.threshold,
            "facts": self.facts,
        }
        arrays: dict[str, Any] = {
            "about": np.array(json.dumps(about)),
            "weights": _stored(self.weights),
            "grams": _stored(self.gram_weights),
            "starts": self.cohort.starts.astype(np.int32),
            "columns": self.cohort.columns,
            "counts": self.cohort.counts,
            "model": np.append(self.model.weights, self.model.bias),
            "fitted": np.append(self.fitted.weights, self.fitted.bias),
            "training": np.array(sorted(int(one, 16) for one in self.training), np.uint64),
            "similarities": np.clip(np.round((self.examples.similarities - LOWEST) * _STEPS), 0, 255).astype(np.uint8),
            "truth": self.examples.truth,
            "fold": self.examples.fold.astype(np.int8),
        }
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: Path) -> ShippedModel:
        """Read a model that `save` wrote.

        Raises:
            InputError: not such a model, or one for other views.
        """
        try:
            arrays = read_arrays(path)
            about = parse_json(str(arrays["about"]))
            if (about["schema"], about["schema_version"]) != (_SCHEMA, _VERSION):
                raise ValueError("it has another schema or version")
            if (tuple(about["views"]), about["bins"]) != (VIEWS, BINS):
                raise ValueError("it was made for other views")
            model, fitted = (ViewModel(arrays[name][:-1], float(arrays[name][-1])) for name in ("model", "fitted"))
            return cls(
                (arrays["weights"] / np.float32(_STEPS)).astype(np.float32),
                (arrays["grams"] / np.float32(_STEPS)).astype(np.float32),
                ViewCounts(arrays["starts"].astype(np.int64), arrays["columns"], arrays["counts"]),
                tuple(about["languages"]),
                model,
                float(about["threshold"]),
                frozenset(f"{one:016x}" for one in arrays["training"].tolist()),
                about["facts"],
                ShippedExamples(
                    arrays["similarities"] / _STEPS + LOWEST, arrays["truth"], arrays["fold"].astype(np.int64)
                ),
                fitted,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"Not a model of 'semantic': {error}.", where=path) from error


def _stored(weights: Floats32) -> npt.NDArray[np.uint8]:
    return np.clip(np.round(weights * _STEPS), 1, 255).astype(np.uint8)


@cache
def shipped_model() -> ShippedModel:
    """The model that ships with the package."""
    with resources.as_file(resources.files("clonetruth.detectors.semantic") / FILE) as path:
        return ShippedModel.load(path)
