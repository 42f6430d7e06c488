"""The header of a benchmark in `benchmark.json`: card, recipe, lineage, counts and hashes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clonetruth.errors import BenchmarkError
from clonetruth.model import Card, Recipe
from clonetruth.store.records import WrongShapeError, build_record
from clonetruth.store.schemas import CORE, IMMUTABLE, SCHEMA_VERSION


@dataclass(frozen=True)
class Ancestor:
    """A benchmark in a lineage. Name, version and recipe are None if only the hash is known."""

    content_hash: str
    name: str | None = None
    version: str | None = None
    recipe: Recipe | None = None


@dataclass(frozen=True)
class Header:
    """The header of a benchmark folder.

    Attributes:
        card: what a reader must know about the dataset.
        recipe: how a derived benchmark was built.
        ancestors: the benchmarks it descends from, nearest first.
        counts: number of rows of each core table at creation.
        table_hashes: logical hash of each immutable table.
        content_hash: hash of the card's identity and those tables.
        version: the version of clonetruth that wrote it.
        schema_version: the version of its tables.
        part_hashes: logical hash of each part of judges, judgements, claims and tests that came with the source, by its
            path; empty in folders of clonetruth 0.1.
    """

    card: Card
    recipe: Recipe | None
    ancestors: tuple[Ancestor, ...]
    counts: Mapping[str, int]
    table_hashes: Mapping[str, str]
    content_hash: str
    version: str
    schema_version: int = field(default=SCHEMA_VERSION)
    part_hashes: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The header as plain JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, value: Any, where: object) -> Header:
        """Read what `to_json` wrote, of this or an earlier schema version.

        Raises:
            BenchmarkError: the header is incomplete or of a newer version.
        """
        if not isinstance(value, Mapping):
            raise BenchmarkError("The benchmark's header is missing.", where=where, hint=_FOREIGN)
        version = value.get("schema_version")
        if not isinstance(version, int) or version < 1:
            raise BenchmarkError(f"'{version}' is not a schema version.", where=where, hint=_FOREIGN)
        if version > SCHEMA_VERSION:
            raise BenchmarkError(
                f"The benchmark has schema version {version}; this clonetruth reads up to {SCHEMA_VERSION}.",
                where=where,
                hint="Install a newer clonetruth: pip install --upgrade clonetruth",
            )
        try:
            header = build_record(cls, value, "header")
            for name in CORE:
                if not isinstance(header.counts.get(name), int) or header.counts[name] < 0:
                    raise WrongShapeError(f"header.counts.{name} is not a number of rows")
            for name in IMMUTABLE:
                if not isinstance(header.table_hashes.get(name), str):
                    raise WrongShapeError(f"header.table_hashes.{name} is not a hash")
            check_part_hashes(header.part_hashes)
        except WrongShapeError as error:
            raise BenchmarkError(
                f"The benchmark's header cannot be read: {error}.", where=where, hint=_FOREIGN
            ) from error
        return header


_FOREIGN = "Is this a benchmark folder? Copy it again from its origin, or import the source again."


_PART = re.compile(r"(judges|judgements|claims|tests|domains)/[^/\\]+\.parquet")


def check_part_hashes(hashes: Mapping[str, Any]) -> None:
    """Refuse seals of anything but the parts of the benchmark itself.

    Raises:
        WrongShapeError: a name leads elsewhere, or a hash is not a text.
    """
    for name, text in hashes.items():
        if not _PART.fullmatch(name) or not isinstance(text, str):
            raise WrongShapeError(f"the seal of '{name}' is not the hash of a part of the benchmark")
