"""The agreement of the judges of a benchmark or a study, on its pairs and on its methods."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, MemberValue, PairValue, RatingValue, Subject
from clonetruth.options.declaration import verb
from clonetruth.options.study import AgreementOptions
from clonetruth.stats.agreement import Agreement, Ratings
from clonetruth.stats.agreement import measure_agreement as measure_ratings
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.study import Study, is_study
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.studies.study_folder import Votes, open_study, open_votes
from clonetruth.verdicts.latest_judgements import (
    LatestJudgements,
    asked_criteria,
    conclude_verdicts,
    latest_benchmark_judgements,
    latest_study_judgements,
)
from clonetruth.verdicts.policies import deciding_judges

FINAL = "final"
"""Alias of the policy `adjudicated` when judges are compared with verdicts."""

_OTHER = "other"
"""The label of a method whose main purpose is not the functionality."""

_SCALE = (
    *(PairValue.CLONE, RatingValue.AGREE, MemberValue.MAJOR, MemberValue.INCOMPLETE, RatingValue.CONDITIONALLY),
    *(PairValue.UNDECIDED, MemberValue.MINOR, MemberValue.TEST),
    *(PairValue.NOT_CLONE, RatingValue.DISAGREE, MemberValue.WRONG),
)
"""The order of answers, from "it is" to "it is not"."""


@dataclass(frozen=True)
class AgreementReport:
    """The agreement on pairs and on methods.

    Attributes:
        criterion: the criterion on pairs.
        against: the policy that judges are compared with; None if they are compared with each other.
        pairs: the agreement on pairs; None if fewer than two judges judged them.
        methods: the agreement on whether a method implements the functionality as its main purpose (`major`) or not
            (`other`); None if fewer than two judges judged methods.
        method_labels: the agreement on the methods' labels.
        undecided: the number of answers `undecided` that were left out.
    """

    criterion: str
    against: str | None
    pairs: Agreement | None
    methods: Agreement | None
    method_labels: Agreement | None
    undecided: int


@verb(AgreementOptions)
def measure_agreement(options: AgreementOptions) -> AgreementReport:
    """Measure how far judges agree, on pairs and on methods.

    Returns:
        Agreement, kappa and related coefficients, each with an interval, and the table of answers of two judges.

    Raises:
        InputError: there are no judgements on pairs under the criterion, or several criteria and none is chosen; a
            judge is unknown; or fewer than two judges remain.
        UnknownNameError: the policy of `against` is unknown.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="agreed-study", n=5)
        >>> clonetruth.measure_agreement(study)
        Traceback (most recent call last):
        clonetruth.errors.InputError: ...: Agreement needs at least two judges on the same pairs. ...
    """
    source = options.source
    if isinstance(source, Study) or (isinstance(source, Path) and is_study(source)):
        study = open_study(source)
        return study_agreement(study, options, open_votes(study, options.votes))
    return _benchmark_agreement(
        open_benchmark(source, engine=options.engine, memory_limit=options.memory_limit), options
    )


def _benchmark_agreement(benchmark: Benchmark, chosen: AgreementOptions) -> AgreementReport:
    asked = asked_criteria(benchmark)
    criterion = chosen.criterion or _only_criterion(asked, benchmark)
    if criterion not in CRITERIA or CRITERIA[criterion].subject is not Subject.PAIR:
        raise InputError(f"'{criterion}' is not a criterion on pairs.", hint=f"Judged criteria: {', '.join(asked)}.")
    known = benchmark.table("judges")["judge"].to_pylist()
    if chosen.of is not None and chosen.of not in known:
        raise InputError(
            f"Unknown judge '{chosen.of}'.", where=benchmark.path, hint=f"Known judges: {', '.join(known)}."
        )
    pairs, methods = (latest_benchmark_judgements(benchmark, name, chosen.of) for name in (criterion, METHOD_CRITERION))
    return _report(chosen, pairs, methods, benchmark.path)


def study_agreement(
    study: Study, options: AgreementOptions | None = None, votes: Votes | None = None
) -> AgreementReport:
    """Measure the agreement of the judges of a study.

    Args:
        study: the study.
        options: whose agreement, and how.
        votes: the votes of the vote store (`read_votes`).

    Raises:
        InputError: the study asks for another criterion, a judge or policy is unknown, or fewer than two judges remain.
    """
    chosen = options or AgreementOptions(source=study.path)
    if chosen.criterion not in (None, study.plan.criterion):
        raise InputError(
            f"The criterion of the study is '{study.plan.criterion}', not '{chosen.criterion}'.", where=study.path
        )
    if chosen.of is not None:
        raise InputError("`of` applies to benchmarks only: a study has no judgements of tools.", where=study.path)
    judges, judgements = read_study_judgements(study.path, votes)
    pairs, methods = (latest_study_judgements(study, judges, judgements, kind) for kind in SubjectKind)
    return _report(chosen, pairs, methods, study.path)


def _only_criterion(asked: Sequence[str], benchmark: Benchmark) -> str:
    pairs = [name for name in asked if name in CRITERIA and CRITERIA[name].subject is Subject.PAIR]
    if benchmark.card.criterion in pairs or not pairs:
        return benchmark.card.criterion
    if len(pairs) > 1:
        raise InputError(
            "The benchmark has judgements under several criteria.",
            where=benchmark.path,
            hint=f"Choose one with --criterion: {', '.join(pairs)}.",
        )
    return pairs[0]


def _report(
    options: AgreementOptions, pairs: LatestJudgements, methods: LatestJudgements, where: object
) -> AgreementReport:
    # A verdict is clone or not clone, so answers that are compared with verdicts are reduced to that.
    on_pairs = _measured(pairs if options.against is None else pairs.as_pairs(), options)
    on_methods = _measured(
        methods.as_pairs(), options, {PairValue.CLONE: MemberValue.MAJOR, PairValue.NOT_CLONE: _OTHER}
    )
    if on_pairs is None and on_methods is None:
        present = ", ".join(sorted(set(pairs.rows["judge"].to_pylist()))) or "none"
        raise InputError(
            "Agreement needs at least two judges on the same pairs.",
            where=where,
            hint=f"Judges under '{pairs.criterion}': {present}.",
        )
    return AgreementReport(
        criterion=pairs.criterion,
        against=options.against,
        pairs=on_pairs,
        methods=on_methods,
        method_labels=None if options.against else _measured(methods, options),
        undecided=0 if options.undecided else _undecided(pairs) + _undecided(methods),
    )


def _undecided(judgements: LatestJudgements) -> int:
    return int(judgements.rows["value"].to_pylist().count(str(PairValue.UNDECIDED)))


def _measured(
    judgements: LatestJudgements, options: AgreementOptions, labels: Mapping[str, str] | None = None
) -> Agreement | None:
    """The agreement of the chosen judges; None if there are fewer than two. `labels` rename answers."""
    judges = _chosen_judges(judgements, options)
    rows = judgements.rows.select(["subject", "judge", "value"]).to_pydict()
    votes = list(zip(rows["subject"], rows["judge"], rows["value"], strict=True))
    if options.against is not None:
        votes += _verdicts(judgements, options.against, {subject for subject, judge, _ in votes if judge in judges})
        judges = [*judges, options.against]
    if len(judges) < 2:
        return None
    answers = set(PairValue) if set(rows["value"]) <= set(PairValue) else set(CRITERIA[judgements.criterion].values)
    categories = [one for one in _SCALE if one in answers and (options.undecided or one != PairValue.UNDECIDED)]
    ratings = Ratings.of(votes, categories, judges)
    named = tuple(str((labels or {}).get(one, one)) for one in categories)
    return measure_ratings(replace(ratings, categories=named), confidence=options.confidence)


def _verdicts(judgements: LatestJudgements, against: str, subjects: Container[int]) -> list[tuple[int, str, str]]:
    """The verdicts of a policy on some subjects, as the votes of one more judge."""
    verdicts = (
        conclude_verdicts(judgements, "adjudicated" if against == FINAL else against)
        .select(["pair", "verdict"])
        .to_pydict()
    )
    return [
        (subject, against, verdict)
        for subject, verdict in zip(verdicts["pair"], verdicts["verdict"], strict=True)
        if subject in subjects
    ]


def _chosen_judges(judgements: LatestJudgements, options: AgreementOptions) -> list[str]:
    kinds = dict(zip(*(judgements.rows[name].to_pylist() for name in ("judge", "kind")), strict=True))
    names = dict(zip(*(judgements.judges[name].to_pylist() for name in ("judge", "name")), strict=True))
    if options.judges:
        chosen = []
        for pattern in options.judges:
            matching = [judge for judge in sorted(names) if fnmatchcase(judge, pattern) or names[judge] == pattern]
            if not matching:
                raise InputError(
                    f"Unknown judge '{pattern}'.", hint=f"Known judges: {', '.join(sorted(names)) or 'none'}."
                )
            chosen += [judge for judge in matching if judge in kinds and judge not in chosen]
        return chosen
    settling = deciding_judges(judgements.judges)
    people, llms = (
        sorted(judge for judge, judge_kind in kinds.items() if judge_kind == kind and judge not in settling)
        for kind in (JudgeKind.PERSON, JudgeKind.LLM)
    )
    if options.against is not None:
        return llms if JudgeKind.LLM in judgements.judges["kind"].to_pylist() else people
    return people if len(people) > 1 else [*people, *llms]
