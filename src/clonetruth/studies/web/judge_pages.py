"""The judge's pages: one subject at a time, a vote, and the next subject.

A judge never sees another judge's votes. `studies.assignment` decides which subject comes next and which side is on
the left; a vote is stored before the next subject is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import ItemKey, Vote, VoteKind
from clonetruth.studies.assignment import AssignedItem, ItemPurpose, is_swapped
from clonetruth.studies.web.site import JudgeRequest, Site, answer_label, read_vote_form

PATH = "/judge"


@dataclass(frozen=True)
class JudgePace:
    """How far a judge is, and how fast."""

    done: int
    left: int
    median_seconds: float | None

    @property
    def total(self) -> int:
        """Everything there is to judge; at least one, because a progress bar needs a positive maximum."""
        return max(1, self.done + self.left)


class JudgePages:
    """The pages of a judge.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, request: JudgeRequest) -> Response:
        """Show the next subject in the requested view."""
        site = self._site
        following = site.assigner.next_item(request.judge)
        item = following.item
        shared = {
            "here": PATH,
            "pace": JudgePace(following.workload.done, following.workload.left, following.median_seconds),
            "undoable": following.undoable,
        }
        if item is None:
            return site.page("judged.html.j2", request, title="Nothing left to judge", **shared)
        values = site.subject_values(request, item.key, item.swapped)
        if request.query.get("item", values["item"]) != values["item"]:
            # The subject was judged elsewhere while the page was open.
            return RedirectResponse(PATH, status_code=303)
        return site.page("judge.html.j2", request, training=self._training(item), **values, **shared)

    def vote(self, request: JudgeRequest) -> Response:
        """Store a vote. A form that arrives twice counts once."""
        key = self._site.item_tokens.item(request.judge.id, request.form.get("item", ""))
        if key is None:
            raise HTTPException(400, "The form does not name a subject of this study. Open the page again.")
        swapped = is_swapped(self._site.plan, request.judge.id, key)
        sent = read_vote_form(request.form, self._site.subject_views(key, swapped).question.answers)
        kind = VoteKind.SKIP if sent.value is None else VoteKind.VOTE
        self._site.vote_store.cast(
            Vote(
                sent.key,
                request.judge.id,
                key,
                sent.value,
                kind,
                confidence=sent.confidence,
                reason=sent.reason,
                swapped=swapped,
                seconds=sent.seconds,
            )
        )
        has_feedback = kind is VoteKind.VOTE and key in self._site.plan.training
        return RedirectResponse(f"{PATH}/feedback?item={sent.item}" if has_feedback else PATH, status_code=303)

    def undo(self, request: JudgeRequest) -> Response:
        """Take back the vote that the form names; its subject comes again."""
        self._site.vote_store.undo(request.judge.id, request.form.get("key", ""))
        return RedirectResponse(PATH, status_code=303)

    def feedback(self, request: JudgeRequest) -> Response:
        """Show the known answer of a training item to a judge who has answered it."""
        key = self._site.item_tokens.item(request.judge.id, request.query.get("item", ""))
        given = self._answer(request, key) if key in self._site.plan.training else None
        if key is None or given is None:
            return RedirectResponse(PATH, status_code=303)
        expected, feedback = self._site.questions.check(key.number)
        return self._site.page(
            "feedback.html.j2",
            request,
            here=PATH,
            subject=self._site.subject_views(key, is_swapped(self._site.plan, request.judge.id, key)),
            item=request.query["item"],
            title="Training",
            right=given == expected,
            given=answer_label(given),
            expected=answer_label(expected),
            feedback=feedback,
        )

    def _answer(self, request: JudgeRequest, key: ItemKey) -> str | None:
        votes = (cast.vote for cast in reversed(self._site.vote_store.votes_of(request.judge.id)))
        return next((vote.value for vote in votes if vote.item == key and vote.kind is VoteKind.VOTE), None)

    def _training(self, item: AssignedItem) -> tuple[int, int] | None:
        """The number of a training item and the number of all; None for everything else, attention checks included."""
        if item.purpose is not ItemPurpose.TRAINING:
            return None
        training = self._site.plan.training
        return training.index(item.key) + 1, len(training)
