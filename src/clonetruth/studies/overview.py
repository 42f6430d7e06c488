"""How a study stands, as its owner sees it: who did what, how well judges agree, what the labels seem to be worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, PairValue
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import StudyEstimate
from clonetruth.store.votes import ItemKey, ItemKind, VoteStore, votes_as_tables
from clonetruth.studies import estimate_labels, resolve_study
from clonetruth.studies.agreement import AgreementReport, agreement_of_study
from clonetruth.studies.judge_list import JudgeStatus, roster
from clonetruth.studies.rounds import Eligibility, SubjectOutcome, plan_of

POLICY = "adjudicated"
"""How the dashboard concludes from votes: decisions count where judges differ."""


@dataclass(frozen=True)
class StudyStage:
    """How far some subjects are.

    Attributes:
        name: which subjects: all pairs, all methods, or the pairs of a functionality.
        subjects: how many there are.
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
    """How a study stands.

    Attributes:
        judges: who is invited, and how far they are.
        kinds: how far pairs and methods are.
        functionalities: how far the pairs of each functionality are; none where the study has none.
        agreement: how well judges agree; None where no two spoke of the same subjects.
        estimate: what the labels seem to be worth; None where the criterion has no verdicts of clone and not clone.
    """

    judges: tuple[JudgeStatus, ...]
    kinds: tuple[StudyStage, ...]
    functionalities: tuple[StudyStage, ...]
    agreement: AgreementReport | None
    estimate: StudyEstimate | None


def overview(study: Study, box: VoteStore) -> StudyOverview:
    """How a study stands at this moment."""
    votes = votes_as_tables(box, study.plan)
    roll = Eligibility(plan_of(study), box.judges(), box.standing(), datetime.now(UTC))
    outcomes = {item: roll.turn(item).outcome for item in roll.plan.subjects}
    decided = box.adjudications().keys()
    names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
    groups: dict[str, list[ItemKey]] = {}
    for number, functionality in enumerate(study.subjects["functionality"].to_pylist()):
        if functionality is not None:
            groups.setdefault(names.get(functionality, functionality), []).append(ItemKey(ItemKind.PAIR, number))

    def stage(name: str, items: Sequence[ItemKey]) -> StudyStage:
        found = [outcomes[item] for item in items]
        differing = [item for item in items if outcomes[item] in (SubjectOutcome.DIFFERENT, SubjectOutcome.UNDECIDED)]
        return StudyStage(
            name=name,
            subjects=len(items),
            judged=len(items) - found.count(SubjectOutcome.OPEN),
            agreed=found.count(SubjectOutcome.AGREED),
            differ=len(differing),
            decided=len(decided & set(differing)),
        )

    kinds = {
        "pairs": [item for item in outcomes if item.kind is ItemKind.PAIR],
        "methods": [item for item in outcomes if item.kind is ItemKind.METHOD],
    }
    return StudyOverview(
        judges=roster(study, box),
        kinds=tuple(stage(name, items) for name, items in kinds.items() if items),
        functionalities=tuple(stage(name, items) for name, items in sorted(groups.items())),
        agreement=_agreement(study, votes),
        estimate=_estimate(study, votes),
    )


def _agreement(study: Study, votes: tuple[pa.Table, pa.Table]) -> AgreementReport | None:
    try:
        return agreement_of_study(study, votes=votes)
    except InputError:
        # Two judges are wanted, and there are not yet two.
        return None


def _estimate(study: Study, votes: tuple[pa.Table, pa.Table]) -> StudyEstimate | None:
    if CRITERIA[study.plan.criterion].values != tuple(PairValue):
        return None
    return estimate_labels(study, resolve_study(study, POLICY, votes))
