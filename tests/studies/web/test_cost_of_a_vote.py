"""What a vote costs, counted instead of timed: statements, transactions, and highlighted fragments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from clonetruth.store.study import read_study
from clonetruth.store.votes.databases import _SQLiteConnection
from clonetruth.studies.web import subject_views
from clonetruth.studies.web.subjects import uniform_layout
from tests.studies.web.visitors import ServedStudy

_MOST_STATEMENTS = 10
"""Of a vote and the page that follows: who is it (twice), the vote, new votes, and the judges."""


def test_a_vote_is_one_transaction_with_few_statements(served: ServedStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [(judge, judge.enter()) for judge in map(served.invite, ("Ada", "Bo"))]
    statements: list[str] = []
    execute = _SQLiteConnection.execute

    def count(
        self: _SQLiteConnection, text: str, values: Mapping[str, object] | None = None
    ) -> Sequence[tuple[Any, ...]]:
        statements.append(text)
        return execute(self, text, values)

    monkeypatch.setattr(_SQLiteConnection, "execute", count)
    for judge, page in [*pages, (pages[0][0], pages[0][0].open("/judge"))]:
        statements.clear()
        judge.answer(page, "clone")
        assert [statements.count(one) for one in ("BEGIN IMMEDIATE", "COMMIT")] == [1, 1]
        assert len(statements) <= _MOST_STATEMENTS


def test_a_fragment_is_highlighted_once_for_all_judges(served: ServedStudy) -> None:
    subject_views._cached_highlight.cache_clear()
    for judge in map(served.invite, ("Ada", "Bo")):
        judge.judge_all()
    study = read_study(served.folder)
    columns = (study.subjects["left_text"], study.subjects["right_text"], study.methods["text"])
    texts = {uniform_layout(text) for column in columns for text in column.to_pylist()}
    assert 0 < subject_views._cached_highlight.cache_info().misses <= len(texts)
