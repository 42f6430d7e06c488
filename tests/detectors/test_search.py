"""Search scores: the same as those of pairs, whichever way a detector computes them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors import DETECTORS
from clonetruth.detectors.search import query_scores
from tests.execution.sandboxed import LACKING

RUNNABLE = [name for name in sorted(DETECTORS) if name != "execution" or not LACKING]


TEXTS = [
    ("java", "int f(int a) { return a + 1; }"),
    ("java", "int g(int b) { return b + 1; }"),
    ("java", "int f(int a) { return a + 1; }"),
    ("java", "void h(String s) { for (char c : s.toCharArray()) System.out.println(c); }"),
    ("python", "def f(a):\n    return a + 1"),
    ("java", " "),
]
FRAGMENTS = pa.table(
    {
        "fragment": pa.array(range(10, 10 + len(TEXTS)), pa.int64()),
        "language": [language for language, _ in TEXTS],
        "text": [text for _, text in TEXTS],
    }
)


@pytest.mark.parametrize("name", RUNNABLE)
def test_a_query_has_the_scores_of_its_pairs(name: str) -> None:
    detector, keys = DETECTORS[name], FRAGMENTS["fragment"].to_numpy()
    queries = np.array([3, 0, 5, 1])
    found = query_scores(detector, FRAGMENTS)(queries)
    assert found.shape == (4, len(TEXTS))
    left, right = np.repeat(keys[queries], len(keys)), np.tile(keys, len(queries))
    pairs = pa.table({"pair": np.arange(len(left)), "left": left, "right": right})
    scores = detector.score(FRAGMENTS, pairs).fill_null(np.nan).to_numpy().reshape(found.shape)
    if name == "semantic":  # the same order, without the ties that rounding makes
        np.testing.assert_array_equal(np.isnan(found), np.isnan(scores))
        for own, rounded in zip(found, scores, strict=True):
            lower = rounded[:, None] < rounded[None, :]
            assert (own[:, None] < own[None, :])[lower].all()
    else:
        np.testing.assert_allclose(found, scores, rtol=1e-12)


def test_many_large_bags_are_counted_apart() -> None:
    """Several queries are counted in the bits of one number: a large count must not spill over."""
    random = np.random.default_rng(5)
    texts = [" ".join(f"w{word}" for word in random.integers(0, 400, 3000)) for _ in range(6)]
    texts += ["v " * 70_000, "v " * 69_999]
    fragments = pa.table({"fragment": np.arange(8), "language": ["none"] * 8, "text": texts})
    left, right = (grid.ravel() for grid in np.meshgrid(np.arange(8), np.arange(8), indexing="ij"))
    pairs = pa.table({"pair": np.arange(64), "left": left, "right": right})
    scores = DETECTORS["tokens"].score(fragments, pairs).to_numpy().reshape(8, 8)
    np.testing.assert_allclose(query_scores(DETECTORS["tokens"], fragments)(np.arange(8)), scores)
