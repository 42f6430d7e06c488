"""Voices: what each judge says now, of pairs or of methods, in a benchmark or in a study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, MemberValue, PairValue, Subject
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.truth.policies import EVIDENCE, POLICIES, Policy, policy_inputs

VOICES_SQL = """
WITH ranked AS (
    SELECT g.judge AS judge, j.kind AS kind, g.value AS value, g.pair AS pair, g.fragment AS fragment,
        g.functionality AS functionality,
        row_number() OVER (
            PARTITION BY g.judge, g.pair, g.fragment, g.functionality
            ORDER BY CASE WHEN g.time IS NULL THEN 1 ELSE 0 END, g.time DESC, g.sequence DESC, g.value
        ) AS place
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN judges j ON g.judge = j.judge
    JOIN counted c ON j.kind = c.kind
)
SELECT pair, fragment, functionality, judge, kind, value
FROM ranked
WHERE place = 1
ORDER BY pair, fragment, functionality, judge
"""
"""The latest judgement of each judge on each subject under the asked criterion, of the kinds that count."""

_CRITERIA_SQL = """
SELECT DISTINCT g.criterion AS criterion
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN counted c ON j.kind = c.kind
ORDER BY criterion
"""


@dataclass(frozen=True, eq=False)
class Voices:
    """What judges say now.

    Attributes:
        criterion: what they were asked.
        subjects: the subjects, each once: of a study all, by their number (`pair`); of a benchmark those that somebody
            speaks of, by the key of the pair (`pair`) or by `fragment` and `functionality`.
        rows: `subject` (the row in `subjects`), `judge`, `kind` and `value`.
        judges: all judges, as `docs/schema.md` has them.
    """

    criterion: str
    subjects: pa.Table
    rows: pa.Table
    judges: pa.Table

    def adjudicators(self) -> set[str]:
        """The judges whose word settles what others left open."""
        found = policy_inputs(POLICIES["default"], self.criterion, self.judges)["adjudicators"]
        return set(found["judge"].to_pylist())

    def as_pairs(self) -> Voices:
        """Labels of methods as answers on pairs: a method with the functionality as its main purpose is a `clone` of
        it, every other one is not; undecided stays."""
        if CRITERIA[self.criterion].subject is Subject.PAIR:
            return self
        values = self.rows["value"]
        major, undecided = (pc.equal(values, str(one)) for one in (MemberValue.MAJOR, MemberValue.UNDECIDED))
        other = pc.if_else(undecided, str(PairValue.UNDECIDED), str(PairValue.NOT_CLONE))
        answers = pc.if_else(major, str(PairValue.CLONE), other)
        column = self.rows.schema.get_field_index("value")
        return Voices(self.criterion, self.subjects, self.rows.set_column(column, "value", answers), self.judges)


def voices_of_benchmark(benchmark: Benchmark, criterion: str) -> Voices:
    """What people, LLMs and executions say in a benchmark under a criterion."""
    judges = benchmark.table("judges")
    found = benchmark.sql(VOICES_SQL, **_asked(criterion))
    return _voices(criterion, found, judges)


def voices_of_study(study: Study, judges: pa.Table, judgements: pa.Table, kind: SubjectKind) -> Voices:
    """What judges say in a study, of its pairs or of its methods.

    Args:
        study: the study.
        judges: all judges of the study, see `read_study_judgements`.
        judgements: all judgements of the study.
        kind: of which subjects.
    """
    criterion = study.plan.criterion if kind is SubjectKind.PAIR else METHOD_CRITERION
    chosen = judgements.filter(pc.equal(judgements["subject_kind"], str(kind)))
    nothing = pa.nulls(chosen.num_rows, pa.int64())
    table = pa.table(
        {
            **{name: chosen[name] for name in ("judge", "criterion", "value", "time", "sequence")},
            "pair": chosen["subject"],
            "fragment": nothing,
            "functionality": nothing,
        }
    )
    found = DuckDBEngine().sql(VOICES_SQL, {"judgements": table, "judges": judges, **_asked(criterion)})
    count = study.subjects.num_rows if kind is SubjectKind.PAIR else study.methods.num_rows
    rows = found.select(["pair", "judge", "kind", "value"]).rename_columns(["subject", "judge", "kind", "value"])
    return Voices(criterion, pa.table({"pair": pa.array(range(count), pa.int64())}), rows, judges)


def asked_criteria(benchmark: Benchmark) -> list[str]:
    """The criteria under which people, LLMs or executions speak in a benchmark."""
    found: list[str] = benchmark.sql(_CRITERIA_SQL, counted=_asked("")["counted"])["criterion"].to_pylist()
    return found


def conclude(voices: Voices, policy: str) -> pa.Table:
    """The verdicts of a policy on the subjects of voices: the columns of `verdicts`, with the row in `subjects` as
    `pair`.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the policy reads more than what judges say of the subjects themselves.
    """
    rules: Policy = POLICIES[policy]
    if rules.criterion is not None:
        raise InputError(f"The policy '{policy}' cannot conclude from judgements on the subjects alone.")
    rows = voices.as_pairs().rows
    count = rows.num_rows
    tables = {
        "pairs": pa.table({"pair": pa.array(range(voices.subjects.num_rows), pa.int64())}),
        "judges": voices.judges,
        "judgements": pa.table(
            {
                "judge": rows["judge"],
                "criterion": pa.array([voices.criterion] * count, pa.string()),
                "value": rows["value"],
                "pair": rows["subject"],
                "time": pa.nulls(count, pa.timestamp("us", tz="UTC")),
                "sequence": pa.array(range(count), pa.int64()),
            }
        ),
        **policy_inputs(rules, voices.criterion, voices.judges),
    }
    found = DuckDBEngine().sql(rules.sql, tables)
    return found if rules.conclude is None else rules.conclude(found)


def _asked(criterion: str) -> dict[str, pa.Table]:
    kinds: tuple[JudgeKind, ...] = EVIDENCE
    return {
        "asked": pa.table({"criterion": pa.array([criterion], pa.string())}),
        "counted": pa.table({"kind": pa.array([str(kind) for kind in kinds], pa.string())}),
    }


def _voices(criterion: str, found: pa.Table, judges: pa.Table) -> Voices:
    """Number the subjects in their order; rows of one subject stand together."""
    keys = ["pair", "fragment", "functionality"]
    numbers = np.zeros(found.num_rows, np.int64)
    for name in keys:
        column = found[name].fill_null(-1).to_numpy()
        numbers[1:] |= column[1:] != column[:-1]
    subject = np.cumsum(numbers)
    first = np.flatnonzero(np.diff(subject, prepend=-1))
    rows = found.select(["judge", "kind", "value"]).add_column(0, "subject", pa.array(subject))
    return Voices(criterion, found.select(keys).take(first), rows, judges)
