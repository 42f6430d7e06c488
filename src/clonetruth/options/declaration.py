"""Options of a verb, declared once.

A verb (`clonetruth find`, `clonetruth.find_clones`) has one frozen dataclass of options. Its fields are the words on
both sides; the command line, the settings files, the defaults, the help texts and the reference derive from it.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import math
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Self

from clonetruth.errors import InputError

_KEY = "option"

WORD = r"\w[\w.+-]*"
"""The pattern of a name that is neither a path, an address, a command nor a reference to code; see `option`."""


@dataclass(frozen=True)
class Declaration:
    """What an option declares besides its name, type and default; see `option`."""

    help: str
    argument: bool = False
    positional: bool = False
    names: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    commas: bool = False
    terminal: bool = False
    setting: bool = True
    project: str | bool = True
    accepts: str | None = None
    envvar: str | None = None


def option(default: Any = MISSING, *, help: str, **declared: Any) -> Any:
    """Declare an option: a field of a class of `Options`.

    Args:
        default: the default; without one the option is required.
        help: one sentence: what the option does, then the default if it is not obvious.
        **declared: further fields of `Declaration`:
            `argument`: an argument on the command line instead of an option, positional in Python;
            `positional`: also positional in Python, though an option on the command line;
            `names`: further names on the command line (``-o``, ``--memory``);
            `old`: former spellings on the command line, which work with a notice;
            `metavar`: how help shows the value;
            `choices`: the permitted strings;
            `minimum`, `above`, `maximum`: limits of a number, `above` excluding the limit itself;
            `commas`: several values may be written with commas in between;
            `terminal`: what only the command line has, because it is about printing or the exit code;
            `setting`: whether settings files may set it (not where results go);
            `project`: what the settings of a project may set it to, since a project can be a stranger's. By default
                numbers, flags and choices, and paths inside the project, but no text: a text could name a program,
                code or an address. A regular expression permits the texts that match it; False permits nothing;
            `accepts`: a further Python type of the value, as it is written in annotations ("Benchmark");
            `envvar`: an environment variable that sets it on the command line.
    """
    metadata = {_KEY: Declaration(help=help, **declared)}
    if default is MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)


def argument(default: Any = MISSING, *, help: str, **declared: Any) -> Any:
    """Declare an argument: an option that is positional on both sides."""
    return option(default, help=help, argument=True, setting=False, **declared)


@dataclass(frozen=True)
class Option:
    """An option of a verb, with everything that was declared.

    Attributes:
        name: the name of the field, and of the parameter in Python.
        kind: the type of one value: bool, int, float, str, Path or dict (of names to values).
        many: whether it takes several values.
        nullable: whether it may be None.
        default: the default, or `dataclasses.MISSING`.
        annotation: the type of the field as it is written.
        declaration: what was declared.
    """

    name: str
    kind: type
    many: bool
    nullable: bool
    default: Any
    annotation: str
    declaration: Declaration

    @property
    def word(self) -> str:
        """The name on the command line and in settings: `min-tokens`; `with` for the field `with_`."""
        return self.name.rstrip("_").replace("_", "-")

    @property
    def flag(self) -> str:
        """The long option on the command line."""
        return f"--{self.word}"

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is MISSING

    @property
    def positional(self) -> bool:
        """Whether Python takes it by position."""
        return self.declaration.argument or self.declaration.positional

    def value(self, given: Any) -> Any:
        """A given value in the type of the field.

        Raises:
            InputError: it has the wrong type, or lies outside what is permitted.
        """
        if given is None:
            if self.nullable:
                return None
            if self.many:
                return ()
            raise InputError("The value must not be None.", where=self.name)
        if self.kind is dict:
            return self._mapping(given)
        if not self.many:
            return self._single(given)
        several: Iterable[Any] = given if _is_several(given) else (given,)
        values = [self._single(one) for one in several]
        if self.declaration.commas:
            values = [word.strip() for value in values for word in str(value).split(",") if word.strip()]
        return tuple(values)

    def _mapping(self, given: Any) -> dict[str, Any]:
        if isinstance(given, Mapping):
            return {str(name): value for name, value in given.items()}
        pairs: dict[str, Any] = {}
        for text in given if _is_several(given) else (given,):
            name, equals, value = str(text).partition("=")
            if not equals:
                raise InputError(f"'{text}' is not a pair NAME=VALUE.", where=self.name)
            pairs[name.strip()] = value
        return pairs

    def _single(self, given: Any) -> Any:
        if self.kind is Path:
            if isinstance(given, str | os.PathLike):
                return Path(given)
            if self.declaration.accepts is not None:
                return given
            raise self._wrong(given, "a path")
        if self.kind is bool:
            if isinstance(given, bool):
                return given
            raise self._wrong(given, "True or False")
        if self.kind in (int, float):
            return self._number(given)
        if isinstance(given, StrEnum):
            given = str(given)
        if not isinstance(given, str):
            if self.declaration.accepts is not None:
                return given
            raise self._wrong(given, "a string")
        if self.declaration.choices and given not in self.declaration.choices:
            raise InputError(
                f"'{given}' is not one of {', '.join(map(repr, self.declaration.choices))}.", where=self.name
            )
        return given

    def _number(self, given: Any) -> int | float:
        if isinstance(given, bool) or not hasattr(given, "__float__"):
            raise self._wrong(given, "a whole number" if self.kind is int else "a number")
        try:
            number = self.kind(given)
        except (OverflowError, ValueError):  # an infinity as a whole number, or 10**400 as a float
            number = None
        if number is None or number != given or number in (math.inf, -math.inf):
            raise self._wrong(given, "a whole number" if self.kind is int else "a finite number")
        declared = self.declaration
        if declared.minimum is not None and number < declared.minimum:
            raise InputError(f"{given} is less than {declared.minimum:g}.", where=self.name)
        if declared.above is not None and number <= declared.above:
            raise InputError(f"{given} is not greater than {declared.above:g}.", where=self.name)
        if declared.maximum is not None and number > declared.maximum:
            raise InputError(f"{given} is greater than {declared.maximum:g}.", where=self.name)
        return typing.cast("int | float", number)

    def _wrong(self, given: Any, wanted: str) -> InputError:
        return InputError(f"{given!r} is not {wanted}.", where=self.name)


def _is_several(given: Any) -> bool:
    """Whether a value is a collection of values; a text, a path, a table or a mapping is one value."""
    if isinstance(given, Mapping):
        return False
    return isinstance(given, list | tuple | set | frozenset | range | types.GeneratorType) or (
        isinstance(given, Iterable) and type(given).__module__ in ("numpy", "builtins") and not isinstance(given, str)
    )


@dataclass(frozen=True, kw_only=True)
class Options:
    """The base of all options objects; a subclass is a frozen, keyword-only dataclass whose docstring is the help.

    Attributes:
        command: the verb on the command line ("find", "study sample").
        function: the function in Python ("find_clones").
    """

    command: ClassVar[str] = ""
    function: ClassVar[str] = ""
    _declared: ClassVar[tuple[Option, ...]]

    def __init_subclass__(cls, *, command: str = "", function: str = "") -> None:
        super().__init_subclass__()
        cls.command = command
        cls.function = function

    def __post_init__(self) -> None:
        for one in type(self).declared():
            object.__setattr__(self, one.name, one.value(getattr(self, one.name)))

    @classmethod
    def declared(cls) -> tuple[Option, ...]:
        """The options, those of the class itself before those that it shares with others."""
        if "_declared" not in cls.__dict__:
            cls._declared = _declared(cls)
        return cls._declared

    @classmethod
    def words(cls) -> tuple[Option, ...]:
        """The options that Python has, too, in the order of a signature."""
        words = [one for one in cls.declared() if not one.declaration.terminal]
        return tuple(sorted(words, key=lambda one: (not one.positional, one.positional and not one.required)))

    @classmethod
    def from_words(cls, *positions: Any, **words: Any) -> Self:
        """The options from what a Python function was called with.

        Raises:
            TypeError: a word that the verb does not have, one that is missing, or too many positions.
            InputError: a value is not permitted.
        """
        options = cls.words()
        positional = [one.name for one in options if one.positional]
        if len(positions) > len(positional):
            raise TypeError(
                f"{cls.function}() takes at most {len(positional)} positional arguments ({len(positions)} given)"
            )
        given = dict(zip(positional, positions, strict=False))
        for name, value in words.items():
            if name in given:
                raise TypeError(f"{cls.function}() got multiple values for '{name}'")
            if name not in {one.name for one in options}:
                near = difflib.get_close_matches(name, [one.name for one in options], n=1)
                hint = f". Did you mean '{near[0]}'?" if near else ""
                raise TypeError(f"{cls.function}() has no option '{name}'{hint}")
            given[name] = value
        missing = [one.name for one in options if one.required and one.name not in given]
        if missing:
            raise TypeError(f"{cls.function}() needs {', '.join(map(repr, missing))}")
        return cls(**given)


def _declared(cls: type[Options]) -> tuple[Option, ...]:
    hints = typing.get_type_hints(cls)
    fields = {one.name: one for one in dataclasses.fields(cls)}
    own = [name for name in inspect.get_annotations(cls) if name in fields]
    names = [*own, *(name for name in fields if name not in own)]
    return tuple(_option(fields[name], hints[name]) for name in names)


def _option(declared: dataclasses.Field[Any], hint: Any) -> Option:
    nullable = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [one for one in typing.get_args(hint) if one is not type(None)]
        nullable = len(kinds) < len(typing.get_args(hint))
        (hint,) = kinds
    many = typing.get_origin(hint) is tuple
    if many:
        hint = typing.get_args(hint)[0]
    kind: type = dict if typing.get_origin(hint) in (Mapping, dict) else hint
    return Option(
        name=declared.name,
        kind=kind,
        many=many,
        nullable=nullable,
        default=declared.default,
        annotation=str(declared.type),
        declaration=declared.metadata[_KEY],
    )


R = typing.TypeVar("R")


def verb(options_type: type[Options]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make a public function of one that takes an options object: it can be called with the words of the options, too.

    The decorated function takes the options first, and may have further keyword-only parameters that only Python has
    (`progress`). Its signature and documentation list the words.
    """
    from clonetruth.options.reference import documented

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        return documented(options_type, function)

    return decorate
