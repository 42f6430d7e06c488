"""The adjudicator's pages: subjects on which judges differ, their answers, and a decision with its reason.

In a discussion or a panel, the adjudicator records the joint decision and names everybody who took part.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.model import JudgeKind
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.votes import CastVote, ItemKey, Vote, VoteKind, VotesByItem
from clonetruth.studies.web.site import JudgeRequest, Site, read_vote_form

PATH = "/adjudicate"
_TOOK_PART = "participant-"
"""Begins the name of the form field of a participant; the rest is the person's id."""


@dataclass(frozen=True)
class JudgeAnswer:
    """One judge's answer on a subject.

    Attributes:
        who: the judge, as the adjudicator may know them.
        answer: the label of the answer.
        reason: why.
        note: what the adjudicator should know about the answer.
    """

    who: str
    answer: str
    reason: str | None
    note: str = ""


class AdjudicationPages:
    """The pages of an adjudicator.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, request: JudgeRequest) -> Response:
        """Show a disagreement, by default the first open one, in the requested view."""
        site = self._site
        eligibility = site.eligibility()
        items = eligibility.open_disagreements(request.judge, site.vote_store.adjudications())
        own = [cast for cast in site.vote_store.votes_of(request.judge.id) if cast.vote.kind is VoteKind.ADJUDICATION]
        shared = {
            "here": PATH,
            "left": len(items),
            "done": len(own),
            "undoable": own[-1].vote.key if own else None,
        }
        if not items:
            return site.page("decided.html.j2", request, title="No open disagreements", **shared)
        requested = request.query.get("item")
        item = items[0] if requested is None else site.item_tokens.item(request.judge.id, requested)
        if item not in items:
            # Somebody else decided while the page was open.
            return RedirectResponse(PATH, status_code=303)
        following = items[(items.index(item) + 1) % len(items)]
        return site.page(
            "adjudicate.html.j2",
            request,
            answers=[*self.answers_of_people(item), *self._answers_of_llms(item)],
            later=site.item_tokens.token(request.judge.id, following),
            rule=eligibility.settlement_rule(item),
            **site.subject_values(request, item, swapped=False),
            **shared,
        )

    def decide(self, request: JudgeRequest) -> Response:
        """Store a decision, which needs a reason. A form that arrives twice counts once."""
        item = self._site.item_tokens.item(request.judge.id, request.form.get("item", ""))
        if item is None:
            raise HTTPException(400, "The form does not name a subject of this study. Open the page again.")
        sent = read_vote_form(request.form, self._site.subject_views(item, False).question.answers)
        if sent.value is None or sent.reason is None:
            raise HTTPException(400, "A decision needs an answer and a reason.")
        participants = sorted(name.removeprefix(_TOOK_PART) for name in request.form if name.startswith(_TOOK_PART))
        self._site.eligibility().check_decision(request.judge, item, participants)
        self._site.vote_store.cast(
            Vote(
                sent.key,
                request.judge.id,
                item,
                sent.value,
                VoteKind.ADJUDICATION,
                confidence=sent.confidence,
                reason=sent.reason,
                seconds=sent.seconds,
                participants=tuple(participants),
            )
        )
        return RedirectResponse(PATH, status_code=303)

    def undo(self, request: JudgeRequest) -> Response:
        """Take back the decision that the form names."""
        self._site.vote_store.undo(request.judge.id, request.form.get("key", ""))
        return RedirectResponse(PATH, status_code=303)

    def answers_of_people(self, item: ItemKey) -> list[JudgeAnswer]:
        """The judges' answers in the order of voting, without their names, and their labels of the methods."""
        current = self._site.vote_store.current_votes()
        votes = sorted(current.get(item, {}).values(), key=lambda cast: cast.sequence)
        return [
            JudgeAnswer(
                f"Judge {number}",
                self._site.answer_label(cast.vote.value or ""),
                cast.vote.reason,
                self._note(item, cast, current),
            )
            for number, cast in enumerate(votes, start=1)
        ]

    def _note(self, item: ItemKey, cast: CastVote, current: VotesByItem) -> str:
        """How the judge labelled the methods in the same sitting, and whether the sides were swapped."""
        methods = [current.get(method, {}).get(cast.vote.judge) for method in self._site.plan.sittings.get(item, ())]
        labels = [self._site.answer_label(one.vote.value or "") for one in methods if one is not None]
        notes = [f"methods: {' and '.join(labels)}"] if labels else []
        return ", ".join([*notes, *(["saw the sides swapped"] if cast.vote.swapped else [])])

    def _answers_of_llms(self, item: ItemKey) -> list[JudgeAnswer]:
        """The language models' answers, if the protocol shows them to the adjudicator."""
        if not self._site.study.plan.protocol.show_llm:
            return []
        judges, judgements = read_study_judgements(self._site.study.path)
        models = {row["judge"]: row["name"] for row in judges.to_pylist() if row["kind"] == JudgeKind.LLM}
        latest = {
            row["judge"]: row
            for row in judgements.sort_by("sequence").to_pylist()
            if row["judge"] in models and (row["subject_kind"], row["subject"]) == item
        }
        return [
            JudgeAnswer(f"Language model {models[judge]}", self._site.answer_label(row["value"]), row["reason"])
            for judge, row in sorted(latest.items())
        ]
