"""The agreement of the judges of a benchmark or a study, on its pairs and on its methods."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, MemberValue, PairValue, RatingValue, Subject
from clonetruth.stats.agreement import Agreement, Ratings, measure_agreement
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.verdicts.latest_judgements import (
    LatestJudgements,
    asked_criteria,
    conclude,
    voices_of_benchmark,
    voices_of_study,
)
from clonetruth.verdicts.policies import settling_judges

FINAL = "final"
"""Another name of the policy `adjudicated` as what judges are compared with."""

_OTHER = "other"
"""What a method is that does not have the functionality as its main purpose."""

_SCALE = (
    *(PairValue.CLONE, RatingValue.AGREE, MemberValue.MAJOR, MemberValue.INCOMPLETE, RatingValue.CONDITIONALLY),
    *(PairValue.UNDECIDED, MemberValue.MINOR, MemberValue.TEST),
    *(PairValue.NOT_CLONE, RatingValue.DISAGREE, MemberValue.WRONG),
)
"""The order of answers, from "it is" to "it is not"."""


@dataclass(frozen=True)
class AgreementOptions:
    """Whose agreement is measured, and how.

    Attributes:
        criterion: what was asked of pairs; unless told, the only one, the card's, or the study's.
        judges: ids or names of judges, with `*` for any letters; unless told, the people who judged for themselves, and
            the LLMs too where there are fewer than two people.
        against: compare the judges with the verdicts of this policy (`final` for `adjudicated`) as with one more judge;
            the judges are then, unless told, the LLMs, or the people where there is no LLM.
        of: in a benchmark, only the pairs that this judge speaks of, such as those that a tool reports.
        undecided: count undecided as an answer of its own; unless told, it is none.
        confidence: of the intervals.
    """

    criterion: str | None = None
    judges: tuple[str, ...] = ()
    against: str | None = None
    of: str | None = None
    undecided: bool = False
    confidence: float = 0.95


@dataclass(frozen=True)
class AgreementReport:
    """The agreement on pairs and on methods.

    Attributes:
        criterion: what was asked of pairs.
        against: the policy that judges are compared with; None where they are compared with each other.
        pairs: the agreement on pairs; None where fewer than two speak of them.
        methods: the agreement on whether a method implements the functionality as its main purpose (`major`) or not
            (`other`); None where fewer than two speak of methods.
        method_labels: the agreement on the methods' labels.
        undecided: answers `undecided` that were left out.
    """

    criterion: str
    against: str | None
    pairs: Agreement | None
    methods: Agreement | None
    method_labels: Agreement | None
    undecided: int


def agreement_of_benchmark(benchmark: Benchmark, options: AgreementOptions | None = None) -> AgreementReport:
    """The agreement of the judges of a benchmark.

    Raises:
        InputError: nobody speaks of pairs under the criterion, or several criteria were asked and none is chosen; a
            judge or policy is unknown; or fewer than two judges remain.
    """
    chosen = options or AgreementOptions()
    spoken = asked_criteria(benchmark)
    criterion = chosen.criterion or _only_criterion(spoken, benchmark)
    if criterion not in CRITERIA or CRITERIA[criterion].subject is not Subject.PAIR:
        raise InputError(f"'{criterion}' is nothing that is asked of a pair.", hint=f"Asked: {', '.join(spoken)}.")
    known = benchmark.table("judges")["judge"].to_pylist()
    if chosen.of is not None and chosen.of not in known:
        raise InputError(f"There is no judge '{chosen.of}'.", where=benchmark.path, hint=f"Known: {', '.join(known)}.")
    pairs, methods = (voices_of_benchmark(benchmark, name, chosen.of) for name in (criterion, METHOD_CRITERION))
    return _report(chosen, pairs, methods, benchmark.path)


def agreement_of_study(
    study: Study, options: AgreementOptions | None = None, votes: tuple[pa.Table, pa.Table] | None = None
) -> AgreementReport:
    """The agreement of the judges of a study; `votes` are those of the ballot box, see `read_study_judgements`.

    Raises:
        InputError: the study asks for another criterion, a judge or policy is unknown, or fewer than two judges remain.
    """
    chosen = options or AgreementOptions()
    if chosen.criterion not in (None, study.plan.criterion):
        raise InputError(f"The study asks '{study.plan.criterion}', not '{chosen.criterion}'.", where=study.path)
    if chosen.of is not None:
        raise InputError("A study has no tools whose reports could be chosen.", where=study.path)
    judges, judgements = read_study_judgements(study.path, votes)
    pairs, methods = (voices_of_study(study, judges, judgements, kind) for kind in SubjectKind)
    return _report(chosen, pairs, methods, study.path)


def _only_criterion(spoken: Sequence[str], benchmark: Benchmark) -> str:
    pairs = [name for name in spoken if name in CRITERIA and CRITERIA[name].subject is Subject.PAIR]
    if benchmark.card.criterion in pairs or not pairs:
        return benchmark.card.criterion
    if len(pairs) > 1:
        raise InputError(
            "The judges of the benchmark were asked several things.",
            where=benchmark.path,
            hint=f"Choose one with --criterion: {', '.join(pairs)}.",
        )
    return pairs[0]


def _report(
    options: AgreementOptions, pairs: LatestJudgements, methods: LatestJudgements, where: object
) -> AgreementReport:
    # A verdict is clone or not: what is compared with verdicts is made so, too.
    on_pairs = _measured(pairs if options.against is None else pairs.as_pairs(), options)
    on_methods = _measured(
        methods.as_pairs(), options, {PairValue.CLONE: MemberValue.MAJOR, PairValue.NOT_CLONE: _OTHER}
    )
    if on_pairs is None and on_methods is None:
        there = ", ".join(sorted(set(pairs.rows["judge"].to_pylist()))) or "none"
        raise InputError(
            "Fewer than two judges speak of the same subjects.",
            where=where,
            hint=f"Judges who speak under '{pairs.criterion}': {there}.",
        )
    return AgreementReport(
        criterion=pairs.criterion,
        against=options.against,
        pairs=on_pairs,
        methods=on_methods,
        method_labels=None if options.against else _measured(methods, options),
        undecided=0 if options.undecided else _undecided(pairs) + _undecided(methods),
    )


def _undecided(voices: LatestJudgements) -> int:
    return int(voices.rows["value"].to_pylist().count(str(PairValue.UNDECIDED)))


def _measured(
    voices: LatestJudgements, options: AgreementOptions, words: Mapping[str, str] | None = None
) -> Agreement | None:
    """The agreement of the chosen judges; None where there are fewer than two. `words` rename answers."""
    judges = _chosen_judges(voices, options)
    rows = voices.rows.select(["subject", "judge", "value"]).to_pydict()
    votes = list(zip(rows["subject"], rows["judge"], rows["value"], strict=True))
    if options.against is not None:
        votes += _verdicts(voices, options.against, {subject for subject, judge, _ in votes if judge in judges})
        judges = [*judges, options.against]
    if len(judges) < 2:
        return None
    answers = set(PairValue) if set(rows["value"]) <= set(PairValue) else set(CRITERIA[voices.criterion].values)
    categories = [one for one in _SCALE if one in answers and (options.undecided or one != PairValue.UNDECIDED)]
    ratings = Ratings.of(votes, categories, judges)
    named = tuple(str((words or {}).get(one, one)) for one in categories)
    return measure_agreement(replace(ratings, categories=named), confidence=options.confidence)


def _verdicts(voices: LatestJudgements, against: str, subjects: Container[int]) -> list[tuple[int, str, str]]:
    """What a policy concludes of some subjects, as the votes of one more judge."""
    found = conclude(voices, "adjudicated" if against == FINAL else against).select(["pair", "verdict"]).to_pydict()
    return [
        (subject, against, verdict)
        for subject, verdict in zip(found["pair"], found["verdict"], strict=True)
        if subject in subjects
    ]


def _chosen_judges(voices: LatestJudgements, options: AgreementOptions) -> list[str]:
    kinds = dict(zip(*(voices.rows[name].to_pylist() for name in ("judge", "kind")), strict=True))
    names = dict(zip(*(voices.judges[name].to_pylist() for name in ("judge", "name")), strict=True))
    if options.judges:
        chosen = []
        for pattern in options.judges:
            fitting = [judge for judge in sorted(names) if fnmatchcase(judge, pattern) or names[judge] == pattern]
            if not fitting:
                raise InputError(
                    f"There is no judge '{pattern}'.", hint=f"Known: {', '.join(sorted(names)) or 'none'}."
                )
            chosen += [judge for judge in fitting if judge in kinds and judge not in chosen]
        return chosen
    settling = settling_judges(voices.judges)
    people, llms = (
        sorted(judge for judge, its in kinds.items() if its == kind and judge not in settling)
        for kind in (JudgeKind.PERSON, JudgeKind.LLM)
    )
    if options.against is not None:
        return llms if JudgeKind.LLM in voices.judges["kind"].to_pylist() else people
    return people if len(people) > 1 else [*people, *llms]
