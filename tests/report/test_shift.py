"""The page of a split is well formed and shows the counts."""

from __future__ import annotations

from pathlib import Path

from clonetruth.html import render
from clonetruth.report.shift import shift_page
from clonetruth.splits import PartCounts, Split, SplitSpec
from clonetruth.splits.shift import Familiarity, PartShift, Shift
from tests.report.wellformed import read


def shift(*parts: PartShift, view: str = "cross-project") -> Shift:
    counts = {part.part: PartCounts(len(part.lines), 10, 4, 2) for part in parts}
    made = Split(
        name=f"{view}-1",
        path=Path("splits/x.parquet"),
        digest="d1g35t",
        sample_digest=None,
        options=SplitSpec(view, seed=1),
        parts=counts,
        left_out={"in projects of <different> parts": 7},
        crossing=1,
        rules=("CT502", "CT506"),
    )
    return Shift("town 1", "c0n73n7", made, parts)


TRAIN = PartShift("train", (3, 4, 90), {"T1": 3, "T3": 1}, None, None, ())
TEST = PartShift("test", (5,), {"T3": 4}, Familiarity(0.25, 0.5, 1), Familiarity(None, None, 1), (0.125, 0.75, 0.75))


def test_the_page_shows_the_counts() -> None:
    page = render(shift_page(shift(TRAIN, TEST)))
    reader = read(page)
    assert reader.problems == []
    text = " ".join(" ".join(reader.text).split())
    for words in (
        "never splits projects across parts",
        "share at least 75 % of their words",
        "(CT502, CT506) found nothing",
        "in projects of <different> parts",
        "1 pair with a verdict is in no part",
        "25.0 %",
        "d1g35t",
    ):
        assert words in text, words


def test_a_split_without_train_is_not_compared() -> None:
    alone = PartShift("test", (5, 6), {}, None, None, ())
    reader = read(render(shift_page(shift(alone, view="unseen-fragments"))))
    assert reader.problems == []
    assert {"vocabulary", "nearest", "types"}.isdisjoint(reader.ids)
