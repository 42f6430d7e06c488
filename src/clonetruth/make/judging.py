"""Stages that put candidates before judges: execution, a study of people, and a language model.

All of them add judgements to the candidates' benchmark, through the same commands that a user would give.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.judges import LLMEstimate, LLMReport, ask_llm, judge_by_execution
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork, WaitingError
from clonetruth.model import VerdictValue
from clonetruth.store import open_benchmark, read_study
from clonetruth.store.study import Study
from clonetruth.studies import export_study, list_judges, resolve_study, sample_study
from clonetruth.verdicts.policies import POLICIES

_PAIRS = "SELECT count(*) AS pairs FROM pairs"


@dataclass(frozen=True)
class ExecutionStageOptions:
    """The keys of the stage; see `clonetruth judge execute`.

    Attributes:
        where: only pairs that fulfil this SQL condition.
        limit: only this number of pairs, drawn at random (default: all).
        runs: maximum number of inputs for a pair.
        seconds: maximum number of seconds for a pair.
        seed: random seed.
        jobs: number of worker processes.
    """

    where: str | None = None
    limit: int | None = None
    runs: int = 200
    seconds: float = 20.0
    seed: int = 0
    jobs: int | None = None


def _execute(work: StageWork) -> StageOutcome:
    options: ExecutionStageOptions = work.options
    found = judge_by_execution(
        work.artefact("candidates"),
        where=options.where,
        limit=options.limit,
        runs=options.runs,
        seconds=options.seconds,
        seed=options.seed,
        jobs=options.jobs,
        progress=work.progress,
    )
    values = Counter(str(one.evidence.value()) for one in found.pairs)
    tested = Counter(str(one.evidence.value) for one in found.fragments)
    reasons = Counter(one.evidence.detail.split(" (")[0][:60] for one in found.fragments if one.evidence.detail)
    return StageOutcome(
        taken={"pairs": len(found.pairs), "fragments with tests": len(found.fragments)},
        given={
            **{f"pairs {value}": count for value, count in sorted(values.items())},
            **{f"fragments {value}": count for value, count in sorted(tested.items())},
        },
        details={
            "why pairs are undecided": {str(reason): count for reason, count in found.reasons.items()},
            "why fragments fail or are undecided": dict(reasons.most_common(12)),
        },
    )


def _count_pairs(work: StageWork) -> StageEstimate:
    pairs = open_benchmark(work.artefact("candidates")).sql(_PAIRS)["pairs"][0].as_py()
    pairs = min(pairs, work.options.limit or pairs)
    seconds = work.options.seconds
    return StageEstimate({"pairs": pairs}, note=f"at most {pairs * seconds / 3600:,.1f} hours of one process")


EXECUTION_STAGE = Stage(
    name="execution",
    description="Run candidates in the sandbox: next to an exemplar or the seed, and by the specification's tests.",
    options=ExecutionStageOptions,
    run=_execute,
    reads=("candidates",),
    appends_to=("candidates",),
    effort=("jobs",),
    estimate=_count_pairs,
)


@dataclass(frozen=True)
class StudyStageOptions:
    """The keys of the stage; see `clonetruth study sample`.

    Attributes:
        protocol: a protocol's name, or a TOML file.
        where: only subjects that fulfil this SQL condition.
        n: number of subjects to draw (default: all).
        policy: how answers become verdicts, for the report.
        seed: random seed.
    """

    protocol: str = "bigclonebench"
    where: str | None = None
    n: int | None = None
    policy: str = "adjudicated"
    seed: int = 0


def _study(work: StageWork, where: str | None, n: int | None, protocol: str, seed: int) -> Study:
    """The study of a stage: the one that exists, or a new one."""
    path = work.study
    if path.exists():
        return read_study(path)
    given = work.recipe.folder / protocol
    chosen = str(given) if given.is_file() else protocol
    # A margin of nothing draws everything.
    size = {"n": n} if n is not None else {"margin": 1e-9}
    return sample_study(
        work.artefact("candidates"), output=path, where=where, protocol=chosen, policy="default", seed=seed, **size
    )


def _judge_by_people(work: StageWork) -> StageOutcome:
    options: StudyStageOptions = work.options
    study = _study(work, options.where, options.n, options.protocol, options.seed)
    found = resolve_study(study, options.policy)
    resolved = found.methods if study.plan.is_of_functions and found.methods is not None else found.pairs
    subjects = resolved.verdicts.num_rows
    unjudged = subjects - resolved.judged
    if (waits := unfinished_study(study, subjects, unjudged)) is not None:
        raise WaitingError(waits)
    exported = export_study(study, to=work.artefact("candidates"), policy=options.policy)
    counts = resolved.counts
    return StageOutcome(
        taken={"subjects": subjects},
        given={"judgements": exported.added, **{f"verdict {value}": counts[value] for value in VerdictValue}},
        notes=(f"{exported.judges:,} judges; policy {options.policy}.",),
    )


def unfinished_study(study: Study, subjects: int, unjudged: int) -> str | None:
    """What a study waits for, as a sentence; None if it is finished."""
    left = [(one.name, one.left) for one in list_judges(study) if one.left]
    if not unjudged and not left:
        return None
    waits = [f"{unjudged:,} of {subjects:,} subjects have no judgement"] if unjudged else []
    waits += [f"{name} has {count:,} left" for name, count in left]
    if not left:
        waits.append("invite judges (clonetruth study invite) or ask them to go on (clonetruth study serve)")
    return f"The study {study.path} is not finished: {'; '.join(waits)}."


STUDY_STAGE = Stage(
    name="study",
    description="Put candidates before people, in a study; the maker waits until it is finished.",
    options=StudyStageOptions,
    run=_judge_by_people,
    reads=("candidates",),
    appends_to=("candidates",),
    effort=("policy",),
    check=lambda options: check_policy(options.policy),
)


@dataclass(frozen=True)
class LLMStageOptions:
    """The keys of the stage; see `clonetruth study llm`.

    Attributes:
        model: the model's name on the server.
        protocol: how the model is asked.
        study_protocol: the protocol of the study that it judges.
        where: only subjects that fulfil this SQL condition.
        n: number of subjects to draw (default: all).
        base_url: the server (default: OpenAI).
        prices: file of prices.
        budget: maximum total cost.
        runs: number of runs (default: the protocol's).
        rate: maximum request rate.
        concurrency: number of concurrent requests.
        canaries: number of questions with known answers asked first.
        seed: random seed.
    """

    model: str
    protocol: str = "similarity"
    study_protocol: str = "functionally-similar"
    where: str | None = None
    n: int | None = None
    base_url: str | None = None
    prices: str | None = None
    budget: float | None = None
    runs: int | None = None
    rate: str | None = None
    concurrency: int = 8
    canaries: int = 4
    seed: int = 0


def _ask(work: StageWork, study: Study, *, dry_run: bool) -> LLMReport | LLMEstimate:
    options: LLMStageOptions = work.options
    found = ask_llm(
        study,
        model=options.model,
        protocol=options.protocol,
        base_url=options.base_url,
        prices=None if options.prices is None else work.path(options.prices),
        budget=options.budget,
        runs=options.runs,
        rate=options.rate,
        concurrency=options.concurrency,
        canaries=options.canaries,
        dry_run=dry_run,
        progress=work.progress,
    )
    assert isinstance(found, LLMReport | LLMEstimate)
    return found


def _judge_by_model(work: StageWork) -> StageOutcome:
    options: LLMStageOptions = work.options
    study = _study(work, options.where, options.n, options.study_protocol, options.seed)
    found = _ask(work, study, dry_run=False)
    assert isinstance(found, LLMReport)
    if not found.complete:
        left = found.questions - found.kept - found.answered
        why = found.stopped or next(iter(found.unanswered))
        raise WaitingError(f"{left:,} of {found.questions:,} questions have no answer: {why}.", found.cost_of_all)
    exported = export_study(study, to=work.artefact("candidates"))
    return StageOutcome(
        taken={"subjects": found.outcome.subjects},
        given={"judgements": exported.added, **{f"said {one}": count for one, count in found.outcome.values.items()}},
        left_out={"unreadable runs": found.outcome.malformed, "unjudged": found.outcome.unjudged},
        cost=found.cost_of_all,
    )


def _estimate_model(work: StageWork) -> StageEstimate:
    path = work.study
    if not path.exists():
        return StageEstimate(note="unknown until its study is drawn")
    found = _ask(work, read_study(path), dry_run=True)
    assert isinstance(found, LLMEstimate)
    return StageEstimate({"questions": found.questions, "answered": found.kept}, found.cost)


LLM_STAGE = Stage(
    name="llm-judge",
    description="Let a language model judge candidates, in a study.",
    options=LLMStageOptions,
    run=_judge_by_model,
    reads=("candidates",),
    appends_to=("candidates",),
    effort=("budget", "prices", "rate", "concurrency", "base_url"),
    estimate=_estimate_model,
)


def check_policy(name: str) -> None:
    """Refuse a policy that does not exist (`InputError`)."""
    if name not in POLICIES:
        raise InputError(f"There is no policy '{name}'.", hint=f"Known: {', '.join(POLICIES)}.")
