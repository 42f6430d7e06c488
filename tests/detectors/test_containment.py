"""Fragments inside other fragments: fingerprints, and windows of lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.detectors import FinderOptions, containment
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.largegap import LARGEGAP
from clonetruth.detectors.nearmiss import NEARMISS
from clonetruth.detectors.winnowing import WINNOWING, fingerprints
from tests.detectors.corpora import found, fragments, scored

TOKENS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), max_size=40)
SHAPES = ("x = y;", "f(x);", "x++;", "x += 1;", "int x;", "f(x, y);", "x = f(y);", "return;", "x = y + 1;", "g[x] = y;")


def function(*lines: str) -> str:
    return "\n".join(["void f() {", *lines, "}"])


@given(TOKENS, TOKENS, TOKENS, TOKENS, st.lists(st.sampled_from([b"a", b"b"]), min_size=7, max_size=12))
def test_a_shared_run_gives_a_shared_fingerprint(
    a: list[bytes], b: list[bytes], c: list[bytes], d: list[bytes], run: list[bytes]
) -> None:
    """Winnowing's guarantee: grams of 4 and windows of 4 see every run of 7 tokens."""
    assert fingerprints([*a, *run, *b], 4, 4) & fingerprints([*c, *run, *d], 4, 4)


@given(TOKENS, TOKENS)
def test_a_shared_fingerprint_is_a_shared_gram(left: list[bytes], right: list[bytes]) -> None:
    grams = [{tuple(side[start : start + 4]) for start in range(max(len(side) - 3, 1))} for side in (left, right)]
    if fingerprints(left, 4, 4) & fingerprints(right, 4, 4):
        assert grams[0] & grams[1]


@given(TOKENS)
def test_fingerprints_are_few(tokens: list[bytes]) -> None:
    assert len(fingerprints(tokens, 4, 4)) <= max(len(tokens) - 3 - 3, 1)
    assert bool(fingerprints(tokens, 4, 4)) == bool(tokens)


def test_a_block_inside_a_file_is_found() -> None:
    block = "for (int i = 0; i < n; i++) { if (a[i] > best) { best = a[i]; where = i; } } return where;"
    other = " ".join(f"int v{i} = w{i} * {i} - u.get({i});" for i in range(20))
    whole = f"class A {{ void g() {{ {other} }} int find(int[] a, int n) {{ int best = 0; int where = -1; {block} }} }}"
    table = fragments([whole, f"{{ {block} }}", f"{{ {other} }}"])
    detector = WINNOWING.with_parameters(renaming="none")
    assert set(found(detector, table, FinderOptions(min_tokens=20))) == {(1, 4), (1, 7)}


@pytest.mark.parametrize("detector", [WINNOWING, LARGEGAP], ids=lambda detector: detector.name)
def test_small_lookups_give_the_same_result(detector: ClassicalDetector, monkeypatch: pytest.MonkeyPatch) -> None:
    table = fragments([function(*SHAPES[start : start + 8]) for start in range(6)])
    at_once = found(detector, table, FinderOptions(0.3, min_tokens=0))
    assert 0 < len(at_once) < 15
    monkeypatch.setattr(containment, "_LOOKUPS", 7)
    assert found(detector, table, FinderOptions(0.3, min_tokens=0)) == at_once


def test_words_are_compared_in_unsupported_languages() -> None:
    text = " ".join(f"MOVE A{number} TO B{number}." for number in range(10))
    assert scored(WINNOWING, fragments([text, text.replace(".", ",")], "cobol")) == {(1, 4): 1.0}


def test_large_gaps_cost_little() -> None:
    """The copy has twenty further statements in the middle: too many unique lines for NiCad."""
    gap = [f"int v{number} = {'+'.join(['1'] * (number + 2))};" for number in range(20)]
    table = fragments([function(*SHAPES), function(*SHAPES[:5], *gap, *SHAPES[5:])])
    # 12 lines give 7 windows of 6; a window with two or more lines on both sides of the gap has no match.
    assert scored(LARGEGAP, table) == {(1, 4): 4 / 7}
    assert not found(NEARMISS, table, FinderOptions(min_tokens=0))
    assert set(found(LARGEGAP, table, FinderOptions(0.5, min_tokens=0))) == {(1, 4)}


def test_a_window_may_miss_a_line() -> None:
    left, right = function(*SHAPES[:4]), function(*SHAPES[:2], "while (x) y--;", *SHAPES[3:4])
    assert scored(LARGEGAP, fragments([left, right])) == {(1, 4): 1.0}
    assert scored(replace(LARGEGAP, mismatches=0), fragments([left, right])) == {(1, 4): 0.0}


def test_a_fragment_shorter_than_a_window_must_match_as_a_whole() -> None:
    table = fragments([function("x = y;"), function("a = b;"), function("x++;")])
    assert scored(LARGEGAP, table) == {(1, 4): 1.0, (1, 7): 0.0, (4, 7): 0.0}
