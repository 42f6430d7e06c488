"""Encoders: one of random weights, and a real one where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors import find_detector
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.detectors.embedding import EmbeddingDetector
from clonetruth.detectors.encoders import Encoder, EncoderSpec
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.detector_scores import is_detector_folder, scorer
from tests.detectors.encoder_folders import real_encoder, tiny_encoder

pytestmark = pytest.mark.slow  # importing the library takes seconds

TEXTS = ("int sum = a + b;", "while (x < y) { x = x + 1; }", "return a;" * 40, "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


def fragments(*texts: str) -> pa.Table:
    return pa.table([np.arange(len(texts)), ["java"] * len(texts), list(texts)], schema=FRAGMENTS)


def vectors(
    folder: Path, cache: Path, *texts: str, **settings: Any
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    spec = EncoderSpec(str(folder), **settings)
    return EmbeddingDetector(Encoder(spec), cache=cache).embedded(fragments(*texts)).vectors


def test_a_vector_does_not_depend_on_the_other_texts(folder: Path, tmp_path: Path) -> None:
    together = vectors(folder, tmp_path / "a", *TEXTS)
    for row in range(3):
        assert (vectors(folder, tmp_path / str(row), TEXTS[row])[0] == together[row]).all()
    assert np.isnan(together[3]).all()


def test_poolings_differ_and_lengths_are_counted_in_subwords(folder: Path, tmp_path: Path) -> None:
    found = [vectors(folder, tmp_path, TEXTS[1], pooling=one)[0] for one in ("mean", "cls", "last")]
    assert not np.allclose(found[0], found[1])
    assert not np.allclose(found[1], found[2])
    detector = EmbeddingDetector(Encoder(EncoderSpec(str(folder), length=10)), cache=tmp_path)
    tokens = detector.embedded(fragments(*TEXTS)).tokens.tolist()
    assert tokens == [9, 16, 122, 0]
    (said,) = detector.remarks(fragments(*TEXTS))
    assert "first 10 subword tokens" in said
    assert "2 of 4 fragments (50.0%)" in said


def test_other_weights_are_another_model(folder: Path, tmp_path: Path) -> None:
    other = tiny_encoder(tmp_path / "other", seed=1)
    digests = {Encoder(EncoderSpec(str(one), length=length)).digest for one in (folder, other) for length in (8, 16)}
    assert len(digests) == 4


def test_by_name_with_settings(folder: Path) -> None:
    detector = find_detector(f"encoder:{folder},pooling=cls,threshold=0.9", {"device": "cpu"})
    assert detector.name == "encoder:tiny"
    assert detector.default_threshold == 0.9
    assert "cls pooling, 64 subword tokens" in detector.description
    with pytest.raises(InputError, match="cannot read 65 tokens"):
        find_detector(f"encoder:{folder},length=65")


def test_a_folder_is_a_detector_without_a_prefix(folder: Path, tmp_path: Path) -> None:
    assert scorer(str(folder), {"device": "cpu"}).name == "encoder:tiny"
    assert not is_detector_folder(tmp_path)


def test_damaged_weights_are_reported(folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot be loaded"):
        vectors(tmp_path, tmp_path / "cache", "a")


def test_code_of_a_folder_is_not_executed(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = (tmp_path / "config.json").read_text(encoding="utf-8")
    strange = config.replace('"model_type": "bert"', '"model_type": "evil", "auto_map": {"AutoModel": "evil.Evil"}')
    (tmp_path / "config.json").write_text(strange, encoding="utf-8")
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be loaded"):
        vectors(tmp_path, tmp_path / "cache", "a")
    assert not (tmp_path / "executed").exists()


def test_a_real_encoder_tells_topics_apart(tmp_path: Path) -> None:
    texts = (
        "def read_file(path):\n    return open(path).read()",
        "String readFile(Path p) { return Files.readString(p); }",
    )
    other = "int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }"
    detector = EmbeddingDetector(Encoder(EncoderSpec(str(real_encoder()))), cache=tmp_path)
    units = detector.units(fragments(*texts, other))
    assert units[0] @ units[1] > units[0] @ units[2] + 0.1
