"""Bags of tokens, compared with a report of SourcererCC itself."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.detectors import FinderOptions
from clonetruth.detectors.token_overlap import TOKENS
from tests.detectors.corpora import found, fragments, scored

LEFT = "int f(int a) { return a + 1; }"
RIGHT = "int g(int a) { return a - 1; }"


def test_words_or_all_tokens() -> None:
    pair = fragments([LEFT, RIGHT])
    assert scored(TOKENS, pair) == {(1, 4): 6 / 7}
    assert scored(TOKENS.with_parameters(units="tokens"), pair) == {(1, 4): 11 / 13}


def test_how_often_a_word_occurs_counts_and_the_order_does_not() -> None:
    assert scored(TOKENS, fragments(["a a a b", "b a a c d"])) == {(1, 4): 3 / 5}
    assert scored(TOKENS, fragments(["a b c", "c b a"])) == {(1, 4): 1.0}


def test_sourcerercc_reports_the_same_pairs(shared_data: Path) -> None:
    """2,726 methods of Apache Ant at 0.7, at least 25 tokens: the 616 pairs that SourcererCC reported."""
    folder = shared_data.parent / "sourcerercc"
    if not folder.is_dir():
        pytest.skip("SourcererCC's golden case (../shared/sourcerercc) is not available")
    keys: list[int] = []
    texts: list[str] = []
    with gzip.open(folder / "ant_blocks.file.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            head, body = line.rstrip("\n").split("@#@")
            keys.append(int(head.split(",")[1]))
            counts = (item.split("@@::@@") for item in body.split(","))
            texts.append(" ".join(token for token, count in counts for _ in range(int(count))))
    with gzip.open(folder / "ant_pairs_70.csv.gz", "rt", encoding="utf-8") as lines:
        reported = {tuple(sorted(map(int, line.split(",")))) for line in lines}
    # The blocks are already split into words; an unsupported language is read as words.
    blocks = pa.table({"fragment": keys, "language": ["words"] * len(keys), "text": texts})
    pairs = found(TOKENS, blocks, FinderOptions(0.7, min_tokens=25))
    assert len(reported) == 616
    assert set(pairs) == reported
    assert min(pairs.values()) >= 0.7
