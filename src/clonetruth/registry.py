"""Registries: lazy tables of named objects.

Every extension point (languages, sources, rules, detectors, judges) is a `Registry`: a table of names to
``"module:attribute"`` strings. Nothing is imported until a name is used, so hundreds of entries cost nothing at
start-up. Other packages add entries through entry points in the registry's group. A plugin that does not work is named
in a warning and left out of lists; using it by name is an error.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, distributions
from typing import Any, Generic, TypeVar, cast

from clonetruth.errors import CloneTruthWarning, PluginError, UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A lazy mapping from names to objects of one kind.

    Args:
        kind: what the objects are, for messages ("language").
        entries: names to ``"module:attribute"``.
        group: entry-point group through which other packages add entries.
        of: the class or protocol of the objects, which those of other packages must fit.
        aliases: other spellings of a name, accepted but not listed.
    """

    def __init__(
        self,
        kind: str,
        entries: Mapping[str, str],
        *,
        group: str | None = None,
        of: type | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self._group = group
        self._of = of
        self._entries = dict(entries)
        self._aliases = dict(aliases or {})
        self._loaded: dict[str, T] = {}
        self._broken: dict[str, PluginError] = {}

    def __getitem__(self, name: str) -> T:
        target = self._aliases.get(name, name)
        if target not in self._loaded:
            if target in self._entries:
                module, _, attribute = self._entries[target].partition(":")
                self._loaded[target] = cast(T, getattr(importlib.import_module(module), attribute))
            elif target in self._plugins:
                self._loaded[target] = self._load(target)
            else:
                raise self._unknown(name)
        return self._loaded[target]

    def __iter__(self) -> Iterator[str]:
        yield from self._entries
        for name in self._plugins:
            if self._works(name):
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._aliases or name in self._entries or name in self._plugins

    @functools.cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        """The entries of other packages; a name that is taken stays whose it was."""
        plugins: dict[str, EntryPoint] = {}
        for point in _installed_entry_points().get(self._group, ()):
            if point.name in self._entries:
                _warn(f"The {_named(self.kind, point)} is ignored: clonetruth itself has one of that name.")
            elif plugins.setdefault(point.name, point).value != point.value:
                _warn(f"The {_named(self.kind, point)} is ignored: another package has one of that name.")
        return plugins

    def _works(self, name: str) -> bool:
        """Whether a plugin can be loaded; if not, a warning says so, once."""
        if name in self._broken:
            return False
        try:
            self[name]
        except PluginError as error:
            _warn(f"{error} It is left out.")
            return False
        return True

    def _load(self, name: str) -> T:
        point = self._plugins[name]
        if name not in self._broken:
            try:
                found = point.load()
                if (wrong := _misfit(found, self._of)) is None:
                    return cast(T, found)
            except (Exception, SystemExit) as error:  # a plugin is other people's code
                wrong = f"{type(error).__name__}: {error}".removesuffix(": ")
            self._broken[name] = PluginError(f"The {_named(self.kind, point)} does not work: {wrong.rstrip('.')}.")
        raise self._broken[name]

    def _unknown(self, name: str) -> UnknownNameError:
        return UnknownNameError.suggest(self.kind, name, [*self._entries, *self._plugins], self._aliases)


@functools.cache
def _installed_entry_points() -> dict[str | None, list[EntryPoint]]:
    """Our entry points in installed packages, by group. A package with unreadable metadata is named and skipped."""
    found: dict[str | None, list[EntryPoint]] = {}
    for package in distributions():
        try:
            points = package.entry_points
        except Exception as error:
            # Only its folder tells which package it is; the metadata may not have a name.
            folder = getattr(package, "_path", "unknown place")
            _warn(f"The entry points of an installed package cannot be read ({folder}): {error}.")
            continue
        for point in points:
            if point.group.startswith("clonetruth."):
                found.setdefault(point.group, []).append(point)
    return found


def _named(kind: str, point: EntryPoint) -> str:
    try:
        package = point.dist.name if point.dist is not None else None
    except Exception:  # metadata without a name
        package = None
    return f"{kind} '{point.name}' of the package '{package or point.value.partition(':')[0]}'"


def _misfit(found: Any, of: type | None) -> str | None:
    """Why an object is not of a kind; None if it is."""
    if of is None:
        return None
    if not getattr(of, "_is_protocol", False):
        return None if isinstance(found, of) else f"it is not a {of.__name__} but a {type(found).__name__}"
    if isinstance(found, type):
        return f"it is a class, and must be an object of the protocol {of.__name__}"
    missing = sorted(name for name in _members(of) if not hasattr(found, name))
    return f"it lacks {', '.join(map(repr, missing))} of the protocol {of.__name__}" if missing else None


def _members(protocol: type) -> set[str]:
    """The names that a protocol requires."""
    names = {name for base in protocol.__mro__ for name in (*vars(base), *vars(base).get("__annotations__", ()))}
    return {name for name in names if not name.startswith("_") or name == "__call__"}


def check_fits(owner: str, found: object, protocol: type) -> None:
    """Check an object that a plugin returned.

    Args:
        owner: what returned it, for the message ("learner 'x'").
        found: the object.
        protocol: the class or protocol that it must fit.

    Raises:
        PluginError: it does not.
    """
    if wrong := _misfit(found, protocol):
        raise PluginError(f"What the {owner} returned cannot be used: {wrong}.")


def _warn(text: str) -> None:
    warnings.warn(text, CloneTruthWarning, stacklevel=2)
