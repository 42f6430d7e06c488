"""The labels of a benchmark against its own judgements: how many clone labels the evidence calls wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import label_error
from clonetruth.model import CRITERIA, JudgeKind, PairValue, Subject
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement
from clonetruth.store.study_estimate import read_estimates
from clonetruth.verdicts.policies import DEFAULT, EVIDENCE, ORIGIN, judge_verdicts

_SPOKEN_SQL = """
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
    """The share of clone labels that the evidence calls wrong, and on what it rests."""

    error_rate: Measurement
    sample: str
    criterion: str
    judges: str


def judged_label_error(benchmark: Benchmark, criterion: str | None = None) -> JudgedLabels | None:
    """The label-error rate of a benchmark by its own judgements.

    A study that was exported to the benchmark knows how its pairs were drawn, and its estimate is used. Otherwise pairs
    that the benchmark's rule calls clones and on which people, LLMs or executions came to a verdict are taken as a
    simple random sample of all that it calls clones.

    Args:
        benchmark: the benchmark.
        criterion: what the judges were asked; unless told, the only thing that they were asked of pairs.

    Returns:
        The rate, or None where nothing but the rule speaks of any pair that is called a clone.

    Raises:
        InputError: the judges were asked several things, and none was chosen; or nothing under the chosen one.
    """
    spoken = {(row["kind"], row["criterion"]) for row in benchmark.sql(_SPOKEN_SQL).to_pylist()}
    asked = criterion or _only_criterion(benchmark, {name for kind, name in spoken if kind in EVIDENCE})
    studied = None if asked is None else _studied(benchmark, asked)
    if studied is not None:
        return studied
    if asked is None or (JudgeKind.RULE, benchmark.card.criterion) not in spoken:
        return None
    evidence = judge_verdicts(benchmark, DEFAULT.name, asked)
    labels = judge_verdicts(benchmark, ORIGIN.name)
    rows = benchmark.sql(_JUDGED_SQL, labels=labels.path, evidence=evidence.path)["wrong"].to_pylist()
    if not rows:
        return None
    return JudgedLabels(
        error_rate=label_error(rows),
        sample="pairs that the benchmark calls clones and that were judged, taken as a simple random sample",
        criterion=evidence.criterion,
        judges="people, LLMs and executions, by majority",
    )


def _studied(benchmark: Benchmark, criterion: str) -> JudgedLabels | None:
    """What the latest study of clone labels under a criterion found."""
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


def _only_criterion(benchmark: Benchmark, spoken: set[str]) -> str | None:
    """What the judges were asked of pairs. Judgements on fragments make clones of pairs, but deny none."""
    pairs = sorted(name for name in spoken if name in CRITERIA and CRITERIA[name].subject is Subject.PAIR)
    if len(pairs) > 1:
        raise InputError(
            "The judges of the benchmark were asked several things.",
            where=benchmark.path,
            hint=f"Choose one with --criterion: {', '.join(pairs)}.",
        )
    return pairs[0] if pairs else None
