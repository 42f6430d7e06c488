"""The latest judgement of each judge on each subject, in a benchmark or a study, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import MemberValue, PairValue, RatingValue
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.schemas import FIRST_APPENDED
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.verdicts.policies import EVIDENCE, POLICIES, policy_inputs
from clonetruth.verdicts.policy_sql import standing_sql

_OF_ASKED_AND_COUNTED = "JOIN asked a ON g.criterion = a.criterion JOIN counted c ON j.kind = c.kind"

LATEST_JUDGEMENTS_SQL = f"""
SELECT pair, fragment, functionality, judge, kind, value
FROM ({standing_sql(("pair", "fragment", "functionality"), join=_OF_ASKED_AND_COUNTED)}
) answers
WHERE contradicts = 0
ORDER BY pair, fragment, functionality, judge
"""
"""The latest judgement of each judge on each subject under the asked criterion, of the kinds that count.

A judge who contradicts itself on a subject has not answered.
"""

_CRITERIA_SQL = """
SELECT DISTINCT g.criterion AS criterion
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN counted c ON j.kind = c.kind
ORDER BY criterion
"""

_JUDGED_PAIRS_SQL = """
SELECT DISTINCT g.pair AS pair
FROM judgements g
JOIN named n ON g.judge = n.judge
WHERE g.pair IS NOT NULL
"""

_CLONE = (PairValue.CLONE, RatingValue.AGREE)
_UNDECIDED = (PairValue.UNDECIDED, RatingValue.CONDITIONALLY)
_EVIDENCE = pa.table({"kind": pa.array([str(kind) for kind in EVIDENCE], pa.string())})


@dataclass(frozen=True, eq=False)
class LatestJudgements:
    """The latest judgements of all judges under one criterion.

    Attributes:
        criterion: what they were asked.
        subjects: number of subjects: all of a study, or those with a judgement in a benchmark.
        rows: `subject` (numbered from 0; in a study, the study's own number), `judge`, `kind` and `value`.
        judges: all judges, with the columns of `docs/schema.md`.
        pairs: the pair of each subject, in a benchmark; null for a fragment. None in a study.
    """

    criterion: str
    subjects: int
    rows: pa.Table
    judges: pa.Table
    pairs: pa.Array | None = None

    def as_pairs(self, positive: Sequence[str] = (MemberValue.MAJOR,)) -> LatestJudgements:
        """All answers as `clone`, `not-clone` or `undecided`.

        A method whose main purpose is the functionality counts as `clone`, any other as `not-clone`. For ratings of an
        aspect, agreement counts as `clone`, disagreement as `not-clone`, and a condition as `undecided`.

        Args:
            positive: the labels of a method that count as `clone`.
        """
        values, clones = self.rows["value"], [*_CLONE, *map(str, positive)]
        clone, undecided = (pc.is_in(values, value_set=pa.array(words, pa.string())) for words in (clones, _UNDECIDED))
        other = pc.if_else(undecided, str(PairValue.UNDECIDED), str(PairValue.NOT_CLONE))
        answers = pc.if_else(clone, str(PairValue.CLONE), other)
        return replace(self, rows=self.rows.set_column(self.rows.schema.get_field_index("value"), "value", answers))


def latest_benchmark_judgements(benchmark: Benchmark, criterion: str, of: str | None = None) -> LatestJudgements:
    """The latest judgements of people, LLMs and executions in a benchmark under a criterion.

    Args:
        benchmark: the benchmark.
        criterion: what they were asked.
        of: the id of a judge, such as a tool: only the pairs that it judged.
    """
    found = benchmark.sql(LATEST_JUDGEMENTS_SQL, asked=_asked(criterion), counted=_EVIDENCE)
    if of is not None:
        judged = benchmark.sql(_JUDGED_PAIRS_SQL, named=pa.table({"judge": pa.array([of], pa.string())}))["pair"]
        found = found.filter(pc.is_in(found["pair"], value_set=judged.combine_chunks()))
    changes = np.zeros(found.num_rows, np.int64)
    # Rows of one subject are adjacent: a new key starts a new subject.
    for name in ("pair", "fragment", "functionality"):
        keys = found[name].fill_null(-1).to_numpy()
        changes[1:] |= keys[1:] != keys[:-1]
    numbers = np.cumsum(changes)
    rows = found.select(["judge", "kind", "value"]).add_column(0, "subject", pa.array(numbers))
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    pairs = found["pair"].combine_chunks().take(pa.array(first))
    return LatestJudgements(criterion, len(first), rows, benchmark.table("judges"), pairs)


def latest_study_judgements(
    study: Study, judges: pa.Table, judgements: pa.Table, kind: SubjectKind
) -> LatestJudgements:
    """The latest judgements of a study, on its pairs or on its methods.

    Args:
        study: the study.
        judges: all judges of the study; see `read_study_judgements`.
        judgements: all judgements of the study.
        kind: the kind of subject.
    """
    criterion = study.plan.criterion if kind is SubjectKind.PAIR else METHOD_CRITERION
    chosen = judgements.filter(pc.equal(judgements["subject_kind"], str(kind)))
    missing = pa.nulls(chosen.num_rows, pa.int64())
    table = pa.table(
        {
            **{name: chosen[name] for name in ("judge", "criterion", "value", "time")},
            # Votes arrive one by one: their numbers, from 1, are an order.
            "sequence": pc.add(chosen["sequence"], FIRST_APPENDED),
            "pair": chosen["subject"],
            "fragment": missing,
            "functionality": missing,
        }
    )
    tables = {"judgements": table, "judges": judges, "asked": _asked(criterion), "counted": _EVIDENCE}
    found = DuckDBEngine().sql(LATEST_JUDGEMENTS_SQL, tables)
    count = study.subjects.num_rows if kind is SubjectKind.PAIR else study.methods.num_rows
    rows = found.select(["pair", "judge", "kind", "value"]).rename_columns(["subject", "judge", "kind", "value"])
    return LatestJudgements(criterion, count, rows, judges)


def asked_criteria(benchmark: Benchmark) -> list[str]:
    """The criteria under which people, LLMs or executions have judged in a benchmark."""
    found: list[str] = benchmark.sql(_CRITERIA_SQL, counted=_EVIDENCE)["criterion"].to_pylist()
    return found


def conclude_verdicts(judgements: LatestJudgements, policy: str) -> pa.Table:
    """The verdicts of a policy on judged subjects: the columns of `verdicts`, with the subject number as `pair`.

    Judgements on methods must be converted with `LatestJudgements.as_pairs` first.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the policy needs more than judgements on the subjects themselves.
    """
    chosen = POLICIES[policy]
    if chosen.criterion is not None:
        raise InputError(f"The policy '{policy}' cannot conclude from judgements on the subjects alone.")
    rows, count = judgements.rows, judgements.rows.num_rows
    subjects = pa.array(range(judgements.subjects), pa.int64())
    tables = {
        "pairs": pa.table(
            {"pair": subjects, "pair_key": subjects, "functionality": pa.nulls(len(subjects), pa.int64())}
        ),
        "judges": judgements.judges,
        "judgements": pa.table(
            {
                "judge": rows["judge"],
                "criterion": pa.array([judgements.criterion] * count, pa.string()),
                "value": rows["value"],
                "pair": rows["subject"],
                "time": pa.nulls(count, pa.timestamp("us", tz="UTC")),
                "sequence": pa.array([0] * count, pa.int64()),
            }
        ),
        **policy_inputs(chosen, judgements.criterion, judgements.judges),
    }
    found = DuckDBEngine().sql(chosen.sql, tables)
    return found if chosen.conclude is None else chosen.conclude(found)


def _asked(criterion: str) -> pa.Table:
    return pa.table({"criterion": pa.array([criterion], pa.string())})
