"""Bags of words, and the words that are read from fragments."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.detectors.word_bags import WordBags, WordVocabulary
from clonetruth.training.word_lists import WordReader, identifier_words, tree_words
from tests.training.training_data import fragments

SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=6)


def words_of(bags: WordBags, words: tuple[str, ...]) -> list[set[str]]:
    bounds = zip(bags.starts[:-1], bags.starts[1:], strict=True)
    return [{words[word] for word in bags.words[start:end]} for start, end in bounds]


@settings(deadline=None, max_examples=60)
@given(SETS, st.integers(1, 3))
def test_bags_are_sets_of_known_words(sets: list[frozenset[str]], min_fragments: int) -> None:
    vocabulary = WordVocabulary.of(sets, min_fragments)
    assert set(vocabulary.words) == {word for word in "abcdefgh" if sum(word in own for own in sets) >= min_fragments}
    bags = vocabulary.bags(sets)
    assert words_of(bags, vocabulary.words) == [own & set(vocabulary.words) for own in sets]


@settings(deadline=None, max_examples=60)
@given(SETS, st.data())
def test_shared_words_and_chosen_bags(sets: list[frozenset[str]], data: st.DataObject) -> None:
    vocabulary = WordVocabulary.of(sets, 1)
    bags = vocabulary.bags(sets)
    rows = data.draw(st.lists(st.integers(0, len(sets) - 1), max_size=8))
    others = data.draw(st.lists(st.integers(0, len(sets) - 1), min_size=len(rows), max_size=len(rows)))
    left, right = (np.array(side, dtype=np.int64) for side in (rows, others))
    assert words_of(bags.take(left), vocabulary.words) == [sets[row] for row in rows]
    shared = words_of(bags.shared(left, right), vocabulary.words)
    assert shared == [sets[a] & sets[b] for a, b in zip(rows, others, strict=True)]


def test_tree_words_are_node_types_and_tokens() -> None:
    words = tree_words("int f(int a) { return a + 1; } // next", language("java"))
    assert {"(method_declaration)", "(binary_expression)", "f", "a", "+", "1", "return"} <= words
    assert not {"(", ")", ";", "next", "(class_declaration)", "(program)"} & words
    assert tree_words("// only a comment", language("java")) == frozenset()


def test_identifier_words_are_names_only() -> None:
    assert identifier_words('int f(int a) { return a + "g"; }', language("java")) == {"f", "a"}


@pytest.mark.parametrize(
    ("level", "kept"), [(0, {"List", "total", "size"}), (1, {"List", "size"}), (2, {"size"}), (3, set[str]())]
)
def test_levels_hide_names(level: int, kept: set[str]) -> None:
    text = "int f(List total) { return size(total); }"
    table = pa.table({"fragment": [0], "language": ["java"], "text": [text]})
    words = WordReader.for_fragments(identifier_words, frozenset(), level, table).read(table)[0]
    assert words & {"List", "total", "size"} == kept


def test_functions_are_numbered_over_all_fragments() -> None:
    texts = ["int a() { return one(); }", "int b() { return two() + one(); }"]
    table = pa.table({"fragment": [0, 1], "language": ["java"] * 2, "text": texts})
    first, second = WordReader.for_fragments(identifier_words, frozenset(), 3, table).read(table)
    assert first & second == {"fun1"}


def test_processes_and_the_cache_change_nothing() -> None:
    many = pa.concat_tables([fragments(), fragments("python"), fragments("cobol")])
    reader = WordReader.of(tree_words, 1, {})
    steps = defaultdict[str, list[int]](list)
    words = reader.read(many, processes=2, progress=lambda what, done, total: steps[what].append(done))
    assert {what: sum(done) for what, done in steps.items()} == {"Abstracting": len(many), "Reading words": len(many)}
    read: list[int] = []
    assert reader.read(many, progress=lambda what, done, total: read.append(done)) == words
    assert not read
    assert WordReader.of(tree_words, 1, {}).read(many) == words
