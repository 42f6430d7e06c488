"""The reviewer's pages: settled pairs that a judge contradicts, its explanation, and whether it is accepted."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.store.study_reviews import ReopenedPair, StudyReview, read_reviews
from clonetruth.store.votes import ItemKey, ItemKind, Vote, VoteKind
from clonetruth.studies.web.adjudication_pages import AdjudicationPages, JudgeAnswer
from clonetruth.studies.web.site import JudgeRequest, Site, read_vote_form

PATH = "/review"


class ReviewPages:
    """The pages of an adjudicator who reviews settled pairs.

    Args:
        site: what all pages share.
        adjudication: the pages that show the people's answers.
    """

    def __init__(self, site: Site, adjudication: AdjudicationPages) -> None:
        self._site = site
        self._adjudication = adjudication

    def show(self, request: JudgeRequest) -> Response:
        """Show a reopened pair, by default the first open one, in the requested view."""
        site = self._site
        reopened = self._reopened()
        decided = site.vote_store.reviews()
        items = [item for item in reopened if item not in decided]
        own = [cast for cast in site.vote_store.votes_of(request.judge.id) if cast.vote.kind is VoteKind.REVIEW]
        shared = {
            "here": PATH,
            "left": len(items),
            "done": len(reopened) - len(items),
            "undoable": own[-1].vote.key if own else None,
        }
        if not items:
            return site.page("reviewed.html.j2", request, title="No pairs to review", **shared)
        requested = request.query.get("item")
        item = items[0] if requested is None else site.item_tokens.item(request.judge.id, requested)
        if item not in items:
            # Somebody else decided while the page was open.
            return RedirectResponse(PATH, status_code=303)
        following = items[(items.index(item) + 1) % len(items)]
        review, pair = reopened[item]
        answer, settled = (site.answer_label(value) for value in (pair.answer, pair.settled))
        values = site.subject_values(request, item, swapped=False)
        # Accepting means the judge's answer, rejecting the settled one.
        values["choices"] = [
            (pair.answer, f"Accept: {answer}", ("1", "a")),
            (pair.settled, f"Reject: stays {settled}", ("2", "j")),
        ]
        return site.page(
            "review.html.j2",
            request,
            settled=settled,
            contradiction=JudgeAnswer(review.name, answer, pair.explanation),
            answers=self._adjudication.answers_of_people(item),
            later=site.item_tokens.token(request.judge.id, following),
            **values,
            **shared,
        )

    def decide(self, request: JudgeRequest) -> Response:
        """Store whether the judge's answer is accepted, which needs a reason. A form that arrives twice counts once."""
        item = self._site.item_tokens.item(request.judge.id, request.form.get("item", ""))
        reopened = self._reopened()
        if item is None or item not in reopened:
            raise HTTPException(400, "The form does not name a pair that was reopened. Open the page again.")
        _, pair = reopened[item]
        sent = read_vote_form(request.form, (pair.answer, pair.settled))
        if sent.value is None or sent.reason is None:
            raise HTTPException(400, "A decision needs an answer and a reason.")
        self._site.vote_store.cast(
            Vote(
                sent.key,
                request.judge.id,
                item,
                sent.value,
                VoteKind.REVIEW,
                confidence=sent.confidence,
                reason=sent.reason,
                seconds=sent.seconds,
            )
        )
        return RedirectResponse(PATH, status_code=303)

    def undo(self, request: JudgeRequest) -> Response:
        """Take back the decision that the form names."""
        self._site.vote_store.undo(request.judge.id, request.form.get("key", ""))
        return RedirectResponse(PATH, status_code=303)

    def _reopened(self) -> dict[ItemKey, tuple[StudyReview, ReopenedPair]]:
        """The reopened pairs in the order of the study; one that two judges contradict is shown with the first."""
        found: dict[ItemKey, tuple[StudyReview, ReopenedPair]] = {}
        for review in read_reviews(self._site.study.path):
            for pair in review.pairs:
                found.setdefault(ItemKey(ItemKind.PAIR, pair.subject), (review, pair))
        return dict(sorted(found.items()))
