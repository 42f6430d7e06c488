"""Embedders as detectors: scores, batches, the cache, neighbours, and names with a target."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors import find_detector, is_detector_name, score_sealed
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.embedding import EmbeddedTexts, EmbeddingDetector, VectorCache, nearest_rows
from clonetruth.detectors.embedding.cosines import unit_vectors
from clonetruth.detectors.encoders import ModelFiles, model_folder
from clonetruth.detectors.encoders.subwords import input_length
from clonetruth.detectors.families import split_settings
from clonetruth.detectors.search import query_scores
from clonetruth.errors import CloneTruthWarning, InputError, UnknownNameError

TEXTS = ("aab", "abb", "ccc", "", " \n", "aab", "bbbbbb")


@dataclass
class LetterCounts:
    """Counts of the letters a, b and c: an embedder that notes what it was asked."""

    name: str = "letters"
    description: str = "Counts of letters."
    digest: str = "0" * 64
    width: int = 3
    limit: int | None = 5
    asked: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedTexts]:
        for text in texts:
            self.asked.append(text)
            counts = np.array([[text.count(letter) for letter in "abc"]], np.float32)
            yield EmbeddedTexts(counts, np.array([len(text)]))


def fragments(*texts: str) -> pa.Table:
    return pa.table([np.arange(len(texts)), ["java"] * len(texts), list(texts)], schema=FRAGMENTS)


def pairs(*sides: tuple[int, int]) -> pa.Table:
    left, right = zip(*sides, strict=True) if sides else ((), ())
    return pa.table([list(range(len(sides))), list(left), list(right)], schema=PAIRS)


def test_a_score_is_the_cosine_and_blank_texts_have_none(tmp_path: Path) -> None:
    detector = EmbeddingDetector(LetterCounts(), cache=tmp_path)
    scores = detector.score(
        fragments(*TEXTS), pairs((0, 1), (1, 0), (0, 0), (0, 5), (0, 2), (0, 3), (4, 4))
    ).to_pylist()
    assert scores[:2] == [0.8, 0.8]
    assert scores[2:4] == [1.0, 1.0]
    assert scores[4:] == [0.0, None, None]


def test_each_text_is_embedded_once_per_model(tmp_path: Path) -> None:
    first = LetterCounts()
    detector = EmbeddingDetector(first, cache=tmp_path)
    whole = detector.score(fragments(*TEXTS), pairs((0, 1)))
    assert sorted(first.asked) == ["aab", "abb", "bbbbbb", "ccc"]
    again, other = LetterCounts(), LetterCounts(digest="1" * 64)
    assert EmbeddingDetector(again, cache=tmp_path).score(fragments(*TEXTS), pairs((0, 1))).equals(whole)
    assert again.asked == []
    EmbeddingDetector(other, cache=tmp_path).score(fragments(*TEXTS), pairs((0, 1)))
    assert len(other.asked) == 4


def test_a_damaged_cache_is_said_and_computed_around(tmp_path: Path) -> None:
    (tmp_path / f"{'0' * 32}.sqlite").write_bytes(b"this is not a database" * 100)
    embedder = LetterCounts()
    with pytest.warns(CloneTruthWarning, match="Vectors are not kept"):
        scores = EmbeddingDetector(embedder, cache=tmp_path).score(fragments(*TEXTS), pairs((0, 1)))
    assert scores.to_pylist() == [0.8]


def test_a_stored_vector_of_the_wrong_shape_is_not_used(tmp_path: Path) -> None:
    cache = VectorCache("0" * 64, 3, tmp_path)
    cache.write(["aab", "abb"], EmbeddedTexts(np.ones((2, 3), np.float32), np.array([3, 3])))
    with sqlite3.connect(tmp_path / f"{'0' * 32}.sqlite") as connection:
        connection.execute("UPDATE vectors SET vector = X'0000'")
    assert cache.read(["aab", "abb"]) == {}


def test_batches_give_the_scores_of_one_call_and_read_fragments_once(tmp_path: Path) -> None:
    embedder = LetterCounts()
    detector = EmbeddingDetector(embedder, cache=tmp_path)
    whole = detector.score(fragments(*TEXTS), pairs((0, 1), (1, 2), (0, 6))).to_pylist()
    batches = detector.score_batches(fragments(*TEXTS), [pairs((0, 1)), pairs(), pairs((1, 2), (0, 6))])
    assert [score for batch in batches for score in batch.to_pylist()] == whole
    assert len(embedder.asked) == 4
    with pytest.raises(InputError, match="refers to fragment 9"):
        list(detector.score_batches(fragments(*TEXTS), [pairs((0, 9))]))


def test_sealed_scores_come_batch_by_batch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("clonetruth.detectors.sealed._BATCH", 2)
    sides = [(left, right) for left in range(7) for right in range(7)]
    left, right = (np.array(side) for side in zip(*sides, strict=True))
    detector = EmbeddingDetector(LetterCounts(), cache=tmp_path)
    scores = score_sealed(detector, fragments(*TEXTS), left, right)
    assert scores.warning is None
    assert scores.values.equals(detector.score(fragments(*TEXTS), pairs(*sides)))


def test_retrieval_uses_the_same_scores(tmp_path: Path) -> None:
    detector = EmbeddingDetector(LetterCounts(), cache=tmp_path)
    found = query_scores(detector, fragments(*TEXTS))(np.array([0, 3]))
    assert found[0, [1, 2, 5]] == pytest.approx([0.8, 0.0, 1.0], abs=1e-6)
    assert np.isnan(found[0, 3])
    assert np.isnan(found[1]).all()


def test_the_share_of_truncated_fragments_is_reported(tmp_path: Path) -> None:
    (said,) = EmbeddingDetector(LetterCounts(), cache=tmp_path).remarks(fragments("aab", "bbbbbb", "ccc", "a"))
    assert "1 of 4 fragments (25.0%) were truncated" in said
    assert EmbeddingDetector(LetterCounts(limit=None), cache=tmp_path).remarks(fragments("aab")) == ()


def test_vectors_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    class Broken(LetterCounts):
        def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedTexts]:
            yield EmbeddedTexts(np.full((len(texts), 3), np.nan, np.float32), np.ones(len(texts), np.int64))

    with pytest.raises(InputError, match="no finite vector"):
        EmbeddingDetector(Broken(), cache=tmp_path).score(fragments("a", "b"), pairs((0, 1)))


def test_nearest_rows_are_those_of_all_comparisons() -> None:
    vectors = unit_vectors(np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32))
    vectors[7] = np.nan
    left, right = nearest_rows(vectors, 3)
    assert (left < right).all()
    assert 7 not in {*left.tolist(), *right.tolist()}
    scores = np.nan_to_num(vectors @ vectors.T, nan=-2.0)
    np.fill_diagonal(scores, -2.0)
    wanted = {(min(a, b), max(a, b)) for a in range(60) if a != 7 for b in np.argsort(scores[a])[-3:].tolist()}
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == wanted
    assert len(nearest_rows(vectors[:1], 3)[0]) == 0
    with pytest.raises(InputError, match="not a number of neighbours"):
        nearest_rows(vectors, 0)


def test_the_index_pairs_no_row_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rows that the graph cannot reach it finds fewer neighbours, or none."""
    index = pytest.importorskip("usearch.index", reason="the extra 'encoders' is not installed")

    class Blind(index.Index):  # type: ignore[name-defined,misc]
        def search(self, vectors: np.ndarray, count: int, **options: object) -> SimpleNamespace:
            keys = np.arange(len(vectors))[:, None].repeat(count, axis=1)
            keys[0, 1] = 2
            return SimpleNamespace(keys=keys, counts=np.array([2, *[1] * (len(vectors) - 1)]))

    monkeypatch.setattr(index, "Index", Blind)
    left, right = nearest_rows(unit_vectors(np.eye(4, dtype=np.float32)), 3, exact=False)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 2)]


def test_the_index_finds_nearly_all_of_them() -> None:
    pytest.importorskip("usearch", reason="the extra 'encoders' is not installed")
    vectors = unit_vectors(np.random.default_rng(0).normal(size=(500, 16)).astype(np.float32))
    exact, indexed = (
        set(zip(*(side.tolist() for side in nearest_rows(vectors, 5, exact=exact)), strict=True))
        for exact in (True, False)
    )
    assert len(exact & indexed) > 0.95 * len(exact)
    again = nearest_rows(vectors, 5, exact=False)
    assert set(zip(*(side.tolist() for side in again), strict=True)) == indexed


@pytest.mark.parametrize(
    ("text", "target", "values"),
    [
        ("models/x", "models/x", {}),
        ("a,b,pooling=cls,length=400", "a,b", {"pooling": "cls", "length": "400"}),
        ("qwen,base_url=http://127.0.0.1:1/v1", "qwen", {"base_url": "http://127.0.0.1:1/v1"}),
    ],
)
def test_settings_follow_the_target(text: str, target: str, values: Mapping[str, str]) -> None:
    assert split_settings(text) == (target, values)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("encoder:", "needs a FOLDER"),
        ("encoder:x,colour=red", "has no setting 'colour'"),
        ("encoder:x,pooling=cls,pooling=mean", "set twice"),
        ("encoder:x,length=many", "not a whole number"),
        ("encoder:x,threshold=7", "not a cosine"),
        ("encoder:x,pooling=max", "not a valid pooling"),
        ("encoder:no such folder!", "Not a folder of an encoder"),
    ],
)
def test_a_wrong_name_is_explained(name: str, said: str) -> None:
    assert is_detector_name(name)
    with pytest.raises(InputError, match=said):
        find_detector(name)


def test_an_unknown_family_is_an_unknown_detector() -> None:
    assert not is_detector_name("oracle:x")
    with pytest.raises(UnknownNameError):
        find_detector("oracle:x")


def test_pickles_and_incomplete_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.onnx file is missing"):
        ModelFiles.of(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(InputError, match="can run code when it is opened"):
        ModelFiles.of(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="no tokenizer"):
        ModelFiles.of(tmp_path)
    (tmp_path / "vocab.txt").write_text("a\n", encoding="utf-8")
    assert ModelFiles.of(tmp_path).backend == "onnx"
    (tmp_path / "model.onnx").rename(tmp_path / "one.onnx")
    (tmp_path / "two.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="several ONNX files"):
        ModelFiles.of(tmp_path)
    assert ModelFiles.of(tmp_path, file="two.onnx").weights == (tmp_path / "two.onnx",)
    (tmp_path / "config.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="Not a JSON object"):
        _ = ModelFiles.of(tmp_path, file="two.onnx").config
    with pytest.raises(InputError, match="Not a folder"):
        model_folder(str(tmp_path / "config.json"))


def test_the_length_is_what_the_model_can_read() -> None:
    roberta = {"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}
    assert input_length(roberta, None, "x") == 512
    assert input_length({}, None, "x") == 512
    assert input_length({"max_position_embeddings": 128}, None, "x") == 128
    assert input_length(roberta, 400, "x") == 400
    with pytest.raises(InputError, match="cannot read 513 tokens"):
        input_length(roberta, 513, "x")
