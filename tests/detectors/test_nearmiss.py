"""Near misses by example: NiCad's share of unique lines."""

from __future__ import annotations

import pytest

from clonetruth.detectors import FinderOptions
from clonetruth.detectors.nearmiss import NEARMISS
from tests.detectors.corpora import found, fragments, scored

LINES = [f"step{number}();" for number in range(8)]


def function(*lines: str, name: str = "f") -> str:
    return "\n".join([f"void {name}() {{", *lines, "}"])


def plain(*texts: str) -> float | None:
    return scored(NEARMISS.with_parameters(renaming="none"), fragments(list(texts)))[1, 4]


def test_unique_lines_count_against_the_longer_fragment() -> None:
    assert plain(function(*LINES), function(*LINES[:5])) == 7 / 10
    assert plain(function(*LINES), function("first();", *LINES)) == 10 / 11


def test_order_counts_and_indentation_does_not() -> None:
    assert plain(function(*LINES), function(*LINES[4:], *LINES[:4])) == 6 / 10
    assert plain(function(*LINES), function("if (x) {", *LINES, "}")) == 10 / 12


def test_blank_lines_and_comments_do_not_count() -> None:
    assert plain(function(*LINES), function("// steps", "", *LINES, "")) == 1.0


def test_the_threshold_is_inclusive() -> None:
    """NiCad's 0.3: three unique lines of ten are a clone, four are not."""
    table = fragments([function(*LINES), function(*LINES[:5]), function(*LINES[:4])])
    detector = NEARMISS.with_parameters(renaming="none")
    assert found(detector, table, FinderOptions(0.7, min_tokens=0)) == {(1, 4): 7 / 10, (4, 7): 6 / 7}
    assert found(detector, table, FinderOptions(min_tokens=0)) == {(1, 4): 7 / 10, (4, 7): 6 / 7}


@pytest.mark.parametrize(("renaming", "score"), [("blind", 1.0), ("consistent", 3 / 4), ("none", 1 / 4)])
def test_renaming(renaming: str, score: float) -> None:
    """Four lines each; under renaming, the second assignment is the same and the first is not."""
    left = "void f(int a, int b) { a = b; b = a; }"
    right = "void g(int x, int y) { x = x; y = x; }"
    assert scored(NEARMISS.with_parameters(renaming=renaming), fragments([left, right])) == {(1, 4): score}
