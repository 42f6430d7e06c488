"""Answers that rarely go together: a clone whose methods are not labelled as those of clones usually are.

Such an answer is not an error: the protocol asks for a second look and a reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from clonetruth.model import PairValue, RatingValue
from clonetruth.store.study import Study
from clonetruth.verdicts.latest_judgements import LatestJudgements

POSITIVE_ANSWERS = (PairValue.CLONE, RatingValue.AGREE)
"""The answers that call a pair a clone."""


@dataclass(frozen=True)
class UnusualClone:
    """A clone whose methods have other labels than those of clones usually have.

    Attributes:
        judge: who says so.
        subject: the number of the pair.
        labels: the judge's labels of the left and of the right method.
    """

    judge: str
    subject: int
    labels: tuple[str, str]


def find_unusual_clones(study: Study, pairs: LatestJudgements, methods: LatestJudgements) -> tuple[UnusualClone, ...]:
    """The clones that a judge sees in spite of the labels that the same judge gave to their methods.

    Args:
        study: the study; its protocol says which labels clones usually have.
        pairs: the latest judgements on pairs.
        methods: the latest judgements on methods.

    Returns:
        One entry for each judge and pair, in the order of the pairs; none if the protocol names no labels.
    """
    usual = study.plan.protocol.clone_labels
    if not usual:
        return ()
    answers, labels = _answers(pairs), _answers(methods)
    return tuple(
        UnusualClone(judge, subject, (left, right))
        for subject, sides in study.methods_of_pairs.items()
        for judge, value in sorted(answers.get(subject, {}).items())
        if value in POSITIVE_ANSWERS
        for left, right in [[labels.get(side, {}).get(judge) for side in sides]]
        if left is not None and right is not None and not (left in usual and right in usual)
    )


def _answers(judgements: LatestJudgements) -> Mapping[int, Mapping[str, str]]:
    """The answer of each judge on each subject."""
    answers: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for row in judgements.rows.select(["subject", "judge", "value"]).to_pylist():
        answers[row["subject"]][row["judge"]] = row["value"]
    return answers
