"""Compression distance: the formula, and the limit of the finder."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.detectors import FinderOptions, compression
from clonetruth.detectors.compression import NCD
from clonetruth.errors import InputError
from tests.detectors.corpora import found, fragments, functions, scored


def size(text: str) -> int:
    return len(zlib.compress(" ".join(text.split()).encode(), 9))


@given(functions(), functions())
def test_the_score_is_one_minus_the_distance(left: str, right: str) -> None:
    if left.split() == right.split():
        return
    joint = max(min(size(f"{left} {right}"), size(f"{right} {left}")), size(left), size(right))
    distance = (joint - min(size(left), size(right))) / max(size(left), size(right))
    assert scored(NCD, fragments([left, right]))[1, 4] == pytest.approx(max(1 - distance, 0))


@given(st.text(min_size=1), st.text(min_size=1))
def test_scores_lie_between_0_and_1(left: str, right: str) -> None:
    score = scored(NCD, fragments([left, right]))[1, 4]
    assert score is None or 0 <= score <= 1
    assert (score is None) == (not left.encode().split() or not right.encode().split())


def test_too_many_candidates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = fragments([f"int f() {{ return {number}; }}" for number in range(10, 16)])
    options = FinderOptions(min_tokens=0)
    assert len(found(NCD, table, options)) == 15
    monkeypatch.setattr(compression, "_MAX_CANDIDATES", 14)
    with pytest.raises(InputError, match="15 pairs of texts have similar sizes"):
        found(NCD, table, options)
