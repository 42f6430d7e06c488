"""Functionalities in folders: a specification, shared inputs, implementations in several languages, and near misses.

The embedded benchmark and TrueClones share this layout; `docs/trueclones.md` describes it. Nothing is executed here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from clonetruth.errors import InputError
from clonetruth.parsing import parse_json, parse_toml

_KEYS = {"name", "topic", "specification", "returns", "parameters", "near-miss", "equivalent-mutant"}
_DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a functionality: its language-neutral type, and the permitted values."""

    name: str
    type: str
    domain: Mapping[str, Any]


@dataclass(frozen=True)
class FolderNearMiss:
    """The implementation from which a near miss was made, and the difference.

    Attributes:
        origin: the id of the implementation.
        differs: the difference, in a sentence.
        difficulty: what the author expects; only what is measured counts.
    """

    origin: str
    differs: str
    difficulty: str | None = None


@dataclass(frozen=True)
class EquivalentMutant:
    """A seeded change of an implementation that no permitted input can notice, and why."""

    fragment: str
    line: int
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class FolderFile:
    """A stored fragment. `near_miss` is None for an implementation."""

    id: str
    language: str
    path: str
    text: str
    near_miss: FolderNearMiss | None


@dataclass(frozen=True)
class FunctionalityFolder:
    """A stored functionality, without its evidence."""

    id: str
    name: str
    topic: str
    specification: str
    parameters: tuple[Parameter, ...]
    returns: str
    inputs: Sequence[Sequence[Any]]
    sources: tuple[FolderFile, ...]
    root: Traversable
    equivalent_mutants: tuple[EquivalentMutant, ...] = ()

    def collection(self, source: FolderFile) -> str:
        """The collection that serves as a project: numbered by the implementation's position in its language's folder.

        A near miss is in the collection of the implementation from which it was made.
        """
        origin = source.near_miss.origin if source.near_miss else source.id
        peers = [one.id for one in self.sources if one.language == source.language and one.near_miss is None]
        return f"collection-{peers.index(origin) + 1}"

    @property
    def domain(self) -> str:
        """The permitted inputs, as `execution.inputs.domains` reads them."""
        return json.dumps([{"name": one.name, "domain": one.domain} for one in self.parameters], sort_keys=True)

    @property
    def signature(self) -> tuple[str, ...]:
        """The types of the parameters and of the result."""
        return (*(one.type for one in self.parameters), self.returns)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its fragments, sorted."""
        return tuple(sorted({one.language for one in self.sources}))

    def implementations(self, language: str | None = None) -> list[FolderFile]:
        """The implementations, of one language or of all."""
        return [one for one in self.sources if one.near_miss is None and language in (None, one.language)]

    def near_misses(self, language: str | None = None) -> list[FolderFile]:
        """The near misses, of one language or of all."""
        return [one for one in self.sources if one.near_miss is not None and language in (None, one.language)]


def canonical(value: Any) -> str:
    """Canonical JSON: results are equal if and only if their canonical texts are."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_folders(root: Traversable, only: Sequence[str] = ()) -> Iterator[FunctionalityFolder]:
    """The functionalities below a folder, in the order of their ids.

    Args:
        root: the folder.
        only: the ids of those to read (default: all).

    Raises:
        InputError: a folder is not a functionality, or there is none of a wanted id.
    """
    children = [child for child in sorted_children(root) if child.is_dir()]
    known = [child.name for child in children]
    if unknown := [one for one in only if one not in known]:
        raise InputError(f"There is no functionality '{unknown[0]}'.", where=root, hint=f"Known: {', '.join(known)}.")
    for child in children:
        if not only or child.name in only:
            yield read_folder(child)


def read_folder(root: Traversable) -> FunctionalityFolder:
    """A functionality's folder.

    Raises:
        InputError: a file is missing or not valid, or the near misses in `functionality.toml` are not those in the
            folders.
    """
    file = root / "functionality.toml"
    try:
        description = parse_toml(file.read_text(encoding="utf-8"))
        inputs = parse_json((root / "inputs.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The folder is not a functionality: {error}", where=root) from error
    if unknown := sorted(description.keys() - _KEYS):
        raise InputError(f"Unknown entry '{unknown[0]}'.", where=file, hint=f"Known: {', '.join(sorted(_KEYS))}.")
    if not isinstance(inputs, list) or not inputs or not all(isinstance(one, list) for one in inputs):
        raise InputError("The inputs are not a list of argument lists.", where=root / "inputs.json")
    try:
        sources = tuple(_read_sources(root, description.get("near-miss", {})))
        return FunctionalityFolder(
            id=root.name,
            name=description["name"],
            topic=description["topic"],
            specification=" ".join(description["specification"].split()),
            parameters=tuple(Parameter(**parameter) for parameter in description["parameters"]),
            returns=description["returns"],
            inputs=inputs,
            sources=sources,
            root=root,
            equivalent_mutants=tuple(
                EquivalentMutant(f"{root.name}/{one['in']}", one["line"], one["before"], one["after"], one["reason"])
                for one in description.get("equivalent-mutant", ())
            ),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"An entry is missing or wrong: {error}.", where=file) from error


def sorted_children(folder: Traversable) -> list[Traversable]:
    """What is in a folder, by name."""
    # Installers leave __pycache__ folders next to Python files.
    children = [child for child in folder.iterdir() if not child.name.startswith(("_", "."))]
    return sorted(children, key=lambda child: child.name)


def _read_sources(root: Traversable, near_misses: Mapping[str, Any]) -> Iterator[FolderFile]:
    folders = {folder.name: folder for folder in sorted_children(root) if folder.is_dir()}
    if unknown := sorted(near_misses.keys() - folders.keys()):
        raise InputError(f"Near misses of a language without a folder: {unknown[0]}.", where=root)
    for language, folder in folders.items():
        implementations = set()
        for file in sorted_children(folder):
            if file.is_file():
                read = _read_source(f"{root.name}/{language}/{file.name}", language, file, None)
                implementations.add(read.id)
                yield read
        yield from _read_near_misses(root, folder, near_misses.get(language, {}), implementations)


def _read_near_misses(
    root: Traversable, folder: Traversable, described: Mapping[str, Any], implementations: set[str]
) -> Iterator[FolderFile]:
    language, place = folder.name, folder / "near-miss"
    files = [file for file in sorted_children(place) if file.is_file()] if place.is_dir() else []
    names = [file.name.rpartition(".")[0] for file in files]
    if different := sorted(set(names) ^ set(described)):
        raise InputError(
            f"The near miss '{different[0]}' has a file or an entry, and not both.",
            where=root / "functionality.toml",
            hint=f"An entry is [near-miss.{language}.{different[0]}].",
        )
    for name, file in zip(names, files, strict=True):
        entry = described[name]
        made = FolderNearMiss(f"{root.name}/{language}/{entry['from']}", entry["differs"], entry.get("difficulty"))
        if made.origin not in implementations or made.difficulty not in (None, *_DIFFICULTIES):
            wrong = f"there is no implementation '{entry['from']}'"
            if made.origin in implementations:
                wrong = f"the difficulty is none of {', '.join(_DIFFICULTIES)}"
            raise InputError(f"The near miss '{name}': {wrong}.", where=root / "functionality.toml")
        yield _read_source(f"{root.name}/{language}/near-miss/{file.name}", language, file, made)


def _read_source(path: str, language: str, file: Traversable, near_miss: FolderNearMiss | None) -> FolderFile:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"The file is not UTF-8: {error}.", where=file, hint="Save it as UTF-8.") from error
    return FolderFile(path.rpartition(".")[0], language, path, text, near_miss)
