"""Unit recall and unit precision: which constructed pairs a report finds, by the operator that made each.

As defined by Roy and Cordy (Mutation 2009): a pair of original and mutant is found if a reported pair matches both; the
matcher decides. Of the reported pairs with an injected fragment on a side, those are precise that match a constructed
clone, or whose two texts have a token similarity in the blind form of `VALID` or more. A near miss is never precise,
however similar its texts are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.code import FragmentForms, fragment_forms, language_of_path, read_source, similarity
from clonetruth.evaluate.locations.recall_sql import CONSTRUCTED_SQL, touching_sql
from clonetruth.evaluate.locations.reported import LocationTable
from clonetruth.evaluate.operators import OPERATOR, pair_operators
from clonetruth.stats.intervals import wilson
from clonetruth.store import Benchmark, TableLike
from clonetruth.store.results import Measurement, MeasurementGroup, Stratum
from clonetruth.store.schemas import SYSTEM

VALID = 0.7
"""The token similarity from which two reported texts count as clones."""

_METHOD = "Wilson, pairs taken as independent"
_PRECISE = f"reported pairs with an injected fragment; of those that were not constructed, token similarity ≥ {VALID:g}"


@dataclass(frozen=True)
class MatchedReport:
    """A report matched with the fragments of a benchmark.

    Attributes:
        reported: its pairs, with the columns of `reported.STAGED`.
        hits: the pairs of fragments that they match.
        places: the locations of the fragments.
        condition: the matcher's condition.
        flag: the column of `hits` that counts.
    """

    reported: Path
    hits: Path
    places: LocationTable
    condition: str
    flag: str


def unit_measures(
    benchmark: Benchmark, report: MatchedReport, verdicts: TableLike
) -> tuple[tuple[Measurement, ...], tuple[Stratum, ...]]:
    """The unit precision, and a stratum by operator; nothing where no pair was constructed."""
    operators = pair_operators(benchmark)
    if not operators.num_rows:
        return (), ()
    tables: dict[str, TableLike] = {"operators": operators, "verdicts": verdicts, "hits": report.hits}
    found = benchmark.sql(CONSTRUCTED_SQL.format(flag=report.flag), **tables).to_pylist()
    touching = benchmark.sql(
        touching_sql(report.condition, report.flag), reported=report.reported, places=report.places.table, **tables
    ).to_pylist()
    precise = _Validation(benchmark.path / SYSTEM, report.places.paths).of(touching)
    rows_of: dict[str, set[int]] = defaultdict(set)
    for row in touching:
        rows_of[row["operator"]].add(row["row"])
    groups = []
    for row in found:
        if row["verdict"] == "clone":
            unit = _precision([precise[one] for one in sorted(rows_of[row["operator"]])])
            measurements: tuple[Measurement, ...] = (_share("recall", row["found"], row["pairs"]), unit)
        else:
            measurements = (_share("specificity", row["pairs"] - row["found"], row["pairs"]),)
        clones = row["pairs"] if row["verdict"] == "clone" else 0
        groups.append(MeasurementGroup(row["operator"], measurements, row["pairs"], clones))
    note = "A pair counts for the operator that made it (docs/mutation.md)."
    return (_precision(list(precise.values())),), (Stratum(OPERATOR, tuple(groups), note),)


def _precision(judged: list[bool | None]) -> Measurement:
    """The share of precise pairs; those that could not be checked are left out, and counted in the note."""
    known = [one for one in judged if one is not None]
    unknown = len(judged) - len(known)
    note = f"{_PRECISE}; {unknown:,} could not be checked" if unknown else _PRECISE
    return _share("unit-precision", sum(known), len(known), note)


def _share(name: str, successes: int, n: int, note: str | None = None) -> Measurement:
    interval = wilson(successes, n) if n else None
    if interval is None:
        return Measurement(name, None, successes=successes, n=n, note=note)
    return Measurement(name, successes / n, interval.low, interval.high, successes, n, _METHOD, note)


class _Validation:
    """Compares reported texts.

    Args:
        system: the folder of the files.
        paths: the names of the files in it.
    """

    def __init__(self, system: Path, paths: pa.Array) -> None:
        self._system = system
        self._paths = paths
        self._lines = lru_cache(maxsize=64)(self._read)
        self._forms = lru_cache(maxsize=4096)(self._measured)

    def of(self, touching: list[dict[str, Any]]) -> dict[int, bool | None]:
        """Whether reported pairs are precise, by their rows; None where a text is missing."""
        rows = {row["row"]: row for row in touching}
        return {number: self._precise(row) for number, row in rows.items()}

    def _precise(self, row: Mapping[str, Any]) -> bool | None:
        if row["known"] is not None:
            return bool(row["known"])
        left, right = (
            self._forms(row[f"{side}_file"], row[f"{side}_first"], row[f"{side}_last"]) for side in ("left", "right")
        )
        return None if left is None or right is None else similarity(left, right).token >= VALID

    def _measured(self, file: int, first: int, last: int) -> FragmentForms | None:
        if file < 0:
            return None
        name = self._paths[file].as_py()
        language = language_of_path(name)
        lines = self._lines(name)[max(first - 1, 0) : last]
        return fragment_forms("\n".join(lines), language) if language and lines else None

    def _read(self, name: str) -> list[str]:
        path = self._system / name
        return read_source(path).text.split("\n") if path.is_file() else []
