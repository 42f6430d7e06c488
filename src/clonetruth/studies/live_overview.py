"""The state of a study, kept up to date while votes arrive: what the dashboard shows.

The numbers are those of `study judges`, `agree` and `estimate` at this moment, never older ones. But a vote changes
what is known of one subject, and nothing else: only subjects whose judgements have changed since the last look are
judged again by the policy, however many pairs the study has. Everything is computed again when somebody judges for the
first time or withdraws, or a language model has answered.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, MemberValue, PairValue, VerdictValue
from clonetruth.stats.agreement import JudgePair
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import StudyEstimate
from clonetruth.store.study_judgements import STUDY_JUDGEMENTS, STUDY_JUDGES, SubjectKind, read_study_judgements
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.store.votes import CastVote, ItemKey, VoteStore, VoteTables, count_checks
from clonetruth.studies.agreement import AgreementReport, agreement_between_judges, report_agreement
from clonetruth.studies.assignment import Assignment
from clonetruth.studies.assignment_queue import Assigner
from clonetruth.studies.consistency import find_unusual_clones
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.overview import JudgeStatus, judge_status
from clonetruth.studies.resolution import Resolution, ResolvedSubjects
from clonetruth.studies.rounds import SubjectOutcome, plan_rounds
from clonetruth.verdicts.latest_judgements import LatestJudgements, conclude_verdicts, latest_study_judgements
from clonetruth.verdicts.policies import POLICIES

POLICY = "adjudicated"
"""The policy of the dashboard: where judges differ, the adjudicator's decision counts. It looks at one subject at a
time, which `LiveVerdicts` relies on."""


@dataclass(frozen=True)
class StudyStage:
    """The progress on a set of subjects.

    Attributes:
        name: which subjects: all pairs, all methods, or the pairs of a functionality.
        subjects: their number.
        judged: those that have all their votes.
        agreed: those of them on which all judges agree.
        differ: those on which judges differ, or which stayed undecided.
        decided: those of these that an adjudicator decided.
    """

    name: str
    subjects: int
    judged: int
    agreed: int
    differ: int
    decided: int


@dataclass(frozen=True)
class StudyOverview:
    """The state of a study.

    Attributes:
        judges: the invited judges and their progress.
        kinds: the progress on pairs and on methods.
        functionalities: the progress on the pairs of each functionality; empty if the study has none.
        agreement: the judges' agreement; None while no two judges share a subject.
        between: how every two judges answered the subjects that they share: on `pairs`, `methods` (main purpose or
            not) and `method_labels`.
        estimate: the estimated label errors; None if the criterion has no verdicts of clone and not clone.
    """

    judges: tuple[JudgeStatus, ...]
    kinds: tuple[StudyStage, ...]
    functionalities: tuple[StudyStage, ...]
    agreement: AgreementReport | None
    between: Mapping[str, tuple[JudgePair, ...]]
    estimate: StudyEstimate | None


class LiveVerdicts:
    """The latest judgements on the pairs or on the methods of a study, and the verdicts that follow.

    Args:
        study: the study.
        kind: pairs or methods.
    """

    def __init__(self, study: Study, kind: SubjectKind) -> None:
        self._study = study
        self._kind = kind
        protocol, is_pair = study.plan.protocol, kind is SubjectKind.PAIR
        self._positive = (MemberValue.MAJOR,) if is_pair else protocol.positive_labels
        self.subjects = (study.subjects if is_pair else study.methods).num_rows
        criterion = study.plan.criterion if is_pair else METHOD_CRITERION
        none = STUDY_JUDGES.empty_table()
        rows = pa.schema([("subject", pa.int64()), *((name, pa.string()) for name in ("judge", "kind", "value"))])
        self.latest = LatestJudgements(criterion, self.subjects, rows.empty_table(), none)
        self._verdicts: pa.Table | None = None

    def update(self, judges: pa.Table, judgements: pa.Table, changed: npt.NDArray[np.int64] | None) -> None:
        """Take over the judgements.

        Args:
            judges: all judges of the study.
            judgements: all judgements.
            changed: the subjects whose judgements have changed; None for all.
        """
        chosen = judgements.filter(pc.equal(judgements["subject_kind"], str(self._kind)))
        everything = changed is None or self._verdicts is None
        if everything:
            judged = np.unique(chosen["subject"].to_numpy())
            others = np.setdiff1d(np.arange(self.subjects), judged, assume_unique=True)
            # The policy says the same of all subjects that nobody has judged: it is asked about one of them.
            numbers = np.union1d(judged, others[:1])
        else:
            assert changed is not None
            numbers, others = changed, changed[:0]
            chosen = chosen.filter(pc.is_in(chosen["subject"], value_set=pa.array(numbers)))
        if not len(numbers):
            return
        found = latest_study_judgements(self._study, judges, chosen, self._kind).rows
        # The policy sees the subjects as a separate study.
        renumbered = pa.array(np.searchsorted(numbers, found["subject"].to_numpy()))
        part = LatestJudgements(self.latest.criterion, len(numbers), found.set_column(0, "subject", renumbered), judges)
        verdicts = conclude_verdicts(part.as_pairs(self._positive), POLICY).sort_by("pair")
        copies = np.repeat(np.searchsorted(numbers, others[:1]), max(0, len(others) - 1))
        verdicts = verdicts.take(np.append(np.arange(len(numbers)), copies))
        verdicts = verdicts.set_column(0, "pair", pa.array(np.append(numbers, others[1:])))
        rows = found
        if not everything:
            rows = pa.concat_tables([_without(self.latest.rows, "subject", numbers), found])
            verdicts = pa.concat_tables([_without(self._verdicts, "pair", numbers), verdicts])
        self.latest = LatestJudgements(self.latest.criterion, self.subjects, rows, judges)
        self._verdicts = verdicts.sort_by("pair").combine_chunks()

    def resolved(self) -> ResolvedSubjects:
        """The verdicts, without the list of open subjects."""
        assert self._verdicts is not None
        verdicts = self._verdicts.rename_columns(["subject", "verdict", "confidence", "judgements", "reason"])
        counts = {row["values"]: row["counts"] for row in verdicts["verdict"].value_counts().to_pylist()}
        return ResolvedSubjects(
            verdicts=verdicts,
            counts={str(value): counts.get(str(value), 0) for value in VerdictValue},
            judged=pc.count_distinct(self.latest.rows["subject"]).as_py(),
            open=(),
        )


def _without(table: pa.Table, column: str, numbers: npt.NDArray[np.int64]) -> pa.Table:
    return table.filter(pc.invert(pc.is_in(table[column], value_set=pa.array(numbers))))


class LiveOverview:
    """Gives the state of a study at any moment. It is thread-safe.

    Args:
        study: the study.
        vote_store: where its votes are kept.
        assigner: assigns its subjects (default: a new one).
    """

    def __init__(self, study: Study, vote_store: VoteStore, assigner: Assigner | None = None) -> None:
        self._study = study
        self._vote_store = vote_store
        self._assigner = assigner or Assigner(plan_rounds(study), vote_store)
        self._lock = threading.Lock()
        self._tables = VoteTables(study)
        self._verdicts = {kind: LiveVerdicts(study, kind) for kind in SubjectKind}
        self._votes = STUDY_JUDGEMENTS.empty_table()
        self._judges: pa.Table | None = None
        self._withdrawals = 0
        self._stored = 0
        # The group of each subject in the order of the plan: its kind, and its functionality, or -1.
        names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
        functionalities = [
            None if one is None else str(names.get(one, one)) for one in study.subjects["functionality"].to_pylist()
        ]
        self._names = sorted({one for one in functionalities if one is not None})
        numbers: dict[str | None, int] = {None: -1}
        numbers.update((name, number) for number, name in enumerate(self._names))
        methods = 0 if study.plan.protocol.sitting else study.methods.num_rows
        self._kinds = np.repeat([0, 1], [len(functionalities), methods])
        self._functionalities = np.array([*(numbers[one] for one in functionalities), *[-1] * methods], np.int64)

    def at_present(self) -> StudyOverview:
        """The state of the study at this moment.

        Raises:
            UnavailableError: the vote database did not answer.
        """
        with self._lock:
            withdrawals = len(self._vote_store.withdrawals())
            if withdrawals != self._withdrawals:
                # Erased votes leave no row behind, and their numbers are given out again.
                self._withdrawals, self._tables, self._judges = withdrawals, VoteTables(self._study), None
            votes = self._tables.read(self._vote_store)
            with self._assigner.current() as (assignment, progress):
                decided = self._vote_store.adjudications()
                checks = {one.judge: one for one in count_checks(self._study, self._vote_store)}
                judges = tuple(
                    judge_status(assignment, judge, progress[judge.id], decided, checks.get(judge.id))
                    for judge in assignment.eligibility.judges
                )
                kinds, functionalities = self._stages(assignment, decided)
            self._update(votes)
            agreement, between = self._agreement()
            return StudyOverview(judges, kinds, functionalities, agreement, between, self._estimate())

    def _update(self, votes: tuple[pa.Table, pa.Table]) -> None:
        judges, judgements = read_study_judgements(self._study.path, votes, self._study)
        stored = judgements.num_rows - votes[1].num_rows
        changed: dict[SubjectKind, npt.NDArray[np.int64] | None] = dict.fromkeys(SubjectKind)
        if self._judges is not None and stored == self._stored and judges.equals(self._judges):
            changed.update(_changed_subjects(self._votes, votes[1]))
        for kind, verdicts in self._verdicts.items():
            verdicts.update(judges, judgements, changed[kind])
        self._judges, self._votes, self._stored = judges, votes[1], stored

    def _stages(
        self, assignment: Assignment, decided: Mapping[ItemKey, CastVote]
    ) -> tuple[tuple[StudyStage, ...], tuple[StudyStage, ...]]:
        """The progress on pairs and methods, and on the pairs of each functionality."""
        positions, outcomes = assignment.eligibility.plan.positions, assignment.outcomes
        is_open, is_agreed = (
            np.fromiter((one is outcome for one in outcomes), np.bool_, len(outcomes))
            for outcome in (SubjectOutcome.OPEN, SubjectOutcome.AGREED)
        )
        is_decided = np.zeros(len(outcomes), np.bool_)
        is_decided[[positions[item] for item in decided if item in positions]] = True

        def stages(groups: npt.NDArray[np.int64], names: Sequence[str]) -> tuple[StudyStage, ...]:
            """The progress on each group; subjects with a negative number are in none."""

            def count(states: npt.NDArray[np.bool_]) -> list[int]:
                found: list[int] = np.bincount(groups[states & (groups >= 0)], minlength=len(names)).tolist()
                return found

            differ = ~is_open & ~is_agreed
            columns = map(count, (is_open | True, ~is_open, is_agreed, differ, differ & is_decided))
            return tuple(StudyStage(*one) for one in zip(names, *columns, strict=True) if one[1])

        return stages(self._kinds, ("pairs", "methods")), stages(self._functionalities, self._names)

    def _agreement(self) -> tuple[AgreementReport | None, Mapping[str, tuple[JudgePair, ...]]]:
        pairs, methods = (self._verdicts[kind].latest for kind in SubjectKind)
        positive = self._study.plan.protocol.positive_labels
        try:
            report = report_agreement(pairs, methods, positive, self._study.path)
        except InputError:
            # No two judges share a subject yet.
            return None, {}
        return report, agreement_between_judges(pairs, methods, positive)

    def _estimate(self) -> StudyEstimate | None:
        if CRITERIA[self._study.plan.criterion].values != tuple(PairValue):
            return None
        pairs, methods = (self._verdicts[kind] for kind in SubjectKind)
        rules = POLICIES[POLICY]
        resolution = Resolution(
            policy=rules.name,
            criterion=self._study.plan.criterion,
            assumptions=rules.assumptions,
            pairs=pairs.resolved(),
            methods=methods.resolved() if methods.subjects else None,
            unusual=find_unusual_clones(self._study, pairs.latest, methods.latest),
        )
        return estimate_labels(self._study, resolution)


def _changed_subjects(before: pa.Table, after: pa.Table) -> dict[SubjectKind, npt.NDArray[np.int64]]:
    """The subjects whose votes differ: a vote never changes, but it can come, and be taken back or replaced."""
    differing = pa.array(np.setxor1d(before["sequence"].to_numpy(), after["sequence"].to_numpy(), assume_unique=True))
    rows = pa.concat_tables(
        table.filter(pc.is_in(table["sequence"], value_set=differing)).select(["subject_kind", "subject"])
        for table in (before, after)
    )
    return {
        kind: np.unique(rows.filter(pc.equal(rows["subject_kind"], str(kind)))["subject"].to_numpy())
        for kind in SubjectKind
    }


def study_overview(study: Study, vote_store: VoteStore) -> StudyOverview:
    """The state of a study at this moment."""
    return LiveOverview(study, vote_store).at_present()
