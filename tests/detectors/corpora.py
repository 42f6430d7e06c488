"""Small corpora of functions, and the results of finders and scorers on them."""

from __future__ import annotations

from itertools import combinations

import pyarrow as pa
from hypothesis import strategies as st

from clonetruth.detectors import FOUND_PAIRS, Detector, Finder, FinderOptions
from clonetruth.detectors.detector import PAIRS

ALL_SIZES = FinderOptions(min_tokens=0, min_lines=0)

_NAMES = ("a", "b", "total", "x1")
_STATEMENTS = (
    "int {0} = {2};",
    "{0} = {0} + {1};",
    "if ({0} > {2}) {{ {1} = {0}; }}",
    "for (int i = 0; i < {0}; i++) {{ {1} += i; }}",
    "print({0}, {1});",
    "return {0};",
)
_GAPS = ("\n", "\n\n", " ", " // why\n", " /* how */ ")

Pairs = dict[tuple[int, int], float]
"""Scores of pairs of fragments, the smaller key first."""


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A Java function of a few statements; few names, values and layouts, so that clones of all types occur."""
    name = st.sampled_from(_NAMES)
    body = draw(st.lists(st.tuples(st.sampled_from(_STATEMENTS), name, name, st.sampled_from("12")), max_size=8))
    gap = draw(st.sampled_from(_GAPS))
    statements = [statement.format(*parts) for statement, *parts in body]
    return gap.join([f"void {draw(name)}(int {draw(name)}) {{", *statements, "}"])


def corpora() -> st.SearchStrategy[list[str]]:
    """A few functions, possibly with duplicates."""
    return st.lists(functions(), min_size=2, max_size=7)


def fragments(texts: list[str], language: str = "java") -> pa.Table:
    """A table of fragments with gaps between the keys."""
    return pa.table(
        {"fragment": [3 * row + 1 for row in range(len(texts))], "language": [language] * len(texts), "text": texts}
    )


def found(finder: Finder, table: pa.Table, options: FinderOptions = ALL_SIZES, processes: int = 1) -> Pairs:
    """The pairs that a finder reports; none may occur twice."""
    pairs = pa.Table.from_batches(finder.find(table, options, processes=processes), FOUND_PAIRS)
    left, right, score = (pairs[name].to_pylist() for name in FOUND_PAIRS.names)
    by_pair = dict(zip(zip(left, right, strict=True), score, strict=True))
    assert len(by_pair) == pairs.num_rows
    return by_pair


def scored(detector: Detector, table: pa.Table) -> dict[tuple[int, int], float | None]:
    """The scores of all pairs."""
    sides = list(combinations(table["fragment"].to_pylist(), 2))
    columns = {
        "pair": list(range(len(sides))),
        "left": [left for left, _ in sides],
        "right": [right for _, right in sides],
    }
    return dict(zip(sides, detector.score(table, pa.table(columns, schema=PAIRS)).to_pylist(), strict=True))
