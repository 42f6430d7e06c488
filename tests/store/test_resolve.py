"""Resolving ids in slices, and judgements that need no resolving."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, JudgeKind, Judgement, Pair
from clonetruth.store import Benchmark, resolve

CARD = Card("small", "1", "d", "MIT", "c", "textual", ("java",))
JUDGE = Judge("rule:small", JudgeKind.RULE, "r")


def dataset(*, on_fragments: bool) -> Dataset:
    ids = [f"f{number}" for number in range(7)]
    judgements = [
        Judgement(JUDGE.id, "textual", "clone" if row % 2 else "not-clone", row, source_row=row) for row in range(6)
    ]
    if on_fragments:
        said = Judgement(JUDGE.id, "implements-functionality", "major", fragment="f3", functionality="g")
        judgements.insert(3, said)
    return Dataset(
        card=CARD,
        fragments=[Fragment(one, "java", one) for one in reversed(ids)],
        functionalities=[Functionality("g", "G")],
        pairs=[Pair(left, right) for left, right in zip(ids[1:], ids, strict=False)],
        judges=[JUDGE],
        judgements=judgements,
    )


@pytest.mark.parametrize("on_fragments", [False, True])
def test_slices_give_the_same_as_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_fragments: bool) -> None:
    whole = Benchmark.create(tmp_path / "whole", dataset(on_fragments=on_fragments))
    monkeypatch.setattr(resolve, "SLICE_ROWS", 2)
    sliced = Benchmark.create(tmp_path / "sliced", dataset(on_fragments=on_fragments))
    assert sliced.content_hash == whole.content_hash
    assert sliced.judgements_hash == whole.judgements_hash
    judgements = sliced.table("judgements")
    assert judgements["pair"].to_pylist() == ([0, 1, 2, None, 3, 4, 5] if on_fragments else list(range(6)))
    assert judgements["sequence"].to_pylist() == [0] * (7 if on_fragments else 6), "rows that arrive together"


def test_judgements_on_pairs_alone_continue_the_sequence(tmp_path: Path) -> None:
    benchmark = Benchmark.create(tmp_path / "b", dataset(on_fragments=False))
    benchmark.append_judgements([], [Judgement(JUDGE.id, "textual", "undecided", 5)])
    rows = benchmark.sql("SELECT pair, value FROM judgements ORDER BY sequence, pair").to_pylist()
    assert [row["pair"] for row in rows] == [0, 1, 2, 3, 4, 5, 5]
    assert rows[-1]["value"] == "undecided"
