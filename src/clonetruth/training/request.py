"""A learner as a user asks for it: its name, and the values of its options (`astnn:vocabulary=3000,epochs=5`)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.errors import InputError
from clonetruth.training.learner import LEARNERS, TrainingSpec, options_type
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.presets import preset

COMMON: Mapping[str, type[int] | type[float] | type[str]] = {
    "epochs": int,
    "patience": int,
    "batch": int,
    "rate": float,
    "select": str,
    "vocabulary_of": str,
    "seed": int,
    "calibrate": str,
    "prior": float,
    "calibration_folds": int,
    "device": str,
    "sample": float,
    "as": str,
}
"""The options that all learners have and that a request may set, too."""
_NAMES = {"vocabulary_of": "vocabulary"}
"""Their names in `TrainingSpec`, where learners use the same word for something else."""


@dataclass(frozen=True)
class LearnerRequest:
    """A learner with options.

    Attributes:
        name: the name in `LEARNERS`.
        own: the options that only this learner has.
        common: options that all learners have, where they differ from those of the other detectors.
    """

    name: str
    own: LearnerOptions
    common: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, given: Mapping[str, Any] | None = None) -> LearnerRequest:
        """A request from the name of a learner and the values of options, which may be texts.

        Raises:
            UnknownNameError: there is no such learner, or the learner does not have such an option.
            InputError: a value is not permitted.
        """
        given = dict(given or {})
        if (paper := given.pop("as", None)) is not None:
            given = preset_request(paper, name) | given
        common: dict[str, Any] = {
            _NAMES.get(key, key): _number(key, value) for key, value in given.items() if key in COMMON
        }
        common |= {} if paper is None else {"preset": paper}
        TrainingSpec(**common)  # checks the values
        own = {key: value for key, value in given.items() if key not in COMMON}
        return cls(name, options_type(LEARNERS[name]).read(own, name), common)

    @classmethod
    def parse(cls, text: str) -> LearnerRequest:
        """A request from `NAME` or `NAME:OPTION=VALUE,OPTION=VALUE`.

        Raises:
            UnknownNameError: there is no such learner, or the learner does not have such an option.
            InputError: the text is not such a list, or a value is not permitted.
        """
        name, _, rest = text.partition(":")
        given: dict[str, str] = {}
        for one in filter(None, (part.strip() for part in rest.split(","))):
            key, equals, value = one.partition("=")
            if not equals:
                raise InputError(f"'{one}' is not OPTION=VALUE.", where=text)
            given[key.strip()] = value.strip()
        return cls.of(name.strip(), given)

    def applied(self, spec: TrainingSpec) -> TrainingSpec:
        """Training options with those of the request."""
        return dataclasses.replace(spec, **self.common, own=self.own).resolved(options_type(LEARNERS[self.name]))


def preset_request(paper: str, learner: str) -> dict[str, Any]:
    """The options that a paper states for a learner, as a request names them.

    Raises:
        UnknownNameError: there is no such preset.
    """
    own, found = options_type(LEARNERS[learner]), preset(paper)
    names = {value: key for key, value in _NAMES.items()}
    return {names.get(key, key): value for key, value in found.common_values(own).items()} | found.own_values(own)


def _number(key: str, value: Any) -> int | float | str | None:
    if value is None:
        return None
    try:
        return COMMON[key](value)
    except (TypeError, ValueError) as error:
        kind = "a whole number" if COMMON[key] is int else "a number"
        raise InputError(f"{value!r} is not {kind}.", where=key) from error


def split_requests(names: str | Sequence[str]) -> tuple[str, ...]:
    """Split `mlp,astnn:vocabulary=3000,width=64,tokens` into its three requests; a list is taken as it is."""
    return tuple(_requests(names.split(",") if isinstance(names, str) else names))


def _requests(parts: Sequence[str]) -> Iterator[str]:
    current = ""
    for part in filter(None, (one.strip() for one in parts)):
        if current and "=" in part and ":" not in part.partition("=")[0]:
            current += f",{part}"
            continue
        if current:
            yield current
        current = part
    if current:
        yield current
