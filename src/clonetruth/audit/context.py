"""The input of rules: the benchmark, the relations computed from it, and the texts of its fragments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.audit.finding import Example
from clonetruth.audit.relations import (
    CLAIMED_DIVISION,
    GIVEN_DIVISION,
    MATCHES,
    RELATIONS,
    SPLIT_DIVISION,
)
from clonetruth.audit.rule import Need
from clonetruth.audit.texts import Profiles, read_bags, read_profiles, text_facts
from clonetruth.code import Bags, OverlapGroups, overlap_groups
from clonetruth.model import JudgeKind
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, TableLike
from clonetruth.verdicts import judge_roles

PARTS = ("train", "valid", "test")
EXAMPLES = 5
"""Maximum number of examples in a finding."""


@dataclass(frozen=True)
class PartBoundary:
    """Two parts of a division of the pairs.

    Args:
        division: `claimed` for the source's own division, else the name of a split.
        earlier: the part that a detector may see first, for example `train`.
        later: the part that must be new to it, for example `test`.
    """

    division: str
    earlier: str
    later: str

    def __str__(self) -> str:
        return f"{self.later} and {self.earlier}" + ("" if self.division == "claimed" else f" of {self.division}")

    def condition(self, part: str) -> str:
        """The condition on `divisions` that selects one of the parts."""
        return f"division = '{self.division}' AND part = '{part}'"

    def fragments(self, part: str) -> str:
        """The SELECT of the fragments of one of the parts."""
        condition = self.condition(part)
        return (
            f"SELECT left_fragment AS fragment FROM divisions WHERE {condition} "
            f"UNION SELECT right_fragment AS fragment FROM divisions WHERE {condition}"
        )


@dataclass(eq=False)
class AuditContext:
    """A benchmark under audit.

    Args:
        benchmark: the benchmark.
        scratch: a folder for relations that are computed once; the caller removes it.
        thresholds: the thresholds of all rules, by name.
        processes: number of worker processes for parsing.
        against: other benchmarks to compare claims with.
        reference: a benchmark of real projects to compare fragments with.
        corpora: folders or hash files of code that models were pretrained on.
        progress: progress callback.
        divided: a division of fragments (`fragment`, `part`) to audit instead of those that the benchmark has.
        known: shared relations that were computed before.
    """

    benchmark: Benchmark
    scratch: Path
    thresholds: Mapping[str, float]
    processes: int = 1
    against: Sequence[Benchmark] = ()
    reference: Benchmark | None = None
    corpora: Sequence[Path] = ()
    progress: Progress = field(default=no_progress)
    divided: pa.Table | None = None
    known: Mapping[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._computed: dict[str, Path] = dict(self.known)

    def threshold(self, name: str) -> float:
        """The value of a threshold."""
        return self.thresholds[name]

    def sql(self, text: str, **extra: TableLike) -> pa.Table:
        """Run one SELECT over the benchmark's tables and the shared relations; see `relations`."""
        return self.benchmark.sql(text, **self._relations(text), **extra)

    def rows(self, text: str, **extra: TableLike) -> list[dict[str, Any]]:
        """The rows of a SELECT."""
        rows: list[dict[str, Any]] = self.sql(text, **extra).to_pylist()
        return rows

    def row(self, text: str, **extra: TableLike) -> dict[str, Any]:
        """The only row of a SELECT, with NULL as 0."""
        (row,) = self.rows(text, **extra)
        return {name: 0 if value is None else value for name, value in row.items()}

    def _relations(self, text: str) -> dict[str, TableLike]:
        words = set(re.findall(r"\w+", text))
        wanted = [name for name in (*RELATIONS, "text_facts", "divisions") if name in words]
        roles = {name: table for name, table in self._roles.items() if name in words}
        return {**roles, **{name: self._relation(name) for name in wanted}}

    @cached_property
    def _roles(self) -> dict[str, pa.Table]:
        return judge_roles(self.benchmark.table("judges"))

    def _relation(self, name: str) -> Path:
        if name not in self._computed:
            path = self.scratch / f"{name}.parquet"
            if name == "text_facts":
                text_facts(self.benchmark, path, self.progress)
            else:
                text = self._divisions_sql() if name == "divisions" else RELATIONS[name]
                # A relation may use others; `export_query` adds the benchmark's own tables.
                asked = pa.table({"claimed": pa.array([self.claimed_criterion], pa.string())})
                given = {} if self.divided is None else {"divided": self.divided}
                self.benchmark.export_query(text, path, asked=asked, **given, **self._relations(text))
            self._computed[name] = path
        return self._computed[name]

    @cached_property
    def claimed_criterion(self) -> str:
        """The criterion of the dataset's claims on pairs: its card's, or the one that its rules use most."""
        rows = self.benchmark.sql(
            "SELECT g.criterion AS criterion, count(*) AS n FROM judgements g JOIN judges j ON g.judge = j.judge "
            "WHERE g.pair IS NOT NULL AND j.kind = 'rule' GROUP BY g.criterion ORDER BY n DESC, criterion"
        )["criterion"].to_pylist()
        own = self.benchmark.card.criterion
        return own if own in rows or not rows else str(rows[0])

    def _divisions_sql(self) -> str:
        if self.divided is not None:
            return GIVEN_DIVISION
        parts = [CLAIMED_DIVISION]
        for name in self.benchmark.names("splits"):
            view = re.sub(r"\W", "_", f"splits_{name}")
            parts.append(SPLIT_DIVISION.format(name=name, view=view))
        return " UNION ALL ".join(parts)

    @cached_property
    def divisions(self) -> dict[str, list[str]]:
        """The divisions of the pairs (the one that the source claims, and the benchmark's splits), with their parts."""
        parts_of: dict[str, list[str]] = {}
        for row in self.rows("SELECT DISTINCT division, part FROM divisions"):
            parts_of.setdefault(row["division"], []).append(row["part"])
        return {name: [part for part in PARTS if part in parts] for name, parts in sorted(parts_of.items())}

    @cached_property
    def boundaries(self) -> list[PartBoundary]:
        """Every two parts of a division: data can leak from the earlier into the later one."""
        return [
            PartBoundary(division, parts[i], parts[j])
            for division, parts in self.divisions.items()
            for i in range(len(parts))
            for j in range(i + 1, len(parts))
        ]

    @cached_property
    def elsewhere(self) -> pa.Table:
        """Claims and judgements of the other benchmarks on this benchmark's pairs.

        Fragments are matched by id, or by their words if the two benchmarks share no pair of ids.
        Columns: pair (ours), type, cut_rule, claim, clones, others, benchmark.
        """
        tables = []
        for number, other in enumerate(self.against):
            scratch = self.scratch / f"other-{number}"
            scratch.mkdir(exist_ok=True)
            theirs = AuditContext(other, scratch, self.thresholds)
            for way, (labelled, matched) in MATCHES.items():
                path = scratch / f"labelled-by-{way}.parquet"
                other.export_query(labelled, path, **theirs._relations(labelled))
                found = self.sql(matched, labelled=path)
                if found.num_rows:
                    break
            name = pa.array([f"{other.card.name} {other.card.version}"] * found.num_rows, pa.string())
            tables.append(found.append_column("benchmark", name))
        return pa.concat_tables(tables)

    @cached_property
    def bags(self) -> Bags:
        """The words of every fragment, by key."""
        return read_bags(self.benchmark, self.progress)

    @cached_property
    def near_duplicates(self) -> OverlapGroups:
        """Groups of fragments whose bags of words overlap by at least the threshold for near duplicates."""
        return overlap_groups(
            self.bags,
            self.threshold("near-duplicate-overlap"),
            minimum=int(self.threshold("near-duplicate-words")),
            progress=lambda done, total: self.progress("Comparing fragments", done, total),
        )

    @cached_property
    def digests(self) -> npt.NDArray[np.int64]:
        """The digest of every fragment's text, by key; 0 for a fragment without text."""
        table = self.sql("SELECT fragment, digest FROM text_facts")
        digests = np.zeros(self.benchmark.counts["fragments"], dtype=np.int64)
        digests[table["fragment"].to_numpy()] = table["digest"].to_numpy()
        return digests

    @cached_property
    def profiles(self) -> Profiles:
        """What parsing shows about the fragments, or about a sample if there are very many."""
        return read_profiles(self.benchmark, int(self.threshold("parsed-fragments")), self.processes, self.progress)

    @cached_property
    def available(self) -> Mapping[Need, bool]:
        """Which inputs of rules the benchmark has."""
        counts = self.benchmark.counts
        texts = self.row(
            "SELECT CAST(max(length(text)) AS BIGINT) AS longest, count(project) AS projects FROM fragments"
        )
        labels = counts["pairs"] > 0 and bool(self.rows("SELECT pair FROM judgements WHERE pair IS NOT NULL LIMIT 1"))
        evidence = [str(kind) for kind in (JudgeKind.PERSON, JudgeKind.LLM, JudgeKind.EXECUTION)]
        kinds = set(self.benchmark.table("judges")["kind"].to_pylist())
        return {
            Need.PAIRS: counts["pairs"] > 0,
            Need.LABELS: labels,
            Need.TEXTS: texts["longest"] > 0,
            Need.MEMBERSHIPS: counts["memberships"] > 0,
            Need.PARTS: bool(self.boundaries),
            Need.EVIDENCE: bool(kinds & set(evidence)),
            Need.PROJECTS: texts["projects"] > 0,
        }

    def pair_examples(self, select: str, limit: int = EXAMPLES, **extra: TableLike) -> tuple[Example, ...]:
        """Examples of pairs.

        Args:
            select: a SELECT that returns `pair` and `note`; the first by pair are shown.
            limit: maximum number of examples.
            extra: further tables.
        """
        rows = self.rows(
            f"""
            WITH chosen AS (SELECT pair, note FROM ({select}) cases ORDER BY pair LIMIT {limit})
            SELECT l.id AS left_id, r.id AS right_id, c.note AS note
            FROM chosen c
            JOIN pairs p ON c.pair = p.pair
            JOIN fragments l ON p.left = l.fragment
            JOIN fragments r ON p.right = r.fragment
            ORDER BY c.pair
            """,
            **extra,
        )
        return tuple(Example((row["left_id"], row["right_id"]), row["note"] or "") for row in rows)

    def noted_pairs(self, notes: Mapping[int, str]) -> tuple[Example, ...]:
        """Examples of pairs with what is known about each; the first by pair are shown."""
        first = sorted(notes)[:EXAMPLES]
        noted = pa.table(
            {"pair": pa.array(first, pa.int64()), "note": pa.array([notes[one] for one in first], pa.string())}
        )
        return self.pair_examples("SELECT pair, note FROM noted", noted=noted)

    def fragment_examples(self, select: str, limit: int = EXAMPLES, **extra: TableLike) -> tuple[Example, ...]:
        """Examples of fragments: like `pair_examples`, for a SELECT that returns `fragment` and `note`."""
        rows = self.rows(
            f"""
            WITH chosen AS (SELECT fragment, note FROM ({select}) cases ORDER BY fragment LIMIT {limit})
            SELECT f.id AS id, c.note AS note FROM chosen c JOIN fragments f ON c.fragment = f.fragment
            ORDER BY c.fragment
            """,
            **extra,
        )
        return tuple(Example((row["id"],), row["note"] or "") for row in rows)
