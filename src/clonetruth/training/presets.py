"""Training as a paper did it: `clonetruth train NAME --as PAPER`.

A preset gives values where the user gives none; all are recorded with the model. It sets only what the learner has:
Li et al.'s code length is an option of transformers, not of a model over trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clonetruth.errors import UnknownNameError
from clonetruth.training.learner_options import LearnerOptions


@dataclass(frozen=True)
class TrainingPreset:
    """How a paper trained.

    Attributes:
        paper: the paper and the section.
        common: options that all learners have.
        encoder: options that all learners have, which the paper states for pretrained encoders only: those with the
            option `length`. Other models keep those of their papers.
        own: options of learners, by name; a learner without such an option ignores it.
        flattering: switches that make the result better than it would be on new code.
    """

    paper: str
    common: Mapping[str, Any]
    encoder: Mapping[str, Any]
    own: Mapping[str, Any]
    flattering: Mapping[str, str]

    def common_values(self, options_type: type[LearnerOptions]) -> dict[str, Any]:
        """The values of the options that all learners have, for one of them."""
        is_encoder = any(one.name == "length" for one in options_type.declared())
        return {**self.common, **(self.encoder if is_encoder else {}), **self.flattering}

    def own_values(self, options_type: type[LearnerOptions]) -> dict[str, Any]:
        """The values of the options that a learner has."""
        names = {one.name for one in options_type.declared()}
        return {name: value for name, value in self.own.items() if name in names}


PRESETS: Mapping[str, TrainingPreset] = {
    "li2023": TrainingPreset(
        "Li, Gao and Zhang, ISSRE 2023, section IV-D",
        {"patience": 3},
        {"rate": 2e-5, "batch": 6},
        {"length": 1000},
        {"select": "test", "vocabulary": "all"},
    ),
    "codexglue": TrainingPreset(
        "CodeXGLUE, clone detection on BigCloneBench, with 10 % of its train and valid lists",
        {"epochs": 2, "seed": 123_456, "sample": 0.1},
        {"rate": 5e-5, "batch": 16},
        {"length": 400},
        {},
    ),
    "sonnekalb": TrainingPreset(
        "Sonnekalb et al., 2022: CodeXGLUE's recipe, tested on unseen functionalities",
        {"epochs": 2, "seed": 123_456, "sample": 0.1},
        {"rate": 5e-5, "batch": 16},
        {"length": 400},
        {},
    ),
}
"""Presets by name."""


def preset(name: str) -> TrainingPreset:
    """A preset by its name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in PRESETS:
        raise UnknownNameError.suggest("preset", name, PRESETS)
    return PRESETS[name]
