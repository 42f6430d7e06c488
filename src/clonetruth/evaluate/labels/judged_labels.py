"""The labels of a benchmark checked against its own judgements: the share of clone labels that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import label_error
from clonetruth.model import CRITERIA, JudgeKind, PairValue, Subject
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement
from clonetruth.store.study_estimate import read_estimates
from clonetruth.verdicts.policies import DEFAULT, EVIDENCE, ORIGIN, judge_verdicts

_ASKED_SQL = """
SELECT DISTINCT g.kind AS kind, j.criterion AS criterion
FROM judgements j JOIN judges g ON j.judge = g.judge
ORDER BY kind, criterion
"""

_JUDGED_SQL = """
SELECT CASE WHEN e.verdict = 'not-clone' THEN true ELSE false END AS wrong
FROM labels l JOIN evidence e ON l.pair = e.pair
WHERE l.verdict = 'clone' AND e.verdict <> 'unknown'
"""


@dataclass(frozen=True)
class JudgedLabels:
    """The share of clone labels that are wrong by the evidence, and what it is based on."""

    error_rate: Measurement
    sample: str
    criterion: str
    judges: str


def judged_label_error(benchmark: Benchmark, criterion: str | None = None) -> JudgedLabels | None:
    """The label-error rate of a benchmark by its own judgements.

    A study that was exported to the benchmark records how its pairs were drawn, so its estimate is used. Otherwise the
    pairs that the benchmark's rule labels clones and that have a verdict from people, LLMs or executions count as a
    simple random sample of all pairs that it labels clones.

    Args:
        benchmark: the benchmark.
        criterion: what the judges were asked (default: the only criterion under which pairs were judged).

    Returns:
        The rate, or None where only the rule judged the pairs that are labelled clones.

    Raises:
        InputError: the judges were asked several questions, and none was chosen; or none under the chosen criterion.
    """
    asked = {(row["kind"], row["criterion"]) for row in benchmark.sql(_ASKED_SQL).to_pylist()}
    chosen = criterion or _only_criterion(benchmark, {name for kind, name in asked if kind in EVIDENCE})
    studied = None if chosen is None else _studied(benchmark, chosen)
    if studied is not None:
        return studied
    if chosen is None or (JudgeKind.RULE, benchmark.card.criterion) not in asked:
        return None
    evidence = judge_verdicts(benchmark, DEFAULT.name, chosen)
    labels = judge_verdicts(benchmark, ORIGIN.name)
    rows = benchmark.sql(_JUDGED_SQL, labels=labels.path, evidence=evidence.path)["wrong"].to_pylist()
    if not rows:
        return None
    return JudgedLabels(
        error_rate=label_error(rows),
        sample="judged pairs that the benchmark labels clones, taken as a simple random sample",
        criterion=evidence.criterion,
        judges="people, LLMs and executions, by majority",
    )


def _studied(benchmark: Benchmark, criterion: str) -> JudgedLabels | None:
    """The estimate of the latest study of clone labels under a criterion."""
    for one in read_estimates(benchmark.path):
        for share in one.by_label:
            if one.criterion == criterion and share.group == PairValue.CLONE and share.weighted.value is not None:
                return JudgedLabels(
                    error_rate=replace(share.weighted, name="label-error"),
                    sample=f"clone labels among {one.population} ({share.judged:,} judged)",
                    criterion=criterion,
                    judges=f"the judges of the study '{one.title}', by the policy '{one.policy}'",
                )
    return None


def _only_criterion(benchmark: Benchmark, asked: set[str]) -> str | None:
    """What the judges were asked about pairs. Judgements on fragments can make a pair a clone, but not deny it."""
    pairs = sorted(name for name in asked if name in CRITERIA and CRITERIA[name].subject is Subject.PAIR)
    if len(pairs) > 1:
        raise InputError(
            "The judges of the benchmark were asked several questions.",
            where=benchmark.path,
            hint=f"Choose one with --criterion: {', '.join(pairs)}.",
        )
    return pairs[0] if pairs else None
