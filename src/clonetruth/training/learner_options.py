"""The options that a learner declares for itself: `clonetruth train NAME --set OPTION=VALUE`.

A learner has one frozen dataclass of options, declared as those of a verb are (`options.declaration.option`): types,
defaults, limits and help. What all learners share is in `TrainingSpec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.options.declaration import Option, Options

_TRUE, _FALSE = ("yes", "true", "1"), ("no", "false", "0")


@dataclass(frozen=True, kw_only=True)
class LearnerOptions(Options):
    """The options of one learner; this class itself has none.

    Attributes:
        default_rate: the learning rate where none is given.
        default_batch: the number of pairs per batch where none is given; None for a hundredth of the training pairs.
    """

    default_rate: ClassVar[float] = 0.003
    default_batch: ClassVar[int | None] = None

    @classmethod
    def read(cls, given: Mapping[str, Any], learner: str) -> Self:
        """The options from names and values; values may be texts, as a command line gives them.

        Raises:
            UnknownNameError: the learner does not have such an option.
            InputError: a value has the wrong type, or lies outside what is permitted.
        """
        options = {one.name: one for one in cls.declared()}
        values = {}
        for key, value in given.items():
            name = key.replace("-", "_")
            if name not in options and not options:
                raise UnknownNameError(f"There is no option '{key}': the learner '{learner}' has no options to set.")
            if name not in options:
                raise UnknownNameError.suggest(f"option of the learner '{learner}' called", key, options)
            values[name] = _value(options[name], value)
        return cls(**values)

    def values(self) -> dict[str, Any]:
        """The value of every option, as JSON values."""
        return {one.name: getattr(self, one.name) for one in type(self).declared()}


def _value(one: Option, given: Any) -> Any:
    """A value in the type of an option; a text is converted."""
    if not isinstance(given, str) or one.kind is str:
        return given
    text = given.strip().lower().replace("_", "")
    if one.nullable and text == "none":
        return None
    if one.kind is bool and text in (*_TRUE, *_FALSE):
        return text in _TRUE
    if one.kind in (int, float):
        try:
            return one.kind(text)
        except ValueError:
            pass
    wanted = {bool: "yes or no", int: "a whole number", float: "a number"}.get(one.kind, one.kind.__name__)
    raise InputError(f"'{given}' is not {wanted}.", where=one.name)


def permitted(one: Option) -> str:
    """The permitted values of an option and its default, for people: `whole number from 1 (default 3000)`."""
    declared = one.declaration
    text = {bool: "yes or no", int: "whole number", float: "number"}.get(one.kind, "text")
    if declared.choices:
        text = " or ".join(declared.choices)
    if declared.above is not None:
        text += f" above {declared.above:g}"
    if declared.minimum is not None:
        text += f" from {declared.minimum:g}"
    if declared.maximum is not None:
        text += f" to {declared.maximum:g}"
    shown = one.default
    if isinstance(shown, bool):
        shown = "yes" if shown else "no"
    return f"{text} (default {'none' if shown is None else shown})"
