"""Lexing in bulk gives what lexing text by text gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language, lexed_tokens, subword_estimate, vocabulary, words
from clonetruth.code.vocabulary import Lexed, Vocabulary
from tests.conformance.test_languages import every_language, sample

_PIECES = ["a", "total", "if", "return", "this", "1", "2.5e-3", '"two words, one"', "'c'", "{", "}", "(", ")", ";", ","]
_GAPS = ["", " ", "\n", "\n\n  ", "\t", " // why\n", "/* how\n\n */", "\r\n", "\0", '"', "\\", "é€", ".", ">>=", "..."]
texts = st.lists(st.sampled_from(_PIECES + _GAPS), max_size=40).map("".join)
corpora = st.lists(texts, max_size=6)


def tokens_of(lexed: Lexed, number: int) -> list[bytes]:
    part = lexed.tokens[lexed.bounds[number] : lexed.bounds[number + 1]]
    return [lexed.vocabulary.text(token) for token in part.tolist()]


@settings(max_examples=60)
@given(corpora)
def test_tokens_and_their_places(corpus: list[str]) -> None:
    java = language("java")
    data = [text.encode() for text in corpus]
    lexed = Vocabulary(java).lex(data)
    assert lexed.text_starts.tolist() == np.cumsum([0, *map(len, data)]).tolist()
    for number, text in enumerate(data):
        assert tokens_of(lexed, number) == lexed_tokens(corpus[number], java)
        base, breaks = lexed.text_starts[number], lexed.text_breaks[number]
        for token in range(lexed.bounds[number], lexed.bounds[number + 1]):
            start, end = lexed.starts[token] - base, lexed.ends[token] - base
            assert text[start:end] == lexed.vocabulary.text(int(lexed.tokens[token]))
            assert lexed.breaks[token] - breaks == text.count(b"\n", 0, start)
            assert lexed.text_of(np.array([token])).tolist() == [number]


@every_language
def test_words_are_those_of_the_text(name: str) -> None:
    lexed = Vocabulary(language(name)).lex([sample(name).encode()])
    hashes, counts = lexed.vocabulary.words(lexed.tokens)
    expected = words(sample(name), language(name))
    assert len(counts) == len(lexed.tokens)
    assert len(expected) == len(hashes) == counts.sum()
    assert len(set(expected)) == len(set(hashes.tolist())) == len(set(zip(expected, hashes.tolist(), strict=True)))


def test_hashes_say_what_is_alike() -> None:
    lexed = Vocabulary(language("java")).lex([b'a b this int 1 2 "x" null yield + a'])
    a, b, this, type_, one, two, string, null, contextual, plus, again = range(11)
    whole, blind, strict = (getattr(lexed.vocabulary, form)(lexed.tokens) for form in ("whole", "blind", "strict"))
    assert len(set(whole.tolist())) == 10
    assert whole[a] == whole[again]
    assert len({*blind[[a, b, this, contextual, again]].tolist()}) == 1
    assert len({*blind[[one, two, string, null]].tolist()}) == 1
    assert len({*blind[[a, one, type_, plus]].tolist()}) == 4
    assert len({*strict[[a, b, again]].tolist()}) == 1
    # Words that the grammar knows: a tree may depend on them.
    assert strict[[this, contextual]].tolist() == whole[[this, contextual]].tolist()
    assert strict[one] == strict[two]
    assert len({*strict[[one, string, null]].tolist()}) == 3


def test_marks_are_for_some_tokens_and_for_names() -> None:
    lexed = Vocabulary(language("java"), {b"{": 3, b"new": 5, b"record": 6}, 9).lex([b"{ new record x ; 1"])
    assert lexed.vocabulary.marks(lexed.tokens).tolist() == [3, 5, 6, 9, 0, 0]


def test_some_tokens_can_be_asked_for() -> None:
    lexed = Vocabulary(language("java")).lex([b"f(a, b);"])
    assert lexed.vocabulary.among(lexed.tokens, (b";", b",", b"!")).tolist() == [False] * 3 + [True] + [False] * 2 + [
        True
    ]


def test_hashes_are_the_same_in_every_vocabulary_and_after_forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "_LIMIT", 3)
    one = Vocabulary(language("java"))
    for text in (b"a b c d e", b"x /* y */ a", b'e "d c"'):
        lexed, fresh = one.lex([text]), Vocabulary(language("java")).lex([text])
        assert one.whole(lexed.tokens).tolist() == fresh.vocabulary.whole(fresh.tokens).tolist()
        assert [part.tolist() for part in one.words(lexed.tokens)] == [
            part.tolist() for part in fresh.vocabulary.words(fresh.tokens)
        ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), (" \n\t", 0), ("int", 1), ("readLine", 2), ("URLToFile", 3), ("2024", 2), ("();", 2), ("int i = 0;", 5)],
)
def test_the_estimate_of_subwords_counts_parts_of_names_digits_and_symbols(text: str, expected: int) -> None:
    assert subword_estimate(text) == expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_estimate_of_subwords_ignores_layout_and_adds_up(one: str, other: str) -> None:
    assert subword_estimate(f"{one}\n{other}") == subword_estimate(one) + subword_estimate(other)
    assert subword_estimate("  ".join(one.split())) == subword_estimate(one)
