"""What the judges' pages show besides the code, as facts that a program can read.

The pages are those that the server makes, of a study whose code was replaced by the same text everywhere: what differs
between them then comes from something else. A part that is added to a page is seen here without further work.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa

from clonetruth.store.study import Study
from clonetruth.store.votes import InvitedJudge, ItemKey, VoteStore
from clonetruth.store.votes.databases import SQLiteDatabase
from clonetruth.studies.assignment import AssignedItem, Assignment, ItemPurpose, Workload, is_swapped
from clonetruth.studies.assignment_queue import Assigner, NextItem
from clonetruth.studies.invitations import RateLimiter
from clonetruth.studies.rounds import Eligibility
from clonetruth.studies.web.judge_pages import JudgePages
from clonetruth.studies.web.site import JudgeRequest, Site
from clonetruth.studies.web.subject_views import VIEWS
from clonetruth.studies.web.subjects import SubjectQuestions

PageFacts = Mapping[str, Mapping[str, float]]
"""How often each fact occurs, for each part of the pages of an item."""

_PARTS = {"asked": "question", "views": "tabs", "decide": "vote form"}
"""The names of parts, by the class of the element below `main`; a view is a part by its own name."""
_CODE, _LANGUAGE = "x", "java"
_VOLATILE = re.compile(r"[0-9A-Za-z_-]{20,}")
"""Tokens and keys that are new on every page."""
_LONGEST_FACT = 200
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")


@dataclass(frozen=True)
class JudgeView:
    """What a judge sees of an item.

    Attributes:
        facts: what the pages show besides the code.
        texts: the code, from left to right.
        languages: the languages of the texts.
        place: the place of the item in the judge's work, from 0 to 1.
    """

    facts: PageFacts
    texts: tuple[str, ...]
    languages: tuple[str, ...]
    place: float


def judge_views(study: Study, items: Iterable[ItemKey]) -> dict[ItemKey, JudgeView]:
    """What one judge sees of some items, each put before them as a subject."""
    questions = SubjectQuestions(study)
    with _site(_without_code(study)) as (site, judge):
        pages = JudgePages(site)
        eligibility = Eligibility(site.plan, (judge,), {}, judge.created)
        order = {item: place for place, item in enumerate(Assignment(eligibility).planned_order(judge))}
        views = {}
        for item in items:
            codes = questions.ask(item, is_swapped(site.plan, judge.id, item)).codes
            views[item] = JudgeView(
                _facts_of_item(pages, site, judge, item),
                tuple(code.text for code in codes),
                tuple(code.language for code in codes),
                order.get(item, 0) / max(1, len(order)),
            )
        return views


def _without_code(study: Study) -> Study:
    def blank(table: pa.Table) -> pa.Table:
        for name in table.column_names:
            value = _CODE if name.endswith("text") else _LANGUAGE if name.endswith("language") else None
            if value is not None:
                same = pa.array([value] * table.num_rows, pa.string())
                table = table.set_column(table.schema.get_field_index(name), table.schema.field(name), same)
        return table

    return replace(study, **{name: blank(getattr(study, name)) for name in ("subjects", "methods", "checks")})


class _OneItem(Assigner):
    """Assigns one item, whichever is set."""

    def __init__(self) -> None:
        self.item: ItemKey | None = None

    def next_item(self, judge: InvitedJudge) -> NextItem:
        assert self.item is not None
        assigned = AssignedItem(self.item, ItemPurpose.SUBJECT, swapped=False, subject=self.item)
        return NextItem(assigned, Workload(0, 1, 0), None, None)


@contextmanager
def _site(study: Study) -> Iterator[tuple[Site, InvitedJudge]]:
    with (
        tempfile.TemporaryDirectory(prefix="clonetruth-pages-") as folder,
        VoteStore(SQLiteDatabase(Path(folder) / "votes.sqlite"), "pages") as votes,
    ):
        group = study.plan.protocol.groups[0].name if study.plan.protocol.groups else None
        # Always the same judge: order and sides depend on the id.
        judge = replace(votes.add_judge("Nobody", group=group)[0], id="nobody")
        site = Site(study, votes, RateLimiter())
        site.assigner = _OneItem()
        yield site, judge


def _facts_of_item(pages: JudgePages, site: Site, judge: InvitedJudge, item: ItemKey) -> PageFacts:
    assert isinstance(site.assigner, _OneItem)
    site.assigner.item = item
    facts: dict[str, Counter[str]] = {}
    for number, (view, _, _) in enumerate(VIEWS):
        response = pages.show(JudgeRequest(judge, "form", {"show": view}))
        for part, found in _facts_of_page(view, _VOLATILE.sub("…", bytes(response.body).decode())).items():
            # The frame is the same in every view: it counts once.
            if number == 0 or part == view:
                facts.setdefault(part, Counter()).update(found)
    return facts


@lru_cache(1024)
def _facts_of_page(view: str, page: str) -> Mapping[str, Counter[str]]:
    """The facts on a page. Without code, most pages of a study are equal: each is read once."""
    reader = _PageReader(view)
    reader.feed(page)
    return reader.facts


class _PageReader(HTMLParser):
    """Counts tags with their attributes, texts and words, by part of the page."""

    def __init__(self, view: str) -> None:
        super().__init__()
        self.facts: dict[str, Counter[str]] = {}
        self._view = view
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        part = None
        if given.get("id") == "view":
            part = self._view
        elif self._open and self._open[-1][0] == "main":
            name = given.get("class", tag).split(" ")[0]
            part = _PARTS.get(name, name)
        if tag not in _VOID:
            self._open.append((tag, part))
        self._count(f"<{tag} {' '.join(f'{name}={value}' for name, value in sorted(given.items()))}>")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text:
            self._count(f"text: {text}"[:_LONGEST_FACT])
            for word in set(text.split(" ")):
                self._count(f"word: {word}")

    def _count(self, fact: str) -> None:
        part = next((part for _, part in reversed(self._open) if part is not None), "frame")
        found = self.facts.setdefault(part, Counter())
        found[fact] += 1
        found["characters"] += len(fact)
        found["facts"] += 1
