"""The functionalities of fragments that a benchmark or a table knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.arrow_files import parquet_batches
from clonetruth.build.functionalities.inference import Edges
from clonetruth.errors import InputError
from clonetruth.formats.batches import Batch, as_text, read_batches
from clonetruth.model import Functionality, Role
from clonetruth.store import Benchmark
from clonetruth.store.hashing import hash_file

FRAGMENT, FUNCTIONALITY = "function_id", "functionality_id"
"""The columns of a table of members."""

_NAME = "name"
_BATCH_ROWS = 1024

_MEMBERS = """
SELECT m.fragment AS fragment, f.id AS functionality, m.role AS role
FROM memberships m JOIN functionalities f ON m.functionality = f.functionality
WHERE m.role <> 'undecided'
ORDER BY m.fragment, m.functionality, m.role
"""

_CLAIMS = """
SELECT least(p.left, p.right) AS one, greatest(p.left, p.right) AS other, max(g.value) AS value
FROM judgements g
JOIN judges j ON g.judge = j.judge AND j.kind = 'rule'
JOIN asked a ON g.criterion = a.criterion
JOIN pairs p ON g.pair = p.pair
WHERE g.value IN ('clone', 'not-clone')
GROUP BY least(p.left, p.right), greatest(p.left, p.right)
HAVING min(g.value) = max(g.value)
ORDER BY one, other
"""
"""The claims of the dataset's own rule on its pairs; contradictory claims are left out."""


@dataclass(frozen=True)
class KnownMember:
    """A fragment, by its position, with its role in a functionality."""

    fragment: int
    functionality: str
    role: Role


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """What one benchmark or table knows.

    Attributes:
        name: its name, for evidence.
        digest: the hash of its content.
        ids: the fragments.
        functionalities: the functionalities.
        members: the fragments that have, or do not have, each functionality.
        positive: pairs that it claims to be clones, by position.
        negative: pairs that it claims not to be clones.
        fragments: the Parquet file with the texts, if there is one.
    """

    name: str
    digest: str
    ids: list[str]
    functionalities: tuple[Functionality, ...]
    members: tuple[KnownMember, ...]
    positive: Edges
    negative: Edges
    fragments: Path | None = None

    def texts(self) -> Iterator[tuple[int, str, str]]:
        """Position, language and text of the fragments that have one."""
        if self.fragments is None:
            return
        for batch in parquet_batches(self.fragments, _BATCH_ROWS, ["fragment", "language", "text"]):
            for key, language, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                if text and not text.isspace():
                    yield key, language, text


def read_known_labels(path: Path) -> KnownLabels:
    """Read what a benchmark folder or a table of members knows.

    Raises:
        InputError: the path does not exist, or is not a table of members.
        BenchmarkError: the folder is damaged.
    """
    if not path.exists():
        raise InputError("The file or folder does not exist.", where=path)
    return benchmark_labels(Benchmark.open(path)) if path.is_dir() else table_labels(path)


def benchmark_labels(benchmark: Benchmark) -> KnownLabels:
    """The memberships of a benchmark, and the claims of its own rule on pairs under the card's criterion."""
    asked = pa.table({"criterion": pa.array([benchmark.card.criterion], pa.string())})
    claims = benchmark.sql(_CLAIMS, asked=asked)
    clone = pc.equal(claims["value"], "clone")
    described = benchmark.table("functionalities").to_pylist()
    return KnownLabels(
        name=benchmark.card.name,
        digest=benchmark.content_hash,
        ids=benchmark.sql("SELECT id FROM fragments ORDER BY fragment")["id"].to_pylist(),
        functionalities=tuple(
            Functionality(row["id"], row["name"], row["specification"], row["heuristic"]) for row in described
        ),
        members=tuple(
            KnownMember(row["fragment"], row["functionality"], Role(row["role"]))
            for row in benchmark.sql(_MEMBERS).to_pylist()
        ),
        positive=_edges(claims.filter(clone)),
        negative=_edges(claims.filter(pc.invert(clone))),
        fragments=benchmark.parquet("fragments")[0],
    )


def table_labels(path: Path) -> KnownLabels:
    """Read a CSV or Parquet table with a fragment id, a functionality id and, optionally, its name in each row.

    Raises:
        InputError: a column or an id is missing, or the table is empty.
    """
    places: dict[str, int] = {}
    functionalities: dict[str, Functionality] = {}
    members: dict[KnownMember, None] = {}

    def reject(line: int, why: str) -> None:
        raise InputError(f"The row cannot be read: {why}.", where=f"{path}, line {line}")

    for batch in read_batches(path, [FRAGMENT, FUNCTIONALITY], optional=[_NAME], on_bad_row=reject):
        columns = [as_text(batch.column(name)).to_pylist() for name in (FRAGMENT, FUNCTIONALITY, _NAME)]
        for row, (fragment, functionality, name) in enumerate(zip(*columns, strict=True)):
            _require_ids(path, batch, row, fragment, functionality)
            identity = functionality.strip()
            functionalities.setdefault(identity, Functionality(identity, name or f"functionality {identity}"))
            position = places.setdefault(fragment.strip(), len(places))
            members[KnownMember(position, identity, Role.TAGGED_TRUE)] = None
    if not members:
        raise InputError("The table of members is empty.", where=path)
    nothing = np.empty(0, np.int64)
    return KnownLabels(
        name=path.name,
        digest=hash_file(path),
        ids=list(places),
        functionalities=tuple(functionalities.values()),
        members=tuple(members),
        positive=Edges(nothing, nothing),
        negative=Edges(nothing, nothing),
    )


def _require_ids(path: Path, batch: Batch, row: int, *cells: str | None) -> None:
    if not all(cell and cell.strip() for cell in cells):
        raise InputError(
            "The row does not name a fragment and a functionality.",
            where=f"{path}, line {batch.line(row)}",
            hint=f"The columns {FRAGMENT} and {FUNCTIONALITY} are required.",
        )


def _edges(claims: pa.Table) -> Edges:
    return Edges.of(claims["one"].to_numpy(), claims["other"].to_numpy())
