"""Hashes of texts depend on the texts alone."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.prefix_join import distinct_numbers
from clonetruth.code.text_hashes import PADDING, hashes_at, lasting_hashes, text_hashes
from clonetruth.code.words import quoted_words
from clonetruth.find.features import _order
from tests.conformance.test_languages import every_language, sample

texts = st.lists(st.binary(max_size=150) | st.sampled_from([b"a", b"b", b"aa", b"a\0", b"\0", b"abcdefgh", b"abcdefg"]))


@given(texts, st.binary(max_size=20))
def test_equal_texts_and_no_others_have_equal_hashes_wherever_they_are(some: list[bytes], before: bytes) -> None:
    hashes = text_hashes(some).tolist()
    assert len(set(hashes)) == len(set(some)) == len(set(zip(hashes, some, strict=True)))
    for text, hashed in zip(some, hashes, strict=True):
        placed = hashes_at(before + text + b"x" + PADDING, np.array([len(before)]), np.array([len(text)]))
        assert placed.tolist() == [hashed]


def test_similar_texts_have_different_hashes() -> None:
    some = [
        b"".join(letters) for size in range(1, 7) for letters in product((b"a", b"b", b"_", b"0", b"\xff"), repeat=size)
    ]
    some += [b"x" * size for size in range(300)]
    assert len(set(text_hashes(some).tolist())) == len(some)
    # Whatever half of the bits a table uses.
    for shift in (0, 32):
        assert len({hashed >> shift & 0xFFFFFFFF for hashed in text_hashes(some).tolist()}) > len(some) - 10


def test_lasting_hashes_are_those_of_the_first_version() -> None:
    # Baselines keep digests of them.
    assert lasting_hashes([b"total", b"x" * 200]).tolist() == [8898708892329799160, 10205568089174323286]


@given(st.lists(st.text(alphabet="ab$_0é .,\n\"'", max_size=12).map(str.encode)))
def test_words_inside_strings_are_hashed_as_words(strings: list[bytes]) -> None:
    hashes, counts = quoted_words(strings)
    found = [re.findall(rb"[\w$\x80-\xff]+", one) for one in strings]
    assert counts.tolist() == [len(one) for one in found]
    assert hashes.tolist() == text_hashes([word for one in found for word in one]).tolist()


@every_language
def test_the_classes_of_many_tokens_are_those_of_each(name: str) -> None:
    code = language(name)
    tokens = [*dict.fromkeys(code.token_pattern.findall(sample(name).encode())), b"\1", b"\xe9", b"$", b" "]
    assert [*code.kind_of.new_kinds(tokens)] == [code.kind_of[token] for token in tokens]


@given(st.lists(st.integers(-(2**62), 2**62)))
def test_distinct_numbers_are_sorted(numbers: list[int]) -> None:
    assert distinct_numbers(np.array(numbers, dtype=np.int64)).tolist() == sorted(set(numbers))


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0, 1, 2, 3, 2**63, 2**63 + 1, 2**64 - 1]))))
def test_words_are_ordered_by_owner_and_hash_even_if_hashes_differ_in_their_last_bits(
    pairs: list[tuple[int, int]],
) -> None:
    pairs.sort(key=lambda pair: pair[0])
    owner, words = (
        np.array([one for one, _ in pairs], dtype=np.int64),
        np.array([word for _, word in pairs], dtype=np.uint64),
    )
    order = _order(words, owner).tolist()
    assert [pairs[at] for at in order] == sorted(pairs)
