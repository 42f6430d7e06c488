"""Results of tools whose reported pairs were judged: their precision alone, since nobody knows what they missed."""

from __future__ import annotations

from clonetruth.evaluate.labels.precision import judged_precision
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.results import BenchmarkIdentity, PolicyUse, Result, ResultKind
from clonetruth.verdicts import judge_verdicts
from clonetruth.verdicts.policies import POLICIES

NO_RECALL = "Only reported pairs were judged: the recall is unknown."


def tool_results(benchmark: Benchmark, policy: str = "default", criterion: str | None = None) -> list[Result]:
    """A result for each tool whose reported pairs are in a benchmark and were judged, as in `oreo-precision`.

    Raises:
        InputError: no tool speaks in the benchmark; or see `judge_verdicts`.
    """
    verdicts = judge_verdicts(benchmark, policy, criterion)
    assumptions = POLICIES[policy].assumptions_for(benchmark.card)
    identity = BenchmarkIdentity(
        benchmark.card.name, benchmark.card.version, benchmark.content_hash, benchmark.judgements_hash
    )
    configuration = {"policy": policy, "criterion": verdicts.criterion, "confidence": 0.95}
    return [
        Result(
            kind=ResultKind.PAIRS,
            detector=found.tool.removeprefix("tool:"),
            benchmark=identity,
            policy=PolicyUse(policy, verdicts.criterion, found.precision.n or 0, found.unknown, assumptions),
            setting={"pairs": "a judged sample of what the tool reports"},
            headline=(found.precision,),
            manifest=build_manifest({"benchmark": benchmark.content_hash}, configuration),
            notes=(NO_RECALL,),
        )
        for found in judged_precision(benchmark, policy, criterion)
    ]
