"""Policies: what is concluded from judgements, each by one SQL text, and materialised as a table.

Where SQL cannot conclude, it hands the latest judgements to a Python function.

If a judge answers twice on one subject under one criterion, the latest judgement counts (the greatest `time`; one
without a time is earlier than one with; then the later arrival, by `sequence`). Answers that arrive together have no
order: if they differ, the judge contradicts itself, and has decided nothing. Judges who agreed on an answer together
are represented by a consensus judge, whose settings name its members under `speaks_for`: its judgement replaces theirs,
so that nobody counts twice.
Criteria are never mixed: a policy reads the judgements under one criterion and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import ATTACHED_RULE, CRITERIA, Card, JudgeKind, Subject, VerdictValue
from clonetruth.options import verb
from clonetruth.options.benchmark import VerdictsOptions
from clonetruth.parsing import parse_json
from clonetruth.registry import Registry
from clonetruth.store import Benchmark, hash_json, open_benchmark
from clonetruth.verdicts.code_digest import code_digest
from clonetruth.verdicts.policy_sql import MEMBERS_SQL, SINGLE_MEMBERS_SQL, VOTES_SQL

if TYPE_CHECKING:
    from clonetruth.execution import DifferencePolicy

EVIDENCE: tuple[JudgeKind, ...] = (JudgeKind.PERSON, JudgeKind.LLM, JudgeKind.EXECUTION)
"""The kinds of judge whose judgements are evidence. A rule's claim is not, nor is a tool's."""

_DECIDING_ROLES = ("adjudicator", "owner")
"""Roles in a study that decide where judges differ."""


@dataclass(frozen=True)
class Policy:
    """A named way from judgements to verdicts.

    Attributes:
        name: its name in `POLICIES`.
        description: what it concludes, in a sentence.
        sql: the SELECT that yields the columns of `verdicts`. In addition to the benchmark's tables it may read
            `asked` (`criterion`), `counted` (`kind`), `joint` (`judge`, `member`: the members of a consensus judge),
            `adjudicators` (`judge`), `teams` (`judge`, `team`: the judges of a study who judged in groups) and `card`
            (`problems_disjoint`): parameters arrive as rows, never as text.
        counted: the kinds of judge that count.
        conclude: turns the result of the SELECT into the columns of `verdicts`, where SQL alone cannot.
        members: the SELECT for `fragment` and `functionality`, where verdicts follow from what each fragment
            implements: pairs that no table lists then have verdicts too. It may read the same tables, except `pairs`.
        criterion: the only criterion that it reads; None for any criterion on pairs.
        rules: what makes an executed pair a clone or not; None for the default, under which it was judged.
        assumptions: what must be stated next to its numbers.
        assumptions_if_disjoint: the same, if the card states that problems are disjoint.
    """

    name: str
    description: str
    sql: str
    counted: tuple[JudgeKind, ...]
    conclude: Callable[[pa.Table], pa.Table] | None = None
    members: str | None = None
    criterion: str | None = None
    rules: DifferencePolicy | None = None
    assumptions: tuple[str, ...] = ()
    assumptions_if_disjoint: tuple[str, ...] = ()

    def assumptions_for(self, card: Card) -> tuple[str, ...]:
        """What must be printed next to a number that rests on this policy and this card."""
        return self.assumptions + (self.assumptions_if_disjoint if card.problems_disjoint else ())


DEFAULT = Policy(
    name="default",
    description="The majority of people, LLMs and executions that decide on the pair; a tie is unknown.",
    sql=VOTES_SQL,
    counted=EVIDENCE,
)

MEMBERS = Policy(
    name="members",
    description="Two fragments that, by the evidence, implement the same functionality are clones.",
    sql=MEMBERS_SQL,
    counted=EVIDENCE,
    members=SINGLE_MEMBERS_SQL,
    criterion="implements-functionality",
    assumptions=("Two fragments that implement the same functionality as their main purpose are clones.",),
    assumptions_if_disjoint=(
        "Members of different functionalities are not clones: the source's card calls them disjoint.",
    ),
)

ORIGIN = Policy(
    name="origin",
    description="Believes the dataset: the labels of its own rule, and nothing else.",
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
    of=Policy,
)


def find_policy(text: str) -> Policy:
    """The policy of a name, with its rules for executed pairs if it has any: `default:runs=50,count=value+output`.

    Raises:
        UnknownNameError: there is no such policy or rule.
        InputError: the rules are not valid, or the policy does not read judgements on pairs.
    """
    name, colon, rules = text.partition(":")
    policy = POLICIES[name]
    if not colon:
        return policy
    if policy.criterion is not None or JudgeKind.EXECUTION not in policy.counted:
        raise InputError(f"The policy '{name}' does not read judgements on executed pairs.", where=text)
    from clonetruth.verdicts.executed import parse_rules, rules_text

    parsed = parse_rules(rules)
    return replace(policy, name=text, rules=parsed, assumptions=(*policy.assumptions, rules_text(parsed)))


@dataclass(frozen=True)
class VerdictTable:
    """Materialised verdicts, one per pair.

    Attributes:
        benchmark: the benchmark.
        policy: the policy's name, with its rules for executed pairs if it has any.
        criterion: the criterion whose judgements it read.
        digest: identifies the policy with its code and parameters, the criterion, the content and the judgements; part
            of the file name.
        path: the Parquet file.
        counts: number of pairs with each verdict.
        assumptions: what must be printed next to a number that rests on it.
    """

    benchmark: Benchmark = field(repr=False)
    policy: str
    criterion: str
    digest: str
    path: Path
    counts: Mapping[VerdictValue, int]
    assumptions: tuple[str, ...]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {value}" for value, count in self.counts.items())
        return (
            f"<VerdictTable of {self._benchmark_name()}: {counts} (policy {self.policy}, criterion {self.criterion})>"
        )

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        total = sum(self.counts.values())
        rows = [(value.value, count, count / total if total else None) for value, count in self.counts.items()]
        return notebook.view(
            "Verdicts",
            notebook.facts({"policy": self.policy, "criterion": self.criterion, "pairs": f"{total:,}"}),
            notebook.table([Column("verdict"), Column("pairs", "count"), Column("share", "percent", 1)], rows),
            *self.assumptions,
            subtitle=self._benchmark_name(),
        )

    def _benchmark_name(self) -> str:
        return f"{self.benchmark.card.name} {self.benchmark.card.version}"

    @property
    def name(self) -> str:
        """The name of the stored table."""
        return self.path.stem

    @property
    def table(self) -> pa.Table:
        """The rows, with the columns of `verdicts`, read from the file."""
        return self.benchmark.table(f"verdicts/{self.name}")


@verb(VerdictsOptions)
def judge_verdicts(options: VerdictsOptions) -> VerdictTable:
    """Conclude verdicts from the judgements by a policy, and store them in the benchmark.

    In the default policy a dataset's own rule is a claim, not evidence: pairs that only a rule has judged are unknown.
    The verdicts are computed once for each state of the judgements.

    Returns:
        The verdicts: counts, assumptions, and the table.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the criterion is unknown, does not fit the policy, or has no judgements; the hint lists those
            that have.

    Example:
        >>> import clonetruth
        >>> clonetruth.judge_verdicts("my-benchmark", "default").counts["clone"]
        509
    """
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    chosen = find_policy(options.policy)
    asked = _criterion(benchmark, chosen, options.criterion)
    snapshot = benchmark.judgements_hash
    inputs = policy_inputs(chosen, asked, benchmark.table("judges"), disjoint=benchmark.card.problems_disjoint)
    identity: dict[str, Any] = {
        "policy": chosen.name,
        "sql": chosen.sql,
        "inputs": {name: table.to_pylist() for name, table in inputs.items()},
        "conclude": None if chosen.conclude is None else code_digest(chosen.conclude),
        "content": benchmark.content_hash,
        "judgements": snapshot,
    }
    if chosen.rules is not None:
        from clonetruth.verdicts.executed import judgements_under

        inputs["judgements"], identity["executed"] = judgements_under(benchmark, asked, chosen.rules)
    digest = hash_json(identity)[:16]
    name = f"{chosen.name.partition(':')[0]}-{digest}"
    if name not in benchmark.names("verdicts"):
        recorded = {"policy": chosen.name, "criterion": asked, "judgements_hash": snapshot}
        # Another process may have written the same rows meanwhile.
        if chosen.conclude is None:
            benchmark.write_query("verdicts", name, chosen.sql, recorded, replace=True, **inputs)
        else:
            concluded = chosen.conclude(benchmark.sql(chosen.sql, **inputs))
            benchmark.write_table("verdicts", name, concluded, recorded, replace=True)
    path = benchmark.parquet(f"verdicts/{name}")[0]
    rows = benchmark.sql("SELECT verdict, count(*) AS pairs FROM stored GROUP BY verdict", stored=path).to_pylist()
    counts = {row["verdict"]: row["pairs"] for row in rows}
    return VerdictTable(
        benchmark=benchmark,
        policy=chosen.name,
        criterion=asked,
        digest=digest,
        path=path,
        counts={value: counts.get(value, 0) for value in VerdictValue},
        assumptions=(*chosen.assumptions_for(benchmark.card), *_caution(asked)),
    )


def single_members(benchmark: Benchmark, policy: str, criterion: str | None = None) -> pa.Table:
    """The fragments that implement one functionality by the evidence: `fragment`, `functionality`.

    Every two of them have a verdict under the policy, or none if they differ and the card does not call its
    functionalities disjoint.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the policy does not judge pairs by what each fragment implements, or there is no evidence.
    """
    chosen = find_policy(policy)
    if chosen.members is None:
        able = ", ".join(name for name in POLICIES if POLICIES[name].members is not None)
        raise InputError(
            f"The policy '{policy}' needs judgements on stored pairs.",
            where=benchmark.path,
            hint=f"Policies that judge by what each fragment implements: {able}.",
        )
    asked = _criterion(benchmark, chosen, criterion)
    inputs = policy_inputs(chosen, asked, benchmark.table("judges"))
    return benchmark.sql(chosen.members, **inputs)


def policy_inputs(policy: Policy, criterion: str, judges: pa.Table, *, disjoint: bool = False) -> dict[str, pa.Table]:
    """What a policy's SQL reads in addition to the tables of a benchmark or study; see `Policy.sql`.

    Args:
        policy: the policy.
        criterion: what the judges were asked.
        judges: the judges, as `docs/schema.md` has them.
        disjoint: whether functionalities exclude each other.
    """
    attached = [judge for judge, one in _settings(judges).items() if one.get(ATTACHED_RULE)]
    # A dataset's own rule is the one that came with it.
    own = judges.filter(pc.invert(pc.is_in(judges["judge"], value_set=pa.array(attached, pa.string()))))
    return {
        **judge_roles(judges),
        **({"judges": own} if attached and JudgeKind.RULE in policy.counted else {}),
        "asked": pa.table({"criterion": pa.array([criterion], pa.string())}),
        "counted": pa.table({"kind": pa.array([str(kind) for kind in policy.counted], pa.string())}),
        "card": pa.table({"problems_disjoint": [disjoint]}),
    }


def judge_roles(judges: pa.Table) -> dict[str, pa.Table]:
    """Which judges belong together: `joint`, `adjudicators` and `teams`; see `Policy.sql`."""
    settings = _settings(judges)
    joint = [(judge, member) for judge, one in settings.items() for member in one.get("speaks_for", ())]
    teams = [(judge, str(one["group"])) for judge, one in settings.items() if one.get("group") is not None]
    return {
        "joint": pa.table(
            {
                "judge": pa.array([judge for judge, _ in joint], pa.string()),
                "member": pa.array([member for _, member in joint], pa.string()),
            }
        ),
        "adjudicators": pa.table({"judge": pa.array(deciding_judges(judges), pa.string())}),
        "teams": pa.table(
            {
                "judge": pa.array([judge for judge, _ in teams], pa.string()),
                "team": pa.array([team for _, team in teams], pa.string()),
            }
        ),
    }


def deciding_judges(judges: pa.Table) -> list[str]:
    """The judges who decide where others differ: adjudicators, and consensus judges."""
    return [
        judge
        for judge, settings in _settings(judges).items()
        if settings.get("speaks_for") or settings.get("role") in _DECIDING_ROLES
    ]


def _caution(criterion: str) -> tuple[str, ...]:
    caution = CRITERIA[criterion].caution
    return () if caution is None else (caution,)


def _settings(judges: pa.Table) -> dict[str, dict[str, Any]]:
    return {row["judge"]: parse_json(row["settings"]) for row in judges.select(["judge", "settings"]).to_pylist()}


def _criterion(benchmark: Benchmark, policy: Policy, asked: str | None) -> str:
    judged = benchmark.sql("SELECT DISTINCT criterion FROM judgements ORDER BY criterion")["criterion"].to_pylist()
    readable = ", ".join(name for name in judged if _reads(policy, name)) or "none"
    hint = f"Criteria with judgements that the policy '{policy.name}' can read: {readable}."
    name = asked or policy.criterion or benchmark.card.criterion
    if name not in CRITERIA:
        raise InputError(f"There is no criterion '{name}'.", hint=hint)
    if not _reads(policy, name):
        raise InputError(f"The policy '{policy.name}' cannot read the criterion '{name}'.", hint=hint)
    if name not in judged:
        raise InputError(
            f"The benchmark has no judgements under the criterion '{name}'.", where=benchmark.path, hint=hint
        )
    return name


def _reads(policy: Policy, criterion: str) -> bool:
    return criterion == policy.criterion if policy.criterion else CRITERIA[criterion].subject is Subject.PAIR
