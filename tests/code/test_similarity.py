"""Similarity: LCS over the larger size, symmetric, in [0, 1], and 1 exactly for equal blind forms."""

from __future__ import annotations

import difflib
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import FormTable, FragmentForms, SequenceTable, fragment_forms, language, similarity

JAVA = language("java")

sequences = st.lists(st.sampled_from([b"a", b"b", b"c", b"{", b"}"]), max_size=12).map(tuple)
forms = st.builds(
    lambda tokens, lines: FragmentForms(b"1" + b"".join(tokens), b"2" + b"".join(tokens), tokens, lines, sound=True),
    sequences,
    sequences,
)


def longest_common_subsequence(left: tuple[bytes, ...], right: tuple[bytes, ...]) -> int:
    """The textbook definition."""
    row = [0] * (len(right) + 1)
    for a in left:
        above = row
        row = [0]
        for j, b in enumerate(right):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
    return row[-1]


@given(forms, forms)
def test_is_lcs_over_the_larger_size(left: FragmentForms, right: FragmentForms) -> None:
    for found, a, b in (
        (similarity(left, right).line, left.lines, right.lines),
        (similarity(left, right).token, left.tokens, right.tokens),
    ):
        larger = max(len(a), len(b))
        assert found == (longest_common_subsequence(a, b) / larger if larger else 1.0)


@given(forms, forms)
def test_is_symmetric_and_one_exactly_for_equal_forms(left: FragmentForms, right: FragmentForms) -> None:
    found = similarity(left, right)
    assert found == similarity(right, left)
    assert 0 <= found.line <= 1
    assert 0 <= found.token <= 1
    assert (found.line == 1) == (left.lines == right.lines)
    assert (found.token == 1) == (left.tokens == right.tokens)


@settings(max_examples=50)
@given(st.lists(sequences, min_size=1, max_size=6))
def test_sequences_in_bulk(table: list[tuple[bytes, ...]]) -> None:
    left, right = np.indices((len(table), len(table))).reshape(2, -1)
    expected = [longest_common_subsequence(a, b) / max(len(a), len(b)) if a or b else 1.0 for a in table for b in table]
    assert SequenceTable(table).ratios(left, right).tolist() == expected
    assert len(SequenceTable(table).ratios(left[:0], right[:0])) == 0


@settings(max_examples=50)
@given(st.lists(forms, min_size=1, max_size=8), st.data())
def test_bulk_equals_one_by_one(table: list[FragmentForms], data: st.DataObject) -> None:
    positions = st.integers(0, len(table) - 1)
    pairs = data.draw(st.lists(st.tuples(positions, positions), min_size=1, max_size=30))
    left, right = np.array(pairs, dtype=np.int64).T
    measures = FormTable(table).measure(left, right)
    for (a, b), line, token, kind in zip(pairs, measures.line, measures.token, measures.syntactic, strict=True):
        one = similarity(table[a], table[b])
        assert (line, token) == (one.line, one.token)
        same = table[a].type1 == table[b].type1, table[a].consistent == table[b].consistent
        assert kind == (1 if same[0] else 2 if same[1] else 3)


def test_several_processes_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("clonetruth.code.similarity"), "_PARALLEL_FROM", 1)
    table = FormTable(
        fragment_forms(f"int f(int a) {{ {'a += 1; ' * n} return a{' + a' * n}; }}", JAVA) for n in range(20)
    )
    left, right = (side.ravel() for side in np.mgrid[0:20, 0:20])
    done: list[int] = []
    alone = table.measure(left, right)
    shared = table.measure(left, right, processes=2, progress=done.append)
    assert np.array_equal(alone.line, shared.line)
    assert np.array_equal(alone.token, shared.token)
    assert sum(done) == 400


def test_no_pairs_at_all() -> None:
    nothing = np.empty(0, dtype=np.int64)
    measures = FormTable([]).measure(nothing, nothing)
    assert len(measures.line) == len(measures.token) == len(measures.syntactic) == 0


def test_a_worked_example() -> None:
    left = fragment_forms("int sum(int[] v) { int s = 0; for (int x : v) s += x; return s; }", JAVA)
    right = fragment_forms("int sum(int[] v) { int s = 0; for (int x : v) { s += x; } return s; }", JAVA)
    # Lines of the left side:  signature, declaration, loop with its statement, a blank line, return, brace.
    assert len(left.lines) == 6
    # The right side has "for (...) {", "s += x;", "}" instead of the loop's one line and the blank line.
    assert len(right.lines) == 7
    found = similarity(left, right)
    assert found.line == 4 / 7
    assert found.token == 29 / 31


def test_difflib_agrees_where_its_matching_is_a_longest_one() -> None:
    left = fragment_forms("void f() { a(); b(); c(); }", JAVA)
    right = fragment_forms("void f() { a(); c(); }", JAVA)
    matcher = difflib.SequenceMatcher(None, left.tokens, right.tokens, autojunk=False)
    matched = sum(block.size for block in matcher.get_matching_blocks())
    assert similarity(left, right).token == matched / max(len(left.tokens), len(right.tokens))
