"""Policies: what is concluded from judgements, by one SQL text each, and materialised as a table.

Where SQL cannot conclude, it hands the voices to a function of Python.

A judge that speaks twice on one subject under one criterion has changed its mind: the latest judgement counts
(the greatest `time`; one without a time is earlier than one with; then the later arrival, by `sequence`).
Judges who came to a word together are one judge more, whose settings name them under `speaks_for`: where it speaks, it
takes the place of theirs, so that nobody has two voices.
Criteria are never mixed: a policy reads the judgements under one criterion and no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Card, JudgeKind, Subject, VerdictValue
from clonetruth.registry import Registry
from clonetruth.store import Benchmark, hash_json
from clonetruth.verdicts.policy_sql import MEMBERS_SQL, VOTES_SQL

EVIDENCE = (JudgeKind.PERSON, JudgeKind.LLM, JudgeKind.EXECUTION)
"""The kinds of judge whose word is evidence. A rule's claim is not, nor is a tool's."""

_SETTLING = ("adjudicator", "owner")
"""Roles in a study whose word settles what others left open."""


@dataclass(frozen=True)
class Policy:
    """A named way from judgements to verdicts.

    Attributes:
        name: how it is asked for.
        description: what it concludes, in a sentence.
        sql: the SELECT that gives the columns of `verdicts`. Beside the benchmark's tables it may read
            `asked` (`criterion`), `counted` (`kind`), `joint` (`judge`, `member`: whom it speaks for), `adjudicators`
            (`judge`) and `card` (`problems_disjoint`): what a caller asks for comes in as rows, never as text.
        counted: the kinds of judge that count.
        conclude: what makes the columns of `verdicts` of the SELECT's result, where SQL alone cannot.
        criterion: the only criterion that it reads; None for the one that is asked for, on pairs.
        assumptions: what a reader of its numbers must be told.
        assumptions_if_disjoint: the same, where the card states that problems are disjoint.
    """

    name: str
    description: str
    sql: str
    counted: tuple[JudgeKind, ...]
    conclude: Callable[[pa.Table], pa.Table] | None = None
    criterion: str | None = None
    assumptions: tuple[str, ...] = ()
    assumptions_if_disjoint: tuple[str, ...] = ()

    def assumptions_for(self, card: Card) -> tuple[str, ...]:
        """What must be printed beside a number that rests on this policy and this card."""
        return self.assumptions + (self.assumptions_if_disjoint if card.problems_disjoint else ())


DEFAULT = Policy(
    name="default",
    description="The majority of people, LLMs and executions that decide on the pair; a tie is unknown.",
    sql=VOTES_SQL,
    counted=EVIDENCE,
)

MEMBERS = Policy(
    name="members",
    description="Two fragments that evidence says implement the same functionality are clones.",
    sql=MEMBERS_SQL,
    counted=EVIDENCE,
    criterion="implements-functionality",
    assumptions=("Two fragments that implement the same functionality as their main purpose are clones.",),
    assumptions_if_disjoint=(
        "Members of different functionalities are no clones: the source's card calls them disjoint.",
    ),
)

ORIGIN = Policy(
    name="origin",
    description="Believes the dataset: the labels that its own rule made, and nothing else.",
    sql=VOTES_SQL,
    counted=(JudgeKind.RULE,),
    assumptions=("The dataset's own labels are believed without evidence.",),
)

POLICIES: Registry[Policy] = Registry(
    "policy",
    {
        "default": "clonetruth.verdicts.policies:DEFAULT",
        "members": "clonetruth.verdicts.policies:MEMBERS",
        "origin": "clonetruth.verdicts.policies:ORIGIN",
        "majority": "clonetruth.verdicts.consensus:MAJORITY",
        "unanimous": "clonetruth.verdicts.consensus:UNANIMOUS",
        "adjudicated": "clonetruth.verdicts.consensus:ADJUDICATED",
        "experts-then-llm": "clonetruth.verdicts.consensus:EXPERTS_THEN_LLM",
        "dawid-skene": "clonetruth.verdicts.consensus:DAWID_SKENE",
    },
    group="clonetruth.policies",
)


@dataclass(frozen=True)
class VerdictTable:
    """Materialised verdicts, one for each pair.

    Attributes:
        benchmark: the benchmark that they are about.
        policy: the policy's name.
        criterion: the criterion whose judgements it read.
        digest: identifies policy, criterion, content and judgements; part of the file's name.
        path: the Parquet file.
        counts: how many pairs have each verdict.
        assumptions: what must be printed beside a number that rests on it.
    """

    benchmark: Benchmark = field(repr=False)

    policy: str
    criterion: str
    digest: str
    path: Path
    counts: Mapping[VerdictValue, int]
    assumptions: tuple[str, ...]

    @property
    def table(self) -> pa.Table:
        """The rows, with the columns of `verdicts`, read from the file."""
        return self.benchmark.verdicts(self.policy, self.digest)


def judge_verdicts(benchmark: Benchmark, policy: str = "default", criterion: str | None = None) -> VerdictTable:
    """The verdicts of a policy under a criterion, computed once for a state of the judgements.

    Args:
        benchmark: the benchmark.
        policy: a name in `POLICIES`.
        criterion: what was asked of the judges; unless told, the policy's only criterion, or the card's.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the criterion is unknown, cannot be read by the policy, or has no judgements; the hint
            says which have.
    """
    rules = POLICIES[policy]
    asked = _criterion(benchmark, rules, criterion)
    snapshot = benchmark.judgements_hash
    digest = hash_json(
        {
            "policy": rules.name,
            "sql": rules.sql,
            "counted": list(rules.counted),
            "criterion": asked,
            "content": benchmark.content_hash,
            "judgements": snapshot,
            **({} if rules.conclude is None else {"conclude": rules.conclude.__qualname__}),
        }
    )[:16]
    name = f"{rules.name}-{digest}"
    if name not in benchmark.names("verdicts"):
        recorded = {"policy": rules.name, "criterion": asked, "judgements_hash": snapshot}
        inputs = policy_inputs(rules, asked, benchmark.table("judges"), disjoint=benchmark.card.problems_disjoint)
        # Another process may have come to the same rows meanwhile.
        if rules.conclude is None:
            benchmark.write_query("verdicts", name, rules.sql, recorded, replace=True, **inputs)
        else:
            found = rules.conclude(benchmark.sql(rules.sql, **inputs))
            benchmark.write_table("verdicts", name, found, recorded, replace=True)
    path = benchmark.parquet(f"verdicts/{name}")[0]
    tally = benchmark.sql("SELECT verdict, count(*) AS pairs FROM found GROUP BY verdict", found=path).to_pylist()
    counts = {row["verdict"]: row["pairs"] for row in tally}
    return VerdictTable(
        benchmark=benchmark,
        policy=rules.name,
        criterion=asked,
        digest=digest,
        path=path,
        counts={value: counts.get(value, 0) for value in VerdictValue},
        assumptions=rules.assumptions_for(benchmark.card),
    )


def policy_inputs(policy: Policy, criterion: str, judges: pa.Table, *, disjoint: bool = False) -> dict[str, pa.Table]:
    """What a policy's SQL reads beside the tables of a benchmark or study; see `Policy.sql`.

    Args:
        policy: the policy.
        criterion: the criterion that is asked for.
        judges: the judges, as `docs/schema.md` has them.
        disjoint: whether different functionalities exclude each other.
    """
    settings = _settings(judges)
    joint = [(judge, member) for judge, said in settings.items() for member in said.get("speaks_for", ())]
    return {
        "asked": pa.table({"criterion": pa.array([criterion], pa.string())}),
        "counted": pa.table({"kind": pa.array([str(kind) for kind in policy.counted], pa.string())}),
        "joint": pa.table(
            {
                "judge": pa.array([judge for judge, _ in joint], pa.string()),
                "member": pa.array([member for _, member in joint], pa.string()),
            }
        ),
        "adjudicators": pa.table({"judge": pa.array(settling_judges(judges), pa.string())}),
        "card": pa.table({"problems_disjoint": [disjoint]}),
    }


def settling_judges(judges: pa.Table) -> list[str]:
    """The judges whose word settles what others left open: adjudicators, and those who speak for others."""
    return [
        judge for judge, said in _settings(judges).items() if said.get("speaks_for") or said.get("role") in _SETTLING
    ]


def _settings(judges: pa.Table) -> dict[str, dict[str, Any]]:
    return {row["judge"]: json.loads(row["settings"]) for row in judges.select(["judge", "settings"]).to_pylist()}


def _criterion(benchmark: Benchmark, policy: Policy, asked: str | None) -> str:
    spoken = benchmark.sql("SELECT DISTINCT criterion FROM judgements ORDER BY criterion")["criterion"].to_pylist()
    there = ", ".join(name for name in spoken if _reads(policy, name)) or "none"
    hint = f"Criteria with judgements that the policy '{policy.name}' can read: {there}."
    name = asked or policy.criterion or benchmark.card.criterion
    if name not in CRITERIA:
        raise InputError(f"There is no criterion '{name}'.", hint=hint)
    if not _reads(policy, name):
        raise InputError(f"The policy '{policy.name}' cannot read the criterion '{name}'.", hint=hint)
    if name not in spoken:
        raise InputError(
            f"The benchmark has no judgements under the criterion '{name}'.", where=benchmark.path, hint=hint
        )
    return name


def _reads(policy: Policy, criterion: str) -> bool:
    return criterion == policy.criterion if policy.criterion else CRITERIA[criterion].subject is Subject.PAIR
