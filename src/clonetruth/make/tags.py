"""Tags: what the judges of a candidate say together, by BigCloneBench's question and by ours.

BigCloneBench asks whether a function contains the functionality, as its purpose or among other things; we ask whether
it is the function's main purpose. Each is decided by the majority of the judges who answered it; a tie is undecided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.errors import InputError
from clonetruth.make.candidate_search import FOUND_BY_HEURISTIC, FOUND_OUTSIDE
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import JudgeKind, MemberValue, Role
from clonetruth.store import Benchmark, open_benchmark

TAGS = pa.schema(
    [
        pa.field("fragment", pa.string(), nullable=False),
        pa.field("functionality", pa.string(), nullable=False),
        pa.field("found_by", pa.string(), nullable=False),
        pa.field("judges", pa.int32(), nullable=False),
        pa.field("contains", pa.string(), nullable=False),
        pa.field("contains_agreeing", pa.int32(), nullable=False),
        pa.field("main_purpose", pa.string(), nullable=False),
        pa.field("main_purpose_agreeing", pa.int32(), nullable=False),
    ]
)

_VOTES = """
SELECT x.id AS fragment, u.id AS functionality, g.judge AS judge, j.kind AS kind, g.value AS value
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN fragments x ON g.fragment = x.fragment
JOIN functionalities u ON g.functionality = u.functionality
WHERE g.criterion = 'implements-functionality'
ORDER BY g.sequence
"""
_MEMBERS = """
SELECT x.id AS fragment, u.id AS functionality
FROM memberships m
JOIN fragments x ON m.fragment = x.fragment
JOIN functionalities u ON m.functionality = u.functionality
WHERE m.role = 'undecided'
ORDER BY u.functionality, x.fragment
"""
_FOUND = """
SELECT c.functionality AS functionality, f.id AS fragment, min(c.found_by) AS found_by
FROM found c
JOIN functions f ON c.function = f.function
GROUP BY c.functionality, f.id
ORDER BY c.functionality, f.id
"""

_CONTAINS = (MemberValue.MAJOR, MemberValue.MINOR)
_MAIN = (MemberValue.MAJOR,)


@dataclass(frozen=True)
class TagsOptions:
    """The keys of the stage.

    Attributes:
        kinds: the kinds of judge whose tags count. A rule's tag is a claim; name `rule` to count it.
    """

    kinds: tuple[str, ...] = ("person", "llm", "execution")


@dataclass(frozen=True)
class MergedTag:
    """What the judges of a candidate say together.

    Attributes:
        role: true, false or undecided.
        judges: how many decided.
        agreeing: how many of them agree with the role.
    """

    role: Role
    judges: int
    agreeing: int


def merge_votes(values: Sequence[str], positive: Collection[str]) -> MergedTag:
    """The majority of the judges who decided; a tie, or none, is undecided."""
    decided = [value for value in values if value != MemberValue.UNDECIDED]
    true = sum(value in positive for value in decided)
    false = len(decided) - true
    if true == false:
        return MergedTag(Role.UNDECIDED, len(decided), true)
    role = Role.TAGGED_TRUE if true > false else Role.TAGGED_FALSE
    return MergedTag(role, len(decided), max(true, false))


def latest_votes(benchmark: Benchmark, kinds: Collection[str]) -> dict[tuple[str, str], list[str]]:
    """The latest answer of each judge on each fragment in a functionality."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in benchmark.sql(_VOTES).to_pylist():
        if row["kind"] in kinds:
            found[row["fragment"], row["functionality"]][row["judge"]] = row["value"]
    return {subject: list(votes.values()) for subject, votes in found.items()}


def _row(member: Mapping[str, Any], found_by: str, values: Sequence[str]) -> dict[str, Any]:
    contains, main = merge_votes(values, _CONTAINS), merge_votes(values, _MAIN)
    return {
        "fragment": member["fragment"],
        "functionality": member["functionality"],
        "found_by": found_by,
        "judges": contains.judges,
        "contains": str(contains.role),
        "contains_agreeing": contains.agreeing,
        "main_purpose": str(main.role),
        "main_purpose_agreeing": main.agreeing,
    }


def _run(work: StageWork) -> StageOutcome:
    options: TagsOptions = work.options
    benchmark = open_benchmark(work.artefact("candidates"))
    votes = latest_votes(benchmark, options.kinds)
    tables = {"found": work.artefact("found"), "functions": work.artefact("functions")}
    origin = {
        (row["fragment"], row["functionality"]): row["found_by"] for row in work.engine.sql(_FOUND, tables).to_pylist()
    }
    rows = [
        _row(one, origin[subject], votes.get(subject, []))
        for one in benchmark.sql(_MEMBERS).to_pylist()
        for subject in ((one["fragment"], one["functionality"]),)
    ]
    write_parquet(pa.Table.from_pylist(rows, schema=TAGS), work.output / "tags")
    judged = Counter(row["judges"] for row in rows)
    return StageOutcome(
        taken={"candidates": len(rows)},
        given={
            "contain it": _count(rows, "contains", Role.TAGGED_TRUE),
            "main purpose": _count(rows, "main_purpose", Role.TAGGED_TRUE),
            "do not contain it": _count(rows, "contains", Role.TAGGED_FALSE),
        },
        left_out={"undecided": _count(rows, "contains", Role.UNDECIDED)},
        details={
            "candidates by number of judges": {str(number): judged[number] for number in sorted(judged)},
            "functionalities": {
                name: _table([row for row in rows if row["functionality"] == name])
                for name in sorted({row["functionality"] for row in rows})
            },
        },
    )


def _table(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {
        f"{found_by}, {role}": sum(row["found_by"] == found_by and row["contains"] == role for row in rows)
        for found_by in (FOUND_BY_HEURISTIC, FOUND_OUTSIDE)
        for role in (Role.TAGGED_TRUE, Role.TAGGED_FALSE, Role.UNDECIDED)
    }


def _count(rows: Sequence[Mapping[str, Any]], column: str, role: Role) -> int:
    return sum(row[column] == role for row in rows)


def _check(options: TagsOptions) -> None:
    if unknown := [one for one in options.kinds if one not in list(JudgeKind)]:
        raise InputError(f"There is no kind of judge '{unknown[0]}'.", hint=f"Known: {', '.join(JudgeKind)}.")


STAGE = Stage(
    name="tags",
    description="Merge the judges' tags of each candidate: majority, ties undecided.",
    options=TagsOptions,
    run=_run,
    reads=("candidates", "found", "functions"),
    writes=("tags",),
    check=_check,
)
