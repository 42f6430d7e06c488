"""Parts of judges and judgements that one study owns, so that its next export can replace them.

    judges/study-<id>.parquet       every judge of the study's judgements
    judgements/study-<id>.parquet   the judgements of the study as they were at its last export
    seals/study-<id>.json           the hashes of both, and what explains their numbers

Other parts are append-only. A study is not finished when it is exported: votes are undone, and judges withdraw, whose
answers and reasons must then be gone, not only outvoted. So the whole part is written again. The rename of
`judgements/study-<id>.parquet` is the moment at which the new state replaces the old one: before it, the judges of both
states are written and the seal is removed; after it, the judges of the new state and the seal are written. A process
that is killed leaves the judgements of one state, perhaps without a seal, which the next export adds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.store.atomic import exclusive, new_file, scratch_folder, sync
from clonetruth.store.engine import Engine, TableLike
from clonetruth.store.folder import core_paths, read_files, read_judges
from clonetruth.store.judges import next_sequence, stage, unique_judges
from clonetruth.store.parquet import ParquetSink, table_metadata
from clonetruth.store.resolve import check_references, write_resolved
from clonetruth.store.schemas import CORE, TABLES
from clonetruth.store.seals import is_sealed, seal, unseal

_STORED_SQL = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, g.pair AS pair, f.id AS fragment,
    u.id AS functionality, g.confidence AS confidence, g.reason AS reason, g.evidence AS evidence, g.time AS time
FROM stored g
LEFT JOIN fragments f ON g.fragment = f.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
ORDER BY g.place
"""
"""Judgements of a part in the terms of incoming ones, in the order of the part."""

_OF_JUDGES_SQL = "SELECT g.* FROM judgements g JOIN asked a ON g.judge = a.judge"
_JUDGES_SQL = "SELECT DISTINCT judge FROM judgements"

_NOTHING = TABLES["judgements"].schema.empty_table()

_COLUMNS = (
    *("judge", "criterion", "value", "pair", "fragment", "functionality"),
    *("confidence", "reason", "evidence", "time"),
)

_Row = tuple[object, ...]


@dataclass(frozen=True)
class PartChange:
    """What an export changed in a benchmark.

    Attributes:
        added: judgements that are new in the benchmark.
        known: judgements that it had already, from this study or from elsewhere.
        removed: judgements of earlier exports that the study no longer has.
        outdated: judgements of its judges that the study no longer has, in parts that it does not own.
    """

    added: int
    known: int
    removed: int
    outdated: int


class StudyPart:
    """The part of a benchmark that a study owns.

    Args:
        folder: the benchmark folder.
        engine: the engine that joins ids to keys.
        study: the identity of the study, in hexadecimal digits.
    """

    def __init__(self, folder: Path, engine: Engine, study: str) -> None:
        self._folder = folder
        self._engine = engine
        self._name = f"study-{study[:16]}.parquet"
        self._judges = folder / "judges" / self._name
        self._judgements = folder / "judgements" / self._name

    def replace(self, judges: pa.Table, judgements: pa.Table, notes: Mapping[str, Any]) -> PartChange:
        """Make the part hold these judgements and no others.

        Args:
            judges: the judges of the judgements.
            judgements: with the source's string ids, as `append_judgements` takes them.
            notes: what explains the numbers; recorded in the seal.

        Raises:
            InputError: a row is invalid, or a judge has another definition in a part of others.
        """
        with exclusive(self._folder / "judgements"):
            return self._replace(judges, judgements, notes)

    def _replace(self, judges: pa.Table, judgements: pa.Table, notes: Mapping[str, Any]) -> PartChange:
        mine = read_files([self._judgements], "judgements") if self._judgements.exists() else _NOTHING
        asked = judges.select(["judge"])
        elsewhere = Counter(self._rows(self._sql(_OF_JUDGES_SQL, asked=asked)))
        wanted = [tuple(row[name] for name in _COLUMNS) for row in judgements.to_pylist()]
        keep, missing = _difference(self._rows(mine), [row for row in wanted if row not in elsewhere])
        kept = mine.filter(pa.array(keep, pa.bool_()))
        rows = judgements.filter(pa.array(_occurrences(wanted, missing), pa.bool_()))
        change = PartChange(
            added=rows.num_rows,
            known=judgements.num_rows - rows.num_rows,
            removed=mine.num_rows - kept.num_rows,
            outdated=sum(count for row, count in elsewhere.items() if row not in set(wanted)),
        )
        before = read_judges([self._judges] if self._judges.exists() else [])
        after = self._definitions(judges, {*kept["judge"].to_pylist(), *rows["judge"].to_pylist()}, before)
        changed = bool(change.added or change.removed) or not after.equals(before)
        if changed:
            self._write(kept, rows, before, after)
        if changed or (kept.num_rows and not is_sealed(self._folder, self._name, notes)):
            seal(self._folder, self._name, notes)
        return change

    def _write(self, kept: pa.Table, rows: pa.Table, before: pa.Table, after: pa.Table) -> None:
        with scratch_folder(self._folder / "judgements") as scratch:
            complete = pa.concat_tables([kept, self._resolved(rows, after, scratch)])
            unseal(self._folder, self._name)
            replaced = {row["judge"]: row for table in (before, after) for row in table.to_pylist()}
            _write(self._judges, "judges", pa.Table.from_pylist(list(replaced.values()), schema=after.schema))
            _write(self._judgements, "judgements", complete)
        _write(self._judges, "judges", after)

    def _resolved(self, rows: pa.Table, judges: pa.Table, scratch: Path) -> pa.Table:
        """New rows with keys instead of ids, after all others in the order of arrival."""
        if not rows.num_rows:
            return _NOTHING
        tables: dict[str, TableLike] = {name: core_paths(self._folder, name) for name in CORE}
        tables["judges"] = judges
        staged, resolved = scratch / "staged", scratch / "resolved"
        stage(staged, rows)
        check_references(self._engine, "judgements", staged, tables)
        base = next_sequence(self._engine, tables["judgements"])
        write_resolved(self._engine, "judgements", staged, tables, resolved, base)
        return read_files([resolved], "judgements")

    def _definitions(self, judges: pa.Table, speaking: set[str], before: pa.Table) -> pa.Table:
        """The judges that the part must define: those of its judgements, and those whom other parts rely on."""
        foreign = read_judges(self._others("judges"))
        unique_judges(judges.to_batches(), foreign)
        used = {row["judge"] for row in self._sql(_JUDGES_SQL).to_pylist()} - set(foreign["judge"].to_pylist())
        known = {row["judge"]: row for table in (before, judges) for row in table.to_pylist()}
        chosen = [known[judge] for judge in sorted(speaking | (used & known.keys()))]
        return pa.Table.from_pylist(chosen, schema=TABLES["judges"].schema)

    def _others(self, table: str) -> list[Path]:
        return [path for path in core_paths(self._folder, table) if path.name != self._name]

    def _sql(self, text: str, **tables: TableLike) -> pa.Table:
        return self._engine.sql(text, {"judgements": self._others("judgements"), **tables})

    def _rows(self, stored: pa.Table) -> list[_Row]:
        """Stored judgements in the terms of incoming ones, in their order."""
        if not stored.num_rows:
            return []
        names = {name: core_paths(self._folder, name) for name in ("fragments", "functionalities")}
        placed = stored.append_column("place", pa.array(range(stored.num_rows), pa.int64()))
        found = self._engine.sql(_STORED_SQL, {**names, "stored": placed})
        return [tuple(row[name] for name in _COLUMNS) for row in found.to_pylist()]


def _difference(stored: Sequence[_Row], wanted: Sequence[_Row]) -> tuple[list[bool], Counter[_Row]]:
    """Which stored rows are still wanted, and which wanted rows are not stored; a row may occur several times."""
    missing = Counter(wanted)
    keep = []
    for row in stored:
        keep.append(missing[row] > 0)
        missing[row] -= keep[-1]
    return keep, +missing


def _occurrences(rows: Sequence[_Row], wanted: Counter[_Row]) -> list[bool]:
    """Which of the rows are wanted; of equal rows, the last ones."""
    left = Counter(wanted)
    found = []
    for row in reversed(rows):
        found.append(left[row] > 0)
        left[row] -= found[-1]
    return found[::-1]


def _write(path: Path, table: str, content: pa.Table) -> None:
    """Replace a file of the part; an empty one is removed."""
    if not content.num_rows:
        if path.exists():
            path.unlink()
            sync(path.parent)
        return
    with new_file(path) as unfinished, ParquetSink(unfinished, content.schema, table_metadata(table)) as sink:
        for batch in content.to_batches():
            sink.write(batch)
