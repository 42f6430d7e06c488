"""Seeds that execution can judge: the others are left out before a model is paid for answers about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from clonetruth.arrow_files import read_parquet, write_parquet
from clonetruth.code import available_cores
from clonetruth.errors import InputError
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.harness import Code
from clonetruth.execution.results import BehaviourComparison, BehaviourVerdict
from clonetruth.execution.sandbox.bubblewrap import require
from clonetruth.execution.search import SearchBudget
from clonetruth.judges.execution_tasks import SelectedPair
from clonetruth.judges.execution_worker import run_tasks
from clonetruth.make.seeds import SEEDS
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.options.execution import SandboxOptions

_BATCH = 16


@dataclass(frozen=True)
class RunnableSeedsOptions:
    """The keys of the stage.

    Attributes:
        limit: maximum number of seeds of a language, the first ones that run (default: all).
        runs: maximum number of inputs for a seed.
        seconds: maximum number of seconds for a seed.
        seed: random seed of the inputs.
        jobs: number of worker processes.
    """

    limit: int | None = None
    runs: int = 20
    seconds: float = 5.0
    seed: int = 0
    jobs: int | None = None


def _run(work: StageWork) -> StageOutcome:
    options: RunnableSeedsOptions = work.options
    require(open_sandbox(SandboxOptions()).layers())
    every = read_parquet(work.artefact("seeds")).to_pylist()
    kept, left_out, counts = list[Mapping[str, str]](), Counter[str](), Counter[str]()
    waiting = iter(every)
    while batch := list(islice((one for one in waiting if counts[one["language"]] != options.limit), _BATCH)):
        for one, problem in zip(batch, _problems(batch, options), strict=True):
            if problem is not None:
                left_out[problem] += 1
            elif counts[one["language"]] != options.limit:
                counts[one["language"]] += 1
                kept.append(one)
        work.progress("seeds", len(batch), len(every))
    left_out["not needed"] = len(every) - len(kept) - left_out.total()
    if not kept:
        raise InputError("No seed runs.", hint="'clonetruth execution doctor' shows which languages can run.")
    write_parquet(pa.Table.from_pylist(kept, schema=SEEDS), work.output / "seeds")
    return StageOutcome(
        taken={"seeds": len(every)},
        given={"seeds": len(kept)},
        left_out={reason: count for reason, count in left_out.items() if count},
        details={"seeds": dict(counts)},
    )


def _problems(batch: Sequence[Mapping[str, str]], options: RunnableSeedsOptions) -> list[str | None]:
    """Why each seed, run next to itself, is not judged; None if it is."""
    codes = [Code(one["text"], one["language"]) for one in batch]
    tasks = {
        str(number): SelectedPair(number, str(number), str(number), None, code, code)
        for number, code in enumerate(codes)
    }
    budget = SearchBudget(runs=options.runs, seconds=options.seconds, seed=options.seed)
    found: dict[str, str | None] = {}
    for key, outcome in run_tasks(tasks, budget, SandboxOptions(), options.jobs or available_cores()):
        assert isinstance(outcome, BehaviourComparison)
        decided = outcome.verdict is not BehaviourVerdict.UNDECIDED
        found[key] = None if decided else f"does not run: {outcome.why_undecided}"
    return [found[key] for key in tasks]


def _estimate(work: StageWork) -> StageEstimate:
    limit = work.options.limit
    return StageEstimate({} if limit is None else {"seeds of a language at most": limit})


STAGE = Stage(
    name="runnable-seeds",
    description="Keep the seeds that execution can judge, before a model is asked about them.",
    options=RunnableSeedsOptions,
    run=_run,
    reads=("seeds",),
    writes=("seeds",),
    effort=("jobs",),
    estimate=_estimate,
)
