"""The agreement of the judges of a benchmark or a study, on its pairs and on its methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, MemberValue, PairValue, RatingValue, Subject
from clonetruth.options.declaration import verb
from clonetruth.options.study import AgreementOptions
from clonetruth.stats.agreement import MISSING, Agreement, JudgePair, Ratings, judge_pairs
from clonetruth.stats.agreement import measure_agreement as measure_ratings
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.study import Study, is_study
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.store.votes import JudgeChecks, judges_below, read_checks
from clonetruth.studies.conflicts import (
    FunctionalityConflicts,
    PairPlace,
    benchmark_places,
    find_conflicts,
    study_places,
)
from clonetruth.studies.consistency import UnusualClone, find_unusual_clones
from clonetruth.studies.study_folder import Votes, open_study, open_votes, without_judges
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
        by_functionality: the pairs, clones and conflicts of each functionality, if judges are compared with a policy.
        unusual: clones whose methods the same judge labelled otherwise than clones usually are, in a study.
        checks: how each judge of a study did on attention checks and repeats.
        excluded: the judges below the protocol's threshold of attention.
        attentive: the agreement without them; None if there are none, or too few judges remain.
    """

    criterion: str
    against: str | None
    pairs: Agreement | None
    methods: Agreement | None
    method_labels: Agreement | None
    undecided: int
    by_functionality: tuple[FunctionalityConflicts, ...] = ()
    unusual: tuple[UnusualClone, ...] = ()
    checks: tuple[JudgeChecks, ...] = ()
    excluded: tuple[str, ...] = ()
    attentive: AgreementReport | None = None


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
        return study_agreement(study, options, open_votes(study, options.votes), read_checks(study, options.votes))
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
    report = _report(chosen, pairs, methods, benchmark.path)
    return _with_conflicts(report, chosen, pairs, lambda: benchmark_places(benchmark, pairs.pairs))


def study_agreement(
    study: Study,
    options: AgreementOptions | None = None,
    votes: Votes | None = None,
    checks: tuple[JudgeChecks, ...] = (),
) -> AgreementReport:
    """Measure the agreement of the judges of a study.

    Args:
        study: the study.
        options: whose agreement, and how.
        votes: the votes of the vote store (`read_votes`).
        checks: how the judges did on attention checks and repeats (`read_checks`).

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
    everything = read_study_judgements(study.path, votes)

    def report(without: tuple[str, ...] = ()) -> AgreementReport:
        judges, judgements = without_judges(everything, without)
        pairs, methods = (latest_study_judgements(study, judges, judgements, kind) for kind in SubjectKind)
        found = _report(chosen, pairs, methods, study.path, study.plan.protocol.positive_labels)
        found = _with_conflicts(found, chosen, pairs, lambda: study_places(study))
        return replace(found, unusual=find_unusual_clones(study, pairs, methods))

    excluded = judges_below(checks, study.plan.protocol.attentive)
    found = replace(report(), checks=checks, excluded=excluded)
    try:
        return replace(found, attentive=report(excluded)) if excluded else found
    except InputError:
        # Fewer than two judges remain, or one who was asked for by name does not.
        return found


def report_agreement(
    pairs: LatestJudgements, methods: LatestJudgements, positive: Sequence[str], where: Path
) -> AgreementReport:
    """Measure the agreement of all judges of a study, without that of every two (`agreement_between_judges`).

    Args:
        pairs: the latest judgements on pairs.
        methods: the latest judgements on methods.
        positive: the labels of a method that count as `clone`.
        where: the study, for messages.

    Raises:
        InputError: fewer than two judges judged the same subjects.
    """
    return _report(AgreementOptions(source=where), pairs, methods, where, positive, between=False)


def agreement_between_judges(
    pairs: LatestJudgements, methods: LatestJudgements, positive: Sequence[str]
) -> Mapping[str, tuple[JudgePair, ...]]:
    """How every two judges answered the subjects that they share; the keys are those of `AgreementReport`."""
    options = AgreementOptions(source=Path())
    asked = {
        "pairs": _ratings(pairs, options),
        "methods": _ratings(methods.as_pairs(positive), options, _method_labels(positive)),
        "method_labels": _ratings(methods, options),
    }
    return {name: judge_pairs(ratings) for name, ratings in asked.items() if ratings is not None}


def _with_conflicts(
    report: AgreementReport,
    options: AgreementOptions,
    pairs: LatestJudgements,
    places: Callable[[], Mapping[int, PairPlace]],
) -> AgreementReport:
    """The report with the conflicts by functionality, if judges are compared with verdicts."""
    if options.against is None or report.pairs is None:
        return report
    judgements = pairs.as_pairs()
    judges = _chosen_judges(judgements, options)
    rows = judgements.rows.select(["subject", "judge", "value"]).to_pydict()
    answers = [
        (subject, judge, value)
        for subject, judge, value in zip(rows["subject"], rows["judge"], rows["value"], strict=True)
        if judge in judges and (options.undecided or value != PairValue.UNDECIDED)
    ]
    judged = pa.array(sorted({subject for subject, _, _ in answers}), pa.int64())
    verdicts = _verdicts(judgements, options.against, judged)
    by_subject = dict(zip(verdicts["subject"].to_pylist(), verdicts["value"].to_pylist(), strict=True))
    return replace(report, by_functionality=find_conflicts(answers, by_subject, places()))


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
    options: AgreementOptions,
    pairs: LatestJudgements,
    methods: LatestJudgements,
    where: object,
    positive: Sequence[str] = (MemberValue.MAJOR,),
    *,
    between: bool = True,
) -> AgreementReport:
    def measured(judgements: LatestJudgements, labels: Mapping[str, str] | None = None) -> Agreement | None:
        ratings = _ratings(judgements, options, labels)
        return None if ratings is None else measure_ratings(ratings, confidence=options.confidence, between=between)

    # A verdict is clone or not clone, so answers that are compared with verdicts are reduced to that.
    on_pairs = measured(pairs if options.against is None else pairs.as_pairs())
    on_methods = measured(methods.as_pairs(positive), _method_labels(positive))
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
        method_labels=None if options.against else measured(methods),
        undecided=0 if options.undecided else _undecided(pairs) + _undecided(methods),
    )


def _undecided(judgements: LatestJudgements) -> int:
    return int(pc.sum(pc.equal(judgements.rows["value"], str(PairValue.UNDECIDED))).as_py() or 0)


def _method_labels(positive: Sequence[str]) -> Mapping[str, str]:
    return {PairValue.CLONE: " or ".join(positive), PairValue.NOT_CLONE: _OTHER}


def _ratings(
    judgements: LatestJudgements, options: AgreementOptions, labels: Mapping[str, str] | None = None
) -> Ratings | None:
    """The answers of the chosen judges; None if there are fewer than two. `labels` rename answers."""
    judges = _chosen_judges(judgements, options)
    rows = judgements.rows.select(["subject", "judge", "value"])
    given = set(rows["value"].unique().to_pylist())
    rows = rows.filter(pc.is_in(rows["judge"], value_set=pa.array(judges, pa.string())))
    if options.against is not None:
        rows = pa.concat_tables(
            [rows, _verdicts(judgements, options.against, rows["subject"].combine_chunks()).cast(rows.schema)]
        )
        judges = [*judges, options.against]
    if len(judges) < 2:
        return None
    answers = set(PairValue) if given <= set(PairValue) else set(CRITERIA[judgements.criterion].values)
    categories = [one for one in _SCALE if one in answers and (options.undecided or one != PairValue.UNDECIDED)]
    subjects, numbers = np.unique(rows["subject"].to_numpy(), return_inverse=True)
    columns = pc.index_in(rows["judge"], value_set=pa.array(judges, pa.string())).to_numpy()
    values = pc.index_in(rows["value"], value_set=pa.array([str(one) for one in categories], pa.string()))
    matrix = np.full((len(subjects), len(judges)), MISSING, np.int64)
    matrix[numbers, columns] = values.fill_null(MISSING).to_numpy()
    return Ratings(tuple(judges), tuple(str((labels or {}).get(one, one)) for one in categories), matrix)


def _verdicts(judgements: LatestJudgements, against: str, subjects: pa.Array) -> pa.Table:
    """The verdicts of a policy on some subjects, as the answers of one more judge."""
    found = conclude_verdicts(judgements, "adjudicated" if against == FINAL else against)
    found = found.filter(pc.is_in(found["pair"], value_set=subjects))
    judge = pa.array([against] * found.num_rows, pa.string())
    return pa.table({"subject": found["pair"], "judge": judge, "value": found["verdict"]})


def _chosen_judges(judgements: LatestJudgements, options: AgreementOptions) -> list[str]:
    present = judgements.rows.group_by(["judge", "kind"]).aggregate([])
    kinds = dict(zip(*(present[name].to_pylist() for name in ("judge", "kind")), strict=True))
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
