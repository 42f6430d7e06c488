"""The trivial detectors, and those that compare names or text."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.detectors import DETECTORS
from clonetruth.detectors.detector import PAIRS


def fragments(*texts: str, language: str = "java") -> pa.Table:
    keys = list(range(len(texts)))
    return pa.table({"fragment": keys, "language": [language] * len(texts), "text": list(texts)})


def pairs(*sides: tuple[int, int]) -> pa.Table:
    columns = {
        "pair": list(range(len(sides))),
        "left": [left for left, _ in sides],
        "right": [right for _, right in sides],
    }
    return pa.table(columns, schema=PAIRS)


def test_always_yes() -> None:
    assert DETECTORS["always-yes"].score(fragments("a", ""), pairs((0, 1), (1, 1))).to_pylist() == [1.0, 1.0]


def test_length_ignores_white_space() -> None:
    texts = fragments("ab cd", "a\n b\tc d", "äö", "")
    scores = DETECTORS["length"].score(texts, pairs((0, 1), (0, 2), (0, 3), (3, 3)))
    assert scores.to_pylist() == [1.0, 0.5, None, None]


def test_identifier_overlap_ignores_keywords_and_literals() -> None:
    texts = fragments('int f(int a) { return a + "g"; }', "int f(int b) { return b; }", "{ return 1; }")
    scores = DETECTORS["identifier-overlap"].score(texts, pairs((0, 1), (0, 0), (0, 2)))
    assert scores.to_pylist() == [pytest.approx(1 / 3), 1.0, None]


NAMES = st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=6)


@settings(deadline=None, max_examples=60)
@given(NAMES, st.integers(1, 7))
def test_identifier_overlap_is_the_jaccard_index(names: list[set[str]], lookups: int) -> None:
    """Whatever the number of names per lookup."""
    sides = [(left, right) for left in range(len(names)) for right in range(len(names))]
    texts = fragments(*(" ".join(sorted(own)) for own in names), language="unknown")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("clonetruth.detectors.identifier_overlap._LOOKUPS", lookups)
        scores = DETECTORS["identifier-overlap"].score(texts, pairs(*sides)).to_pylist()
    for (left, right), score in zip(sides, scores, strict=True):
        a, b = names[left], names[right]
        assert score == (len(a & b) / len(a | b) if a and b else None)


def test_textual_similarity_ignores_names_and_needs_one_supported_language() -> None:
    renamed = fragments("int f(int a) { return a; }", "int g(int b) { return b; }", "void h() { }")
    line, token = (DETECTORS[f"{unit}-similarity"].score(renamed, pairs((0, 1), (0, 2))) for unit in ("line", "token"))
    assert line.to_pylist()[0] == token.to_pylist()[0] == 1.0
    assert 0 < token.to_pylist()[1] < 1
    foreign = renamed.set_column(1, "language", pa.array(["java", "python", "cobol"]))
    assert DETECTORS["line-similarity"].score(foreign, pairs((0, 1), (0, 2), (2, 2))).to_pylist() == [None] * 3


def test_processes_change_nothing() -> None:
    texts = fragments(*(f"int f{n}(int a) {{ return a + b{n % 3}; }}" for n in range(5)))
    sides = pairs((0, 1), (2, 3), (4, 4))
    for name in ("identifier-overlap", "token-similarity"):
        one, two = (DETECTORS[name].score(texts, sides, processes=count) for count in (1, 2))
        assert one.equals(two)
