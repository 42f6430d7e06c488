"""Detectors that are named with a target: `encoder:FOLDER`, `llm:MODEL`, each with its settings.

`NAME:TARGET,setting=value,…`: the settings are at the end, so a target may contain commas and colons.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from clonetruth.detectors.detector import Detector
from clonetruth.detectors.registry import DETECTORS
from clonetruth.errors import InputError
from clonetruth.registry import Registry

_SETTING = re.compile(r"(.*),\s*([a-z_]+)=([^,]*)", re.DOTALL)


class DetectorFamily(Protocol):
    """Makes detectors of a target. To add one: an object in a module, and a line in the registry."""

    @property
    def name(self) -> str:
        """The registry name."""
        ...

    @property
    def description(self) -> str:
        """The meaning of the scores, in one sentence."""
        ...

    @property
    def target(self) -> str:
        """What follows the colon, in capitals."""
        ...

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """The settings, with their permitted values; an empty tuple permits any."""
        ...

    def detector(self, target: str, values: Mapping[str, str]) -> Detector:
        """The detector of a target, with settings by name.

        Raises:
            InputError: the target or a setting cannot be used.
            MissingExtraError: a package is not installed.
        """
        ...


FAMILIES: Registry[DetectorFamily] = Registry(
    "family of detectors",
    {
        "encoder": "clonetruth.detectors.encoders.encoder:ENCODER",
        "llm": "clonetruth.detectors.llm:LLM",
    },
    group="clonetruth.detector_families",
    of=DetectorFamily,
)


def is_detector_name(name: str) -> bool:
    """Whether this is the name of a detector, or of a family with a target."""
    return name in DETECTORS or _family_name(name) is not None


def find_detector(name: str, settings: Mapping[str, str] | None = None) -> Detector:
    """The detector of a name, or of a family with a target.

    Args:
        name: a name in `DETECTORS`, or `FAMILY:TARGET,setting=value…`.
        settings: further settings, as far as the family has them; those in the name come first.

    Raises:
        UnknownNameError: there is no such detector.
        InputError: the target or a setting cannot be used.
    """
    family_name = _family_name(name)
    if name in DETECTORS or family_name is None:
        return DETECTORS[name]
    family = FAMILIES[family_name]
    target, values = split_settings(name.partition(":")[2])
    if not target:
        raise InputError(
            f"The detector '{family.name}' needs a {family.target}.",
            where=name,
            hint=f"Write: {family.name}:{family.target}",
        )
    unknown = [key for key in values if key not in family.parameters]
    if unknown:
        raise InputError(
            f"The detector '{family.name}' has no setting '{unknown[0]}'.",
            where=name,
            hint=f"Settings: {', '.join(family.parameters)}.",
        )
    defaults = {key: value for key, value in (settings or {}).items() if key in family.parameters}
    return family.detector(target, {**defaults, **values})


def split_settings(text: str) -> tuple[str, dict[str, str]]:
    """Split `TARGET,setting=value,…`.

    >>> split_settings("models/a,b,pooling=cls,length=400")
    ('models/a,b', {'pooling': 'cls', 'length': '400'})

    Raises:
        InputError: a setting is given twice, or has no value.
    """
    target, values = text.strip(), dict[str, str]()
    while match := _SETTING.fullmatch(target):
        target, key, value = match[1].strip(), match[2], match[3].strip()
        if key in values or not value:
            problem = "set twice" if key in values else "set to nothing"
            raise InputError(f"'{key}' is {problem}.", where=text)
        values = {key: value, **values}
    return target, values


def _family_name(name: str) -> str | None:
    family, colon, _ = name.partition(":")
    return family if colon and family in FAMILIES else None
