"""Precision of tools that report clones wherever they find them.

A benchmark knows only a small part of what such a tool may report. A partial ground truth only bounds the precision;
it is estimated from judged reports, and never from the benchmark's labels alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.stats.intervals import wilson
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.results import BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind
from clonetruth.verdicts import VerdictTable, judge_verdicts
from clonetruth.verdicts.policies import find_policy

# Results of tools whose reported pairs were judged: only their precision, since nobody knows what they missed.

NO_RECALL = "Only reported pairs were judged: the recall is unknown."


def tool_results(benchmark: Benchmark, policy: str = "default", criterion: str | None = None) -> list[Result]:
    """A result for each tool whose reported pairs are in a benchmark and were judged, as in `oreo-precision`.

    Raises:
        InputError: no tool reports a pair of the benchmark; or see `judge_verdicts`.
    """
    verdicts = judge_verdicts(benchmark, policy, criterion)
    assumptions = find_policy(policy).assumptions_for(benchmark.card)
    identity = BenchmarkIdentity(
        benchmark.card.name, benchmark.card.version, benchmark.content_hash, benchmark.judgements_hash
    )
    configuration = {"policy": policy, "criterion": verdicts.criterion, "confidence": 0.95}
    return [
        Result(
            kind=ResultKind.PAIRS,
            detector=one.tool.removeprefix("tool:"),
            benchmark=identity,
            policy=PolicyUse(policy, verdicts.criterion, one.precision.n or 0, one.unknown, assumptions),
            setting={"pairs": "a judged sample of what the tool reports"},
            headline=(one.precision,),
            manifest=build_manifest({"benchmark": benchmark.content_hash}, configuration),
            notes=(NO_RECALL,),
        )
        for one in judged_precision(benchmark, policy, criterion)
    ]


# Bounds, and estimates from judged reports.


@dataclass(frozen=True)
class PrecisionBounds:
    """The bounds that a partial ground truth gives a precision.

    Attributes:
        lower: reported pairs known to be clones ÷ all reported.
        upper: (all reported − those known to be non-clones) ÷ all reported.
        judged: the share of the reported pairs that are known to be one or the other.
    """

    lower: Measurement
    upper: Measurement
    judged: Measurement


@dataclass(frozen=True)
class ToolPrecision:
    """The estimated precision of a tool whose reported pairs were judged.

    Attributes:
        tool: the judge that stands for the tool ("tool:nicad").
        precision: clones ÷ judged pairs, with Wilson's interval.
        unknown: number of reported pairs without a verdict, which are left out.
    """

    tool: str
    precision: Measurement
    unknown: int


def precision_bounds(reported: int, known_true: int, known_false: int) -> PrecisionBounds:
    """Bound a precision by how many of the reported pairs are known to be clones and non-clones.

    Raises:
        InputError: the counts contradict each other.
    """
    if min(known_true, known_false) < 0 or known_true + known_false > reported:
        raise InputError(
            f"{known_true:,} known clones and {known_false:,} known non-clones do not fit into {reported:,} pairs.",
            hint="Count each reported pair once.",
        )

    def share(name: str, part: int, note: str) -> Measurement:
        value = part / reported if reported else None
        return Measurement(name, value, successes=part, n=reported, note=note if reported else "Nothing was reported.")

    return PrecisionBounds(
        lower=share(
            "precision-lower-bound", known_true, "As if every unknown pair were wrong; a bound, not an estimate."
        ),
        upper=share(
            "precision-upper-bound",
            reported - known_false,
            "As if every unknown pair were right; a bound, not an estimate.",
        ),
        judged=share("reported-judged", known_true + known_false, "The share of the reported pairs that are known."),
    )


_REPORTED_SQL = """
SELECT j.judge AS tool,
    CAST(sum(CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END) AS BIGINT) AS clones,
    CAST(sum(CASE WHEN v.verdict = 'not-clone' THEN 1 ELSE 0 END) AS BIGINT) AS others,
    CAST(sum(CASE WHEN v.verdict = 'unknown' THEN 1 ELSE 0 END) AS BIGINT) AS unknown
FROM (
    SELECT DISTINCT g.judge AS judge, g.pair AS pair
    FROM judgements g
    JOIN judges t ON g.judge = t.judge
    WHERE t.kind = 'tool' AND g.value = 'clone' AND g.pair IS NOT NULL
) j
JOIN found v ON j.pair = v.pair
GROUP BY j.judge
ORDER BY j.judge
"""
"""The verdicts of the pairs that each tool reported. A pair that a tool reported twice is two rows of `pairs`."""


def judged_precision(
    benchmark: Benchmark, policy: str = "default", criterion: str | None = None, *, confidence: float = 0.95
) -> tuple[ToolPrecision, ...]:
    """Estimate the precision of each tool whose reported pairs were judged, as in `oreo-precision`.

    The pairs must be a random sample of what the tool reports. A pair without a verdict under the policy is left out
    and counted.

    Raises:
        InputError: no tool reports a pair of the benchmark, or see `judge_verdicts`.
    """
    verdicts = judge_verdicts(benchmark, policy, criterion)
    rows = benchmark.sql(_REPORTED_SQL, found=verdicts.path).to_pylist()
    if not rows:
        raise InputError(
            "No tool reports a pair in this benchmark.",
            where=benchmark.path,
            hint="Add judgements of a judge of the kind 'tool', which say what it reports.",
        )
    return tuple(
        ToolPrecision(row["tool"], _share(row["clones"], row["others"], verdicts, confidence), row["unknown"])
        for row in rows
    )


def precision_of(benchmark: Benchmark, detector: str) -> Measurement | None:
    """Estimate the precision of one tool by the judged sample of its reports, under the default policy.

    Args:
        benchmark: a benchmark such as `oreo-precision`.
        detector: the id or the name of the judge that stands for the tool, in upper or lower case.

    Returns:
        The estimate, or None where the benchmark has no reports of that tool.
    """
    tools = benchmark.sql("SELECT judge, name FROM judges WHERE kind = 'tool'").to_pylist()
    name = detector.casefold()
    judges = {row["judge"] for row in tools if name in (row["judge"].casefold(), row["name"].casefold())}
    if not judges:
        return None
    return next((one.precision for one in judged_precision(benchmark) if one.tool in judges), None)


def _share(clones: int, others: int, verdicts: VerdictTable, confidence: float) -> Measurement:
    judged = clones + others
    interval = wilson(clones, judged, confidence)
    if interval is None:
        return Measurement(
            "precision", None, n=0, note=f"No reported pair has a verdict under the policy '{verdicts.policy}'."
        )
    return Measurement(
        name="precision",
        value=clones / judged,
        low=interval.low,
        high=interval.high,
        successes=clones,
        n=judged,
        method="Wilson",
        note=(
            "This assumes that the judged pairs are a random sample of what the tool reports: policy "
            f"'{verdicts.policy}', criterion '{verdicts.criterion}'."
        ),
    )
