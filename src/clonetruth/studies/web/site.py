"""What all pages of a study share: the study, its votes, its subjects as HTML, and the form of a vote."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from clonetruth.model import MemberValue, PairValue, RatingValue
from clonetruth.store.study import Study
from clonetruth.store.votes import InvitedJudge, ItemKey, JudgeRole, VoteStore
from clonetruth.studies.assignment_queue import Assigner
from clonetruth.studies.invitations import RateLimiter
from clonetruth.studies.rounds import Eligibility, plan_rounds
from clonetruth.studies.web.subject_views import SubjectViews
from clonetruth.studies.web.subjects import ItemTokens, SubjectQuestions
from clonetruth.studies.web.templating import render_page

# Answers and the vote form.

SKIP = "skip"
"""The value that the "Skip" button sends."""

_DAY_SECONDS = 86_400

# The label of each answer and its letter key. The keys of views and commands (d f h k n p r s z) are taken.
_ANSWERS: Mapping[str, tuple[str, str]] = {
    PairValue.CLONE: ("Clone", "c"),
    PairValue.NOT_CLONE: ("Not a clone", "x"),
    PairValue.UNDECIDED: ("Undecided", "u"),
    MemberValue.MAJOR: ("Major", "m"),
    MemberValue.INCOMPLETE: ("Incomplete", "i"),
    MemberValue.MINOR: ("Minor", "o"),
    MemberValue.WRONG: ("Wrong", "w"),
    MemberValue.TEST: ("Test", "t"),
    RatingValue.AGREE: ("Agree", "a"),
    RatingValue.CONDITIONALLY: ("Conditionally", "c"),
    RatingValue.DISAGREE: ("Disagree", "x"),
}


def answer_label(value: str, names: Mapping[str, str] | None = None) -> str:
    """The label of an answer's button; `names` are the protocol's own words."""
    return (names or {}).get(value) or _ANSWERS[value][0]


def answer_buttons(answers: Sequence[str], names: Mapping[str, str]) -> list[tuple[str, str, tuple[str, str]]]:
    """The buttons of a vote form: value, label, keys (the number in the row, and a letter)."""
    return [
        (value, answer_label(value, names), (str(number), _ANSWERS[value][1]))
        for number, value in enumerate(answers, start=1)
    ]


@dataclass(frozen=True)
class SentVote:
    """The content of a vote form.

    Attributes:
        key: the idempotency key.
        item: the item's token on the page.
        value: the answer; None for a skip.
        confidence: how sure the judge is.
        reason: why.
        seconds: how long the judge took, if the page knows.
    """

    key: str
    item: str
    value: str | None
    confidence: float | None
    reason: str | None
    seconds: float | None


def read_vote_form(form: Mapping[str, str], answers: Sequence[str]) -> SentVote:
    """Read a vote form.

    Raises:
        HTTPException: the answer is not among `answers`, or the confidence is not between 0 and 1 (400).
    """
    value = form.get("value")
    if value != SKIP and value not in answers:
        raise HTTPException(400, f"Answer with one of: {', '.join(answers)}, {SKIP}.")
    confidence = _number(form.get("confidence"), 1.0)
    if form.get("confidence") and confidence is None:
        raise HTTPException(400, "The confidence must be a number between 0 and 1.")
    return SentVote(
        key=form.get("key", ""),
        item=form.get("item", ""),
        value=None if value == SKIP else value,
        confidence=None if value == SKIP else confidence,
        reason=form.get("reason", "").strip() or None,
        # An impossible time is treated as unknown: the vote itself is still good.
        seconds=_number(form.get("seconds"), _DAY_SECONDS),
    )


def _number(text: str | None, maximum: float) -> float | None:
    """A number from 0 to `maximum`; None for everything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number <= maximum else None


PAGES: Mapping[JudgeRole, tuple[tuple[str, str], ...]] = {
    JudgeRole.JUDGE: (("/judge", "Judge"),),
    JudgeRole.ADJUDICATOR: (("/adjudicate", "Disagreements"), ("/review", "Reviews")),
    JudgeRole.OWNER: (("/dashboard", "Dashboard"),),
}
"""The pages of each role, path and name; the first is the role's home page."""


@dataclass(frozen=True)
class JudgeRequest:
    """A request of an authenticated visitor.

    Attributes:
        judge: the visitor.
        form_token: the token that the forms on the page must carry.
        query: the parameters of the address.
        form: the fields of the form, for a POST request.
    """

    judge: InvitedJudge
    form_token: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The visitor's own name."""
        return self.judge.name

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """The pages that the visitor may open."""
        return PAGES[self.judge.role]


_CACHED_SUBJECTS = 256


class Site:
    """The pages of one study.

    Args:
        study: the study.
        vote_store: where its votes are kept.
        limiter: limits the number of unknown links that an address may try.
        https: whether judges reach the pages by HTTPS only.

    Raises:
        InputError: the study lacks the text of a subject.
    """

    def __init__(self, study: Study, vote_store: VoteStore, limiter: RateLimiter, https: bool = False) -> None:
        self.study = study
        self.vote_store = vote_store
        self.limiter = limiter
        self.https = https
        self.plan = plan_rounds(study)
        self.questions = SubjectQuestions(study)
        self.assigner = Assigner(self.plan, vote_store)
        self.item_tokens = ItemTokens(vote_store.secret)
        # Several judges see the same subject; its HTML is made once for all of them.
        self.subject_views = lru_cache(_CACHED_SUBJECTS)(self._subject_views)

    def page(self, template: str, request: JudgeRequest | None, **values: object) -> Response:
        """Render a page for a visitor; `request` is None for a visitor who is not signed in."""
        return HTMLResponse(render_page(template, study=self.study.plan.title, visitor=request, **values))

    def message(self, title: str, text: str, status: int = 200, *, back: bool = False) -> Response:
        """Render a page with one message.

        Args:
            title: its heading.
            text: the message.
            status: the HTTP status.
            back: add a link to the visitor's own page.
        """
        response = self.page("message.html.j2", None, title=title, text=text, back=back)
        response.status_code = status
        return response

    def answer_label(self, value: str) -> str:
        """The label of an answer in the words of the protocol."""
        return answer_label(value, self.study.plan.protocol.answer_names)

    def subject_values(
        self, request: JudgeRequest, item: ItemKey, swapped: bool, subject_key: ItemKey | None = None
    ) -> dict[str, object]:
        """The template values that show an item to a visitor, in the view that the visitor requests.

        Args:
            request: the visitor's request.
            item: what is asked about.
            swapped: whether the sides are swapped.
            subject_key: the pair or check that the item is a side of (default: the item itself).
        """
        subject = self.question_views(item, swapped, subject_key or item)
        names = [name for name, _, _ in subject.views]
        requested = request.query.get("show")
        return {
            "title": subject.question.text,
            "subject": subject,
            "item": self.item_tokens.token(request.judge.id, item),
            "key": new_key(),
            "offered": subject.views,
            "shown": requested if requested in names else names[0],
            "choices": answer_buttons(subject.question.answers, self.study.plan.protocol.answer_names),
        }

    def eligibility(self) -> Eligibility:
        """The judges and their current votes at this moment."""
        return Eligibility(self.plan, self.vote_store.judges(), self.vote_store.current_votes(), datetime.now(UTC))

    def question_views(self, item: ItemKey, swapped: bool, subject: ItemKey) -> SubjectViews:
        """The views of a subject, with the question on the subject or on one of its sides."""
        steps = self.plan.steps(subject, swapped)
        return self.subject_views(subject, swapped, None if item == subject else steps.index(item))

    def _subject_views(self, item: ItemKey, swapped: bool, focus: int | None = None) -> SubjectViews:
        return SubjectViews(self.questions.ask(item, swapped, focus))


def new_key() -> str:
    """An idempotency key for a form: a form that is sent twice with one key counts once."""
    return secrets.token_urlsafe(16)
