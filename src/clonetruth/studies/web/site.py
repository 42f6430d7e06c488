"""What all pages of a study share: the study, its ballot box, drawings, and what its items are called outside."""

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
from clonetruth.studies.rounds import Eligibility, plan_of
from clonetruth.studies.web.subject_views import SubjectViews
from clonetruth.studies.web.subjects import ItemTokens, SubjectQuestions
from clonetruth.studies.web.templating import PageStyle

# Answers as a judge meets them: their words, their keys, and what a sent ballot says.

SKIP = "skip"
"""What the button "later" sends."""

_DAY_SECONDS = 86_400

# The words of an answer and its letter; the letters of views and commands (d f h k n p r s z) are taken.
_WORDS: Mapping[str, tuple[str, str]] = {
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


def in_words(value: str) -> str:
    """An answer in the words of its button."""
    return _WORDS[value][0]


def choices(answers: Sequence[str]) -> list[tuple[str, str, tuple[str, str]]]:
    """The buttons of a ballot: value, words, keys (the number in the row, and a letter)."""
    return [(value, in_words(value), (str(number), _WORDS[value][1])) for number, value in enumerate(answers, start=1)]


@dataclass(frozen=True)
class SentBallot:
    """What a sent form says.

    Attributes:
        key: the idempotency key.
        item: what the page called the item.
        value: the answer; None for a skip.
        confidence: how sure the judge is.
        reason: why.
        seconds: how long it took, as far as the page knows.
    """

    key: str
    item: str
    value: str | None
    confidence: float | None
    reason: str | None
    seconds: float | None


def read_ballot(form: Mapping[str, str], answers: Sequence[str]) -> SentBallot:
    """What a form says.

    Raises:
        HTTPException: the answer is none of those that were asked for, or the confidence is no share (400).
    """
    value = form.get("value")
    if value != SKIP and value not in answers:
        raise HTTPException(400, f"Answer with one of: {', '.join(answers)}, {SKIP}.")
    confidence = _number(form.get("confidence"), 1.0)
    if form.get("confidence") and confidence is None:
        raise HTTPException(400, "How sure you are is a number between 0 and 1.")
    return SentBallot(
        key=form.get("key", ""),
        item=form.get("item", ""),
        value=None if value == SKIP else value,
        confidence=None if value == SKIP else confidence,
        reason=form.get("reason", "").strip() or None,
        # A time that cannot be is not known; it is no ground to lose a vote.
        seconds=_number(form.get("seconds"), _DAY_SECONDS),
    )


def _number(text: str | None, most: float) -> float | None:
    """A number from 0 to `most`; None for everything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number <= most else None


PAGES: Mapping[JudgeRole, tuple[tuple[str, str], ...]] = {
    JudgeRole.JUDGE: (("/judge", "Judge"),),
    JudgeRole.ADJUDICATOR: (("/adjudicate", "Disagreements"),),
    JudgeRole.OWNER: (("/dashboard", "Dashboard"),),
}
"""The pages of each role, path and name; the first is where they begin."""


@dataclass(frozen=True)
class JudgeRequest:
    """A request of somebody who may make it.

    Attributes:
        judge: who.
        form_token: what the forms on the page must carry.
        query: the parameters of the address.
        form: the fields of the form, for a request that changes something.
    """

    judge: InvitedJudge
    form_token: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The visitor's name, as they read it."""
        return self.judge.name

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """Where the visitor may go."""
        return PAGES[self.judge.role]


_DRAWINGS_KEPT = 256


class Site:
    """The pages of one study.

    Args:
        study: the study.
        ballots: its ballot box.
        look: what the pages are drawn with.
        limiter: who may try how many tokens.

    Raises:
        InputError: the text of a subject is not in the study.
    """

    def __init__(self, study: Study, ballots: VoteStore, look: PageStyle, limiter: RateLimiter) -> None:
        self.study = study
        self.ballots = ballots
        self.look = look
        self.limiter = limiter
        self.plan = plan_of(study)
        self.questions = SubjectQuestions(study)
        self.dealer = Assigner(self.plan, ballots)
        self.references = ItemTokens(ballots.secret)
        # Judges of one subject come one after the other; a drawing is made once for all of them.
        self.drawing = lru_cache(_DRAWINGS_KEPT)(self._drawing)

    def page(self, template: str, visit: JudgeRequest | None, **values: object) -> Response:
        """A page for a visitor, or for whoever is not signed in."""
        return HTMLResponse(self.look.page(template, study=self.study.plan.title, visitor=visit, **values))

    def say(self, title: str, text: str, status: int = 200, *, back: bool = False, forward: bool = False) -> Response:
        """A page that says one thing, perhaps with a link to the visitor's own page, perhaps leading there at once."""
        response = self.page("message.html.j2", None, title=title, text=text, back=back, forward=forward)
        response.status_code = status
        return response

    def desk(self, visit: JudgeRequest, item: ItemKey, swapped: bool) -> dict[str, object]:
        """What a template needs to put an item before a visitor, in the view that the visitor asks for."""
        drawing = self.drawing(item, swapped)
        names = [name for name, _, _ in drawing.views]
        asked = visit.query.get("show")
        return {
            "title": drawing.question.text,
            "subject": drawing,
            "item": self.references.name(visit.judge.id, item),
            "key": new_key(),
            "offered": drawing.views,
            "shown": asked if asked in names else names[0],
            "choices": choices(drawing.question.answers),
        }

    def roll(self) -> Eligibility:
        """The judges, and what stands of their votes, at this moment."""
        return Eligibility(self.plan, self.ballots.judges(), self.ballots.standing(), datetime.now(UTC))

    def _drawing(self, item: ItemKey, swapped: bool) -> SubjectViews:
        return SubjectViews(self.look, self.questions.ask(item, swapped))


def new_key() -> str:
    """An idempotency key for a form: whatever is sent with it twice counts once."""
    return secrets.token_urlsafe(16)
