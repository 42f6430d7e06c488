"""Small corpora of functions, and what finders and scorers say of them."""

from __future__ import annotations

from itertools import combinations

import pyarrow as pa
from hypothesis import strategies as st

from clonetruth.detectors import FOUND, Detector, Finder, FindOptions
from clonetruth.detectors.detector import PAIRS

ALL_SIZES = FindOptions(min_tokens=0, min_lines=0)

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
    """A few functions, some of which may be equal."""
    return st.lists(functions(), min_size=2, max_size=7)


def fragments(texts: list[str], language: str = "java") -> pa.Table:
    """Texts as fragments; their keys have gaps."""
    return pa.table(
        {"fragment": [3 * row + 1 for row in range(len(texts))], "language": [language] * len(texts), "text": texts}
    )


def found(finder: Finder, table: pa.Table, options: FindOptions = ALL_SIZES, processes: int = 1) -> Pairs:
    """What a finder finds; no pair may come twice."""
    pairs = pa.Table.from_batches(finder.find(table, options, processes=processes), FOUND)
    left, right, score = (pairs[name].to_pylist() for name in FOUND.names)
    by_pair = dict(zip(zip(left, right, strict=True), score, strict=True))
    assert len(by_pair) == pairs.num_rows
    return by_pair


def scored(detector: Detector, table: pa.Table) -> dict[tuple[int, int], float | None]:
    """What a scorer says of all pairs."""
    sides = list(combinations(table["fragment"].to_pylist(), 2))
    columns = {
        "pair": list(range(len(sides))),
        "left": [left for left, _ in sides],
        "right": [right for _, right in sides],
        "functionality": [None] * len(sides),
    }
    return dict(zip(sides, detector.score(table, pa.table(columns, schema=PAIRS)).to_pylist(), strict=True))
