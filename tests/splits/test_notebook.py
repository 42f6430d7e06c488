"""What a split looks like in a notebook."""

from __future__ import annotations

from pathlib import Path

from clonetruth.splits import Split
from clonetruth.splits.builder import PartCounts
from clonetruth.splits.spec import SplitSpec
from tests.report.wellformed import read


def test_a_split_shows_its_parts() -> None:
    split = Split(
        name="random-1",
        path=Path("splits/random-1.parquet"),
        digest="0" * 64,
        sample_digest=None,
        options=SplitSpec(view="random"),
        parts={"train": PartCounts(1_200, 600, 300, 4), "test": PartCounts(80, 0, 0, 2)},
        left_out={"no text": 3},
        crossing=12,
        rules=("CT501", "CT502"),
    )
    assert repr(split) == "<Split random-1: train 1,200, test 80 fragments>"
    html = split._repr_html_()
    assert read(html).problems == []
    assert '<td class="number">50.0\u202f%</td>' in html
    assert "<dt>leakage rules passed</dt><dd>CT501, CT502</dd>" in html
    assert "<dt>pairs between parts</dt><dd>12</dd>" in html
