"""The adjudicator's desk: subjects on which judges differ, what each of them said, and a decision with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.model import JudgeKind
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.votes import ItemKey, Vote, VoteKind
from clonetruth.studies.web.site import JudgeRequest, Site, in_words, read_ballot

HERE = "/adjudicate"


@dataclass(frozen=True)
class JudgeAnswer:
    """What somebody said of a subject: who, as the adjudicator may know them, the answer, and why."""

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

    def show(self, visit: JudgeRequest) -> Response:
        """A disagreement, the first that is open unless told, in the view that is asked for."""
        site = self._site
        items = site.roll().open_disagreements(visit.judge, site.ballots.adjudications())
        own = [cast for cast in site.ballots.votes_of(visit.judge.id) if cast.vote.kind is VoteKind.ADJUDICATION]
        shared = {
            "here": HERE,
            "left": len(items),
            "done": len(own),
            "undoable": own[-1].vote.key if own else None,
        }
        if not items:
            return site.page("decided.html.j2", visit, title="No disagreement is open", **shared)
        asked = visit.query.get("item")
        item = items[0] if asked is None else site.references.item(visit.judge.id, asked)
        if item not in items:
            # The page was open while somebody else decided.
            return RedirectResponse(HERE, status_code=303)
        after = items[(items.index(item) + 1) % len(items)]
        return site.page(
            "adjudicate.html.j2",
            visit,
            said=[*self._people(item), *self._llms(item)],
            later=site.references.name(visit.judge.id, after),
            **site.desk(visit, item, swapped=False),
            **shared,
        )

    def decide(self, visit: JudgeRequest) -> Response:
        """Take a decision; it needs a reason. One that comes twice is counted once."""
        item = self._site.references.item(visit.judge.id, visit.form.get("item", ""))
        if item is None:
            raise HTTPException(400, "The form names nothing that can be decided. Open the page again.")
        sent = read_ballot(visit.form, self._site.drawing(item, False).question.answers)
        if sent.value is None or sent.reason is None:
            raise HTTPException(400, "A decision needs an answer and its reason.")
        self._site.ballots.cast(
            Vote(
                sent.key,
                visit.judge.id,
                item,
                sent.value,
                VoteKind.ADJUDICATION,
                confidence=sent.confidence,
                reason=sent.reason,
                seconds=sent.seconds,
            )
        )
        return RedirectResponse(HERE, status_code=303)

    def undo(self, visit: JudgeRequest) -> Response:
        """Take back the decision that the form names."""
        self._site.ballots.undo(visit.judge.id, visit.form.get("key", ""))
        return RedirectResponse(HERE, status_code=303)

    def _people(self, item: ItemKey) -> list[JudgeAnswer]:
        """What the judges said, in the order in which they voted; without their names."""
        votes = sorted(self._site.ballots.standing().get(item, {}).values(), key=lambda cast: cast.sequence)
        return [
            JudgeAnswer(
                f"Judge {number}",
                in_words(cast.vote.value or ""),
                cast.vote.reason,
                "saw the sides the other way round" if cast.vote.swapped else "",
            )
            for number, cast in enumerate(votes, start=1)
        ]

    def _llms(self, item: ItemKey) -> list[JudgeAnswer]:
        """What language models said, where the protocol lets the adjudicator know."""
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
            JudgeAnswer(f"Language model {models[judge]}", in_words(row["value"]), row["reason"])
            for judge, row in sorted(latest.items())
        ]
