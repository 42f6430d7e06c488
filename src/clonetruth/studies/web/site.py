"""What all pages of a study share: the study, its ballot box, drawings, and what its items are called outside."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import lru_cache

from starlette.responses import HTMLResponse, Response

from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, VoteStore
from clonetruth.studies.assignment_queue import Assigner
from clonetruth.studies.attempt_limit import RateLimiter
from clonetruth.studies.rounds import Eligibility, plan_of
from clonetruth.studies.web.answers import choices
from clonetruth.studies.web.item_tokens import ItemTokens
from clonetruth.studies.web.requests import JudgeRequest
from clonetruth.studies.web.subject_views import SubjectViews
from clonetruth.studies.web.subjects import SubjectQuestions
from clonetruth.studies.web.templating import PageStyle

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
