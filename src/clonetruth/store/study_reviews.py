"""Reviews of a study: pairs that people have settled and a judge contradicts, reopened for another look.

    reviews/<judge>.json   which pairs were reopened against which judge, with both answers and the judge's explanation

The reviewers' decisions are votes like all others; what people said before stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.store.hashing import hash_json
from clonetruth.store.records import RecordFormat, write_text


@dataclass(frozen=True)
class ReopenedPair:
    """A pair whose settled verdict a judge contradicts.

    Attributes:
        subject: its number in the study.
        settled: the answer that people settled on.
        answer: the judge's answer.
        explanation: the judge's reason.
        spoke: ids of the people whose answers came in files; those who voted in the pages are in the vote store.
    """

    subject: int
    settled: str
    answer: str
    explanation: str | None
    spoke: tuple[str, ...]


@dataclass(frozen=True)
class StudyReview:
    """The pairs that were reopened against one judge.

    Attributes:
        judge: the judge's id.
        name: the judge's name.
        policy: the policy whose verdicts the judge contradicts.
        settled: number of pairs with a verdict that the judge decided as well, when the review was last extended.
        pairs: the reopened pairs, in the order of the study.
        time: when the review was last extended, in ISO 8601.
    """

    judge: str
    name: str
    policy: str
    settled: int
    pairs: tuple[ReopenedPair, ...]
    time: str


_FORMAT = RecordFormat(StudyReview, "clonetruth-study-review", 1, "review of a study", "`clonetruth study review`")


def write_review(study: Path, review: StudyReview) -> Path:
    """Write or extend a review atomically."""
    path = _path(study, review.judge)
    path.parent.mkdir(exist_ok=True)
    return write_text(_FORMAT.text(review), path)


def read_review(study: Path, judge: str) -> StudyReview | None:
    """The review against a judge; None if there is none.

    Raises:
        InputError: the file is damaged.
    """
    path = _path(study, judge)
    return _FORMAT.read(path) if path.exists() else None


def read_reviews(study: Path) -> tuple[StudyReview, ...]:
    """All reviews of a study, in the order of their judges.

    Raises:
        InputError: a file is damaged.
    """
    found = (_FORMAT.read(path) for path in (study / "reviews").glob("*.json"))
    return tuple(sorted(found, key=lambda review: review.judge))


def _path(study: Path, judge: str) -> Path:
    return study / "reviews" / f"{hash_json(judge)[:32]}.json"
