"""Registries: lazy tables of named objects.

Every extension point (languages, sources, rules, detectors, judges) is a `Registry`: a table of names to
``"module:attribute"`` strings. Nothing is imported until a name is used, so hundreds of entries cost nothing at
start-up. Other packages add entries through entry points in the registry's group.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from typing import Generic, TypeVar, cast

from clonetruth.errors import UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A lazy mapping from names to objects of one kind.

    Args:
        kind: what the objects are, for messages ("language").
        entries: names to ``"module:attribute"``.
        group: entry-point group through which other packages add entries.
        aliases: other spellings of a name, accepted but not listed.
    """

    def __init__(
        self,
        kind: str,
        entries: Mapping[str, str],
        *,
        group: str | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self._group = group
        self._entries = dict(entries)
        self._aliases = dict(aliases or {})
        self._loaded: dict[str, T] = {}
        self._entry_points_read = group is None

    def __getitem__(self, name: str) -> T:
        target = self._aliases.get(name, name)
        if target not in self._loaded:
            entry = self._table().get(target)
            if entry is None:
                raise self._unknown(name)
            module, _, attribute = entry.partition(":")
            self._loaded[target] = cast(T, getattr(importlib.import_module(module), attribute))
        return self._loaded[target]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())

    def __contains__(self, name: object) -> bool:
        return name in self._aliases or name in self._table()

    def _table(self) -> dict[str, str]:
        if not self._entry_points_read:
            self._entry_points_read = True
            for point in entry_points(group=self._group or ""):
                self._entries.setdefault(point.name, point.value)
        return self._entries

    def _unknown(self, name: str) -> UnknownNameError:
        return UnknownNameError.suggest(self.kind, name, self._table(), self._aliases)
