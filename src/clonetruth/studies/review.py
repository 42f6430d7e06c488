"""Reviewing a study: pairs that people settled and a judge contradicts, another look at them, and what it changes.

Only contradicted pairs are reopened, so a review can bring people and judge together, and never apart.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, PairValue, RatingValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import AgreementOptions, ReviewStudyOptions
from clonetruth.stats.agreement import Agreement
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import LabelShare
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.study_reviews import ReopenedPair, StudyReview, read_review, write_review
from clonetruth.store.votes import read_votes
from clonetruth.store.votes.study_votes import REVIEW_JUDGE
from clonetruth.studies.agreement import study_agreement
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.resolution import resolve_subjects
from clonetruth.studies.study_folder import Votes, open_study
from clonetruth.verdicts.latest_judgements import latest_study_judgements

POLICY = "adjudicated"
"""The policy by which pairs are settled, and by which the decisions of reviews count."""

ANY_LLM = "llm"
"""Stands for the only language model that judged the study."""

CAUTION = (
    "Only pairs that the judge contradicts were reopened, none of those on which it agrees: errors that both share "
    "stay, and the agreement can only rise. It does not show how far the judge agrees with people who decide afresh."
)


@dataclass(frozen=True)
class ReviewNumbers:
    """The numbers of a study, without or with the decisions of reviews.

    Attributes:
        agreement: the agreement of the judge with the verdicts.
        wrong_labels: the share of the dataset's labels that are wrong; None if the study has no labels.
        clones: number of pairs that the verdicts call clones.
        not_clones: number of pairs that they call other than clones.
    """

    agreement: Agreement | None
    wrong_labels: LabelShare | None
    clones: int
    not_clones: int


@dataclass(frozen=True)
class ReviewedPair:
    """A reopened pair and what became of it.

    Attributes:
        pair: the settled answer, the judge's answer and its explanation.
        decision: `accepted` if the judge's answer now counts, `rejected` if the settled one stays, `open` if nobody has
            decided.
        reason: why, in the reviewer's words.
    """

    pair: ReopenedPair
    decision: str
    reason: str | None


@dataclass(frozen=True)
class ReviewReport:
    """A review, and the numbers before and after.

    Attributes:
        judge: id of the judge whose contradictions were reopened.
        policy: the policy behind the verdicts, by which the latest decision of people counts.
        compared: number of settled pairs that the judge decided as well.
        reopened: number of pairs that were reopened.
        new: how many of them this call reopened.
        accepted: number of pairs on which the judge's answer was accepted.
        rejected: number of pairs on which the settled answer stays.
        open: number of pairs that nobody has reviewed yet.
        pairs: the reopened pairs.
        before: the numbers without any review.
        after: the numbers with the decisions of reviews.
        caution: what must be stated next to the numbers.
    """

    judge: str
    policy: str
    compared: int
    reopened: int
    new: int
    accepted: int
    rejected: int
    open: int
    pairs: tuple[ReviewedPair, ...]
    before: ReviewNumbers
    after: ReviewNumbers
    caution: str = CAUTION


@verb(ReviewStudyOptions)
def review_study(options: ReviewStudyOptions) -> ReviewReport:
    """Reopen the pairs that people settled and a judge contradicts, and report the numbers before and after.

    Calling it again adds pairs that are settled, or contradicted, by now; nothing is closed again, and no vote is
    changed. Adjudicators review the pairs in the pages of the study.

    Returns:
        The reopened pairs with their decisions, and agreement and wrong labels before and after, with intervals.

    Raises:
        InputError: the folder is not a study; there is no such judge, or several; or with `status`, no review.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="reviewed-study", n=5)
        >>> _ = study.add_answers("ann", {0: "clone", 1: "clone"})
        >>> _ = study.add_answers("bob", {0: "clone", 1: "clone"})
        >>> _ = study.add_answers("llm:tiny", {0: "clone", 1: "not-clone"}, kind="llm")
        >>> report = clonetruth.review_study(study)
        >>> report.reopened, report.before.agreement.agreement
        (1, 0.5)
    """
    study = open_study(options.study)
    earlier = read_votes(study.path, options.votes, reviews=False)
    judge, name = _judge(study, earlier, options.against)
    known = read_review(study.path, judge)
    if options.status and known is None:
        raise InputError(
            f"No pair was reopened against '{judge}'.", where=study.path, hint="Leave out --status to reopen pairs."
        )
    review = known if options.status and known is not None else _extended(study, earlier, judge, name, known)
    if review != known:
        write_review(study.path, review)
    now = read_votes(study.path, options.votes)
    decided = _decisions(now[1])
    pairs = tuple(_reviewed(pair, decided) for pair in review.pairs)
    decisions = [one.decision for one in pairs]
    return ReviewReport(
        judge=judge,
        policy=review.policy,
        compared=review.settled,
        reopened=len(pairs),
        new=len(pairs) - (len(known.pairs) if known else 0),
        accepted=decisions.count("accepted"),
        rejected=decisions.count("rejected"),
        open=decisions.count("open"),
        pairs=pairs,
        before=_numbers(study, earlier, judge, review.policy),
        after=_numbers(study, now, judge, review.policy),
    )


def _judge(study: Study, votes: Votes, against: str) -> tuple[str, str]:
    """The judge whose contradictions are reopened: by id or name, or the only language model."""
    judges, judgements = read_study_judgements(study.path, votes)
    speaking = set(judgements["judge"].to_pylist())
    rows = [row for row in judges.to_pylist() if row["judge"] in speaking]
    llms = [row for row in rows if row["kind"] == JudgeKind.LLM]
    found = llms if against == ANY_LLM else [row for row in rows if against in (row["judge"], row["name"])]
    if len(found) != 1:
        what = "Several judges match" if found else "No judge matches"
        listed = ", ".join(row["judge"] for row in (found or rows)) or "none"
        raise InputError(f"{what} '{against}'.", where=study.path, hint=f"Choose one by its id (--against): {listed}.")
    return found[0]["judge"], found[0]["name"]


def _extended(study: Study, votes: Votes, judge: str, name: str, known: StudyReview | None) -> StudyReview:
    """A review with all pairs that are contradicted by now, in addition to those that were reopened before."""
    judges, judgements = read_study_judgements(study.path, votes)
    pairs = latest_study_judgements(study, judges, judgements, SubjectKind.PAIR)
    verdicts = resolve_subjects(study, POLICY, votes).pairs.verdicts["verdict"].to_pylist()
    rows = pairs.as_pairs().rows.to_pylist()
    words = _words(CRITERIA[study.plan.criterion].values)
    answers = {row["subject"]: row["value"] for row in rows if row["judge"] == judge and row["value"] in words}
    settled = {subject: verdict for subject, verdict in enumerate(verdicts) if verdict in words and subject in answers}
    reopened = {pair.subject: pair for pair in known.pairs} if known is not None else {}
    reasons = _reasons(judgements, judge)
    imported = set(read_study_judgements(study.path)[0]["judge"].to_pylist())
    for subject, verdict in settled.items():
        if answers[subject] != verdict and subject not in reopened:
            # Those who voted in the pages may withdraw; the vote store knows them.
            spoke = sorted(
                row["judge"]
                for row in rows
                if row["subject"] == subject and row["kind"] == JudgeKind.PERSON and row["judge"] in imported
            )
            reopened[subject] = ReopenedPair(
                subject, words[verdict], words[answers[subject]], reasons.get(subject), tuple(spoke)
            )
    found = tuple(reopened[subject] for subject in sorted(reopened))
    if known is not None and (known.pairs, known.settled) == (found, len(settled)):
        return known
    time = datetime.now(UTC).isoformat(timespec="seconds")
    return StudyReview(judge, name, POLICY, len(settled), found, time)


def _words(values: Iterable[str]) -> dict[str, str]:
    """The study's answers for the two verdicts."""
    if RatingValue.AGREE in values:
        return {PairValue.CLONE: RatingValue.AGREE.value, PairValue.NOT_CLONE: RatingValue.DISAGREE.value}
    return {PairValue.CLONE: PairValue.CLONE.value, PairValue.NOT_CLONE: PairValue.NOT_CLONE.value}


def _reasons(judgements: pa.Table, judge: str) -> dict[int, str | None]:
    """The judge's latest explanation on each pair."""
    own = judgements.filter(
        pc.and_(pc.equal(judgements["judge"], judge), pc.equal(judgements["subject_kind"], str(SubjectKind.PAIR)))
    ).sort_by("sequence")
    return dict(zip(own["subject"].to_pylist(), own["reason"].to_pylist(), strict=True))


def _decisions(judgements: pa.Table) -> dict[int, tuple[str, str | None]]:
    """The decision and its reason on each reviewed pair."""
    return {
        row["subject"]: (row["value"], row["reason"])
        for row in judgements.sort_by("sequence").to_pylist()
        if row["judge"].startswith(REVIEW_JUDGE)
    }


def _reviewed(pair: ReopenedPair, decided: dict[int, tuple[str, str | None]]) -> ReviewedPair:
    value, reason = decided.get(pair.subject, (None, None))
    if value is None:
        return ReviewedPair(pair, "open", None)
    return ReviewedPair(pair, "accepted" if value == pair.answer else "rejected", reason)


def _numbers(study: Study, votes: Votes, judge: str, policy: str) -> ReviewNumbers:
    resolution = resolve_subjects(study, policy, votes)
    estimate = estimate_labels(study, resolution)
    options = AgreementOptions(source=study.path, judges=(glob.escape(judge),), against=policy)
    return ReviewNumbers(
        agreement=study_agreement(study, options, votes).pairs,
        wrong_labels=estimate.labels if estimate.labelled else None,
        clones=resolution.pairs.counts[PairValue.CLONE],
        not_clones=resolution.pairs.counts[PairValue.NOT_CLONE],
    )
