"""The judge's desk: one subject at a time, a verdict, and the next.

A judge sees nobody else's votes. Which subject comes next, and which side stands left, is decided in
`labelling.assignment`; a vote is in the ballot box before the next subject is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import ItemKey, Vote, VoteKind
from clonetruth.studies.assignment import AssignedItem, ItemPurpose, is_swapped
from clonetruth.studies.web.site import JudgeRequest, Site, in_words, read_ballot

HERE = "/judge"


@dataclass(frozen=True)
class JudgePace:
    """How far a judge is, and how fast."""

    done: int
    left: int
    median_seconds: float | None

    @property
    def total(self) -> int:
        """All that there is to judge; a bar of progress wants at least one."""
        return max(1, self.done + self.left)


class JudgePages:
    """The pages of a judge.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, visit: JudgeRequest) -> Response:
        """The next subject, in the view that is asked for."""
        site = self._site
        hand = site.dealer.hand(visit.judge)
        item = hand.item
        shared = {
            "here": HERE,
            "pace": JudgePace(hand.progress.done, hand.progress.left, hand.median_seconds),
            "undoable": hand.last,
        }
        if item is None:
            return site.page("judged.html.j2", visit, title="Nothing waits for you", **shared)
        desk = site.desk(visit, item.key, item.swapped)
        if visit.query.get("item", desk["item"]) != desk["item"]:
            # The page was open while the subject was judged elsewhere.
            return RedirectResponse(HERE, status_code=303)
        return site.page("judge.html.j2", visit, training=self._training(item), **desk, **shared)

    def vote(self, visit: JudgeRequest) -> Response:
        """Take a verdict. One that comes twice is counted once."""
        key = self._site.references.item(visit.judge.id, visit.form.get("item", ""))
        if key is None:
            raise HTTPException(400, "The form names nothing that can be judged. Open the page again.")
        swapped = is_swapped(self._site.plan, visit.judge.id, key)
        sent = read_ballot(visit.form, self._site.drawing(key, swapped).question.answers)
        kind = VoteKind.SKIP if sent.value is None else VoteKind.VOTE
        self._site.ballots.cast(
            Vote(
                sent.key,
                visit.judge.id,
                key,
                sent.value,
                kind,
                confidence=sent.confidence,
                reason=sent.reason,
                swapped=swapped,
                seconds=sent.seconds,
            )
        )
        explained = kind is VoteKind.VOTE and key in self._site.plan.training
        return RedirectResponse(f"{HERE}/feedback?item={sent.item}" if explained else HERE, status_code=303)

    def undo(self, visit: JudgeRequest) -> Response:
        """Take back the vote that the form names; its subject comes again."""
        self._site.ballots.undo(visit.judge.id, visit.form.get("key", ""))
        return RedirectResponse(HERE, status_code=303)

    def feedback(self, visit: JudgeRequest) -> Response:
        """The known answer of a training item, for whoever has answered it."""
        key = self._site.references.item(visit.judge.id, visit.query.get("item", ""))
        said = self._said(visit, key) if key in self._site.plan.training else None
        if key is None or said is None:
            return RedirectResponse(HERE, status_code=303)
        expected, feedback = self._site.questions.check(key.number)
        return self._site.page(
            "feedback.html.j2",
            visit,
            here=HERE,
            subject=self._site.drawing(key, is_swapped(self._site.plan, visit.judge.id, key)),
            item=visit.query["item"],
            title="Training",
            right=said == expected,
            said=in_words(said),
            expected=in_words(expected),
            feedback=feedback,
        )

    def _said(self, visit: JudgeRequest, key: ItemKey) -> str | None:
        votes = (cast.vote for cast in reversed(self._site.ballots.votes_of(visit.judge.id)))
        return next((vote.value for vote in votes if vote.item == key and vote.kind is VoteKind.VOTE), None)

    def _training(self, item: AssignedItem) -> tuple[int, int] | None:
        """Which training item this is, and of how many; None for everything else, attention checks included."""
        if item.purpose is not ItemPurpose.TRAINING:
            return None
        training = self._site.plan.training
        return training.index(item.key) + 1, len(training)
