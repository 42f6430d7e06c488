"""The overlap join against brute force, and against what SourcererCC itself reported."""

from __future__ import annotations

import gzip
from collections import Counter
from fractions import Fraction
from itertools import chain
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import (
    Bags,
    language,
    lexed_tokens,
    overlap,
    overlap_groups,
    overlap_join,
    overlap_parts,
    prefix_join,
    subwords,
    symbol_tokens,
    words,
)
from clonetruth.code.overlap import required_overlap

Found = set[tuple[int, int, int]]


def brute_force(sequences: list[list[str]], threshold: str, minimum: int) -> Found:
    bags = [Counter(sequence) for sequence in sequences]
    found: Found = set()
    for left in range(len(bags)):
        for right in range(left + 1, len(bags)):
            sizes = bags[left].total(), bags[right].total()
            overlap = (bags[left] & bags[right]).total()
            if min(sizes) >= minimum and overlap >= ceil(Fraction(threshold) * max(sizes)):
                found.add((left, right, overlap))
    return found


def joined(sequences: list[list[str]], threshold: float, minimum: int) -> Found:
    pairs = overlap_join(Bags.of(sequences), threshold, minimum=minimum)
    rows = list(zip(pairs.left.tolist(), pairs.right.tolist(), pairs.overlap.tolist(), strict=True))
    assert rows == sorted(rows)
    assert len(set(rows)) == len(rows)
    return set(rows)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=14), max_size=14),
    st.sampled_from(["0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "1"]),
    st.integers(1, 4),
)
def test_join_is_brute_force(sequences: list[list[str]], threshold: str, minimum: int) -> None:
    assert joined(sequences, float(threshold), minimum) == brute_force(sequences, threshold, minimum)


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=14), st.sampled_from([0.3, 0.7, 1.0]))
def test_sets_need_no_look_for_repeats(sets: list[list[str]], threshold: float) -> None:
    one, other = (overlap_groups(Bags.of(sets), threshold, distinct=distinct) for distinct in (True, False))
    assert one.bag.tolist() == other.bag.tolist()
    for side in ("left", "right", "overlap"):
        assert getattr(one.pairs, side).tolist() == getattr(other.pairs, side).tolist()


def test_join_on_long_skewed_bags() -> None:
    random = np.random.default_rng(4)
    sequences = [[f"w{word}" for word in random.zipf(1.4, int(random.integers(5, 300)))] for _ in range(120)]
    sequences += [[*sequence[:-3], "new"] for sequence in sequences[:40]]
    for threshold in ("0.6", "0.8"):
        assert joined(sequences, float(threshold), 1) == brute_force(sequences, threshold, 1)


def test_what_is_looked_up_at_once_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    sequences = [[str(number % 7), str(number % 5), str(number % 3), "x"] for number in range(40)]
    together = joined(sequences, 0.5, 1)
    monkeypatch.setattr(prefix_join, "_LOOKUPS", 2)
    assert joined(sequences, 0.5, 1) == together
    assert len(together) > 40


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=14), max_size=14), st.sampled_from([0.3, 0.7, 1.0]))
def test_the_parts_together_are_the_whole(sequences: list[list[str]], threshold: float) -> None:
    bags = Bags.of(sequences)
    whole = overlap_groups(bags, threshold)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "_PAIRS_IN_MEMORY", 3)
        patch.setattr(prefix_join, "_LOOKUPS", 2)
        bag, parts = overlap_parts(bags, threshold)
        rows = [list(zip(*(column.tolist() for column in vars(part).values()), strict=True)) for part in parts]
    assert bag.tolist() == whole.bag.tolist()
    assert all(part == sorted(part) for part in rows)
    assert [len(part) for part in rows] == [min(3, len(whole.pairs) - at) for at in range(0, len(whole.pairs), 3)]
    together = zip(*(column.tolist() for column in vars(whole.pairs).values()), strict=True)
    assert sorted(chain(*rows)) == list(together)


def test_equal_bags_stay_together() -> None:
    groups = overlap_groups(Bags.of([["a", "b"], ["b", "a"], ["a", "b", "c"], [], ["x"]]), 0.6)
    assert groups.bag.tolist() == [0, 0, 2, -1, 4]
    assert (groups.pairs.left.tolist(), groups.pairs.right.tolist()) == ([0], [2])


@pytest.mark.parametrize("sequences", [[], [[]], [["a"]], [[], ["a"], []]])
def test_nothing_to_join(sequences: list[list[str]]) -> None:
    assert len(overlap_join(Bags.of(sequences), 0.7)) == 0


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01])
def test_a_threshold_is_a_share(threshold: float) -> None:
    for join in (overlap_groups, overlap_parts):
        with pytest.raises(ValueError, match="threshold"):
            join(Bags.of([["a"]]), threshold)


def test_needed_is_exact() -> None:
    assert required_overlap(np.array([30, 10, 90]), 0.1).tolist() == [3, 1, 9]
    assert required_overlap(np.array([90, 91]), 0.7).tolist() == [63, 64]


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int]] = []
    sequences = [[f"w{number}", f"v{number}"] for number in range(2500)]
    overlap_groups(Bags.of(sequences), 0.7, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1000, 2500), (1000, 2500)]


def test_sourcerercc_reports_the_same_pairs(shared_data: Path) -> None:
    """2,726 methods of Apache Ant at 0.7, at least 25 tokens: the 616 pairs that SourcererCC reported."""
    folder = shared_data.parent / "sourcerercc"
    if not folder.is_dir():
        pytest.skip("SourcererCC's golden case (../shared/sourcerercc) is not next to the project")
    ids: list[str] = []
    sequences: list[list[str]] = []
    with gzip.open(folder / "ant_blocks.file.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            head, body = line.rstrip("\n").split("@#@")
            ids.append(head.split(",")[1])
            counts = (item.split("@@::@@") for item in body.split(","))
            sequences.append([token for token, count in counts for _ in range(int(count))])
    with gzip.open(folder / "ant_pairs_70.csv.gz", "rt", encoding="utf-8") as lines:
        reported = {frozenset(line.strip().split(",")) for line in lines}
    pairs = overlap_join(Bags.of(sequences), 0.7, minimum=25)
    found = {frozenset((ids[a], ids[b])) for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}
    assert len(reported) == len(found) == 616
    assert found == reported


def test_words_are_without_comments_and_punctuation() -> None:
    text = "void f(A a) { /* copy */ a.copyTo(\"to file\", 0x1F, 'c'); }"
    assert words(text, language("java")) == [b"void", b"f", b"A", b"a", b"a", b"copyTo", b"to", b"file", b"0x1F", b"c"]
    assert words("total := 1 (* sum *)", None) == [b"total", b"1", b"sum"]


def test_tokens_are_all_but_comments_and_signs_all_but_words_and_literals() -> None:
    text = "f(a, \"(\") /* ( */ + '\\'' - 1.5e-3; // end"
    tokens = [b"f", b"(", b"a", b",", b'"("', b")", b"+", b"'\\''", b"-", b"1.5e-3", b";"]
    assert lexed_tokens(text, language("java")) == tokens
    assert symbol_tokens(text, language("java")) == [b"(", b",", b")", b"+", b"-", b";"]
    assert lexed_tokens("ADD A-1 TO B.", None) == [b"ADD", b"A", b"-", b"1", b"TO", b"B", b"."]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("copyURLToFile_2", ["copy", "url", "to", "file"]),
        ("MAX_VALUE", ["max", "value"]),
        ("Copy File", ["copy", "file"]),
        ("x1", ["x"]),
        ("größeInBytes", ["größe", "in", "bytes"]),
        ("65", []),
    ],
)
def test_names_are_made_of_words(name: str, parts: list[str]) -> None:
    assert subwords(name) == parts


@given(st.lists(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=4), max_size=5))
def test_bags_that_were_numbered_apart_are_the_same_joined(parts: list[list[list[str]]]) -> None:
    joined = Bags.joined(Bags.numbered(part) for part in parts)
    whole = Bags.of(sequence for part in parts for sequence in part)
    assert joined.tokens.tolist() == whole.tokens.tolist()
    assert joined.offsets.tolist() == whole.offsets.tolist()
