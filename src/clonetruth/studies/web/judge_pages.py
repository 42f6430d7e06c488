"""The judge's pages: one subject at a time, a vote, and the next subject.

A sitting asks three questions about a pair: on the left method, on the right one, and on the pair. Each answer is a
vote, stored at once; the judge comes back to the first question without an answer.

A judge never sees another judge's votes. `studies.assignment` decides which subject comes next and which side is on
the left; a vote is stored before the next subject is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import ItemKey, Vote, VoteKind
from clonetruth.studies.assignment import AssignedItem, ItemPurpose, is_swapped
from clonetruth.studies.consistency import POSITIVE_ANSWERS
from clonetruth.studies.web.site import JudgeRequest, Site, read_vote_form

PATH = "/judge"


@dataclass(frozen=True)
class SittingStep:
    """A question of a sitting: its title, the answer so far if any, and whether it is asked now."""

    title: str
    answer: str
    is_current: bool


@dataclass(frozen=True)
class StepAnswer:
    """An answer on a training item: what it was about, what was given, and what was expected."""

    title: str
    given: str
    expected: str


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
            return site.page("judged.html.j2", request, title="Nothing left to judge", spent=following.spent, **shared)
        values = site.subject_values(request, item.key, item.swapped, item.subject)
        if request.query.get("item", values["item"]) != values["item"]:
            # The subject was judged elsewhere while the page was open.
            return RedirectResponse(PATH, status_code=303)
        return site.page(
            "judge.html.j2",
            request,
            training=self._training(item),
            sitting=site.item_tokens.token(request.judge.id, item.subject) if item.key != item.subject else "",
            steps=self._steps(request, item),
            **values,
            **shared,
        )

    def vote(self, request: JudgeRequest) -> Response:
        """Store a vote. A form that arrives twice counts once."""
        tokens, plan = self._site.item_tokens, self._site.plan
        key = tokens.item(request.judge.id, request.form.get("item", ""))
        subject = tokens.item(request.judge.id, request.form["sitting"]) if request.form.get("sitting") else key
        if key is None or subject is None or key not in plan.steps(subject):
            raise HTTPException(400, "The form does not name a subject of this study. Open the page again.")
        swapped = is_swapped(plan, request.judge.id, subject)
        sent = read_vote_form(request.form, self._site.question_views(key, swapped, subject).question.answers)
        kind = VoteKind.SKIP if sent.value is None else VoteKind.VOTE
        self._site.vote_store.cast(
            Vote(
                sent.key,
                request.judge.id,
                # A judge who skips one question of a sitting skips the sitting; the answers so far stay.
                subject if kind is VoteKind.SKIP else key,
                sent.value,
                kind,
                confidence=sent.confidence,
                reason=sent.reason,
                swapped=swapped,
                seconds=sent.seconds,
            )
        )
        if kind is VoteKind.VOTE and key in plan.training:
            return RedirectResponse(f"{PATH}/feedback?item={sent.item}", status_code=303)
        if kind is VoteKind.VOTE and self._unusual_labels(request, key):
            return RedirectResponse(f"{PATH}/unusual?item={sent.item}", status_code=303)
        return RedirectResponse(PATH, status_code=303)

    def undo(self, request: JudgeRequest) -> Response:
        """Take back the vote that the form names; its subject comes again."""
        self._site.vote_store.undo(request.judge.id, request.form.get("key", ""))
        return RedirectResponse(PATH, status_code=303)

    def feedback(self, request: JudgeRequest) -> Response:
        """Show the known answer of a training item to a judge who has answered it."""
        key = self._site.item_tokens.item(request.judge.id, request.query.get("item", ""))
        given = self._answers(request) if key in self._site.plan.training else {}
        if key is None or key not in given:
            return RedirectResponse(PATH, status_code=303)
        known, feedback = self._site.questions.check(key.number)
        swapped = is_swapped(self._site.plan, request.judge.id, key)
        answers = [
            StepAnswer(title, self._site.answer_label(given[step]), self._site.answer_label(expected))
            for title, step in self._titled_steps(key, swapped)
            if (expected := known[step.kind]) is not None and step in given
        ]
        return self._site.page(
            "feedback.html.j2",
            request,
            here=PATH,
            subject=self._site.subject_views(key, swapped),
            item=request.query["item"],
            title="Training",
            right=all(one.given == one.expected for one in answers),
            answers=answers,
            feedback=feedback,
        )

    def unusual(self, request: JudgeRequest) -> Response:
        """Point out a clone whose methods have other labels than clones usually have. The answer is already stored."""
        key = self._site.item_tokens.item(request.judge.id, request.query.get("item", ""))
        labels = self._unusual_labels(request, key) if key is not None else []
        if key is None or not labels:
            return RedirectResponse(PATH, status_code=303)
        swapped = is_swapped(self._site.plan, request.judge.id, key)
        following = self._site.assigner.next_item(request.judge)
        return self._site.page(
            "unusual.html.j2",
            request,
            here=PATH,
            subject=self._site.subject_views(key, swapped),
            item=request.query["item"],
            title="An unusual clone",
            labels=labels,
            usual=" or ".join(self._site.answer_label(one) for one in self._site.study.plan.protocol.clone_labels),
            undoable=following.undoable,
        )

    def _answers(self, request: JudgeRequest) -> dict[ItemKey, str]:
        """What the visitor has answered, by item."""
        votes = (cast.vote for cast in self._site.vote_store.votes_of(request.judge.id))
        return {vote.item: vote.value for vote in votes if vote.kind is VoteKind.VOTE and vote.value is not None}

    def _titled_steps(self, subject: ItemKey, swapped: bool) -> list[tuple[str, ItemKey]]:
        """The questions on a subject with their titles, in the order of the page."""
        steps = self._site.plan.steps(subject, swapped)
        return list(zip(("Left method", "Right method", "Pair") if len(steps) > 1 else ("",), steps, strict=True))

    def _steps(self, request: JudgeRequest, item: AssignedItem) -> list[SittingStep]:
        """The questions of a sitting with the answers so far; none if only one question is asked."""
        titled = self._titled_steps(item.subject, item.swapped)
        if len(titled) == 1:
            return []
        given = self._answers(request)
        return [
            SittingStep(
                title, self._site.answer_label(given[key]) if key in given and key != item.key else "", key == item.key
            )
            for title, key in titled
        ]

    def _unusual_labels(self, request: JudgeRequest, key: ItemKey) -> list[tuple[str, str]]:
        """The labels of the methods, left and right, if the visitor calls their pair a clone in spite of them."""
        usual = self._site.study.plan.protocol.clone_labels
        steps = self._titled_steps(key, is_swapped(self._site.plan, request.judge.id, key))[:-1]
        if not usual or not steps:
            return []
        given = self._answers(request)
        labels = [given.get(step, "") for _, step in steps]
        if given.get(key) not in POSITIVE_ANSWERS or not all(labels) or set(labels) <= set(usual):
            return []
        return [(title, self._site.answer_label(label)) for (title, _), label in zip(steps, labels, strict=True)]

    def _training(self, item: AssignedItem) -> tuple[int, int] | None:
        """The number of a training item and the number of all; None for everything else, attention checks included."""
        if item.purpose is not ItemPurpose.TRAINING:
            return None
        training = self._site.plan.training
        return training.index(item.subject) + 1, len(training)
