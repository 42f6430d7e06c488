"""Damaged, foreign and newer models."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.training import LEARNERS, TrainingSpec, load_detector
from tests.training.training_data import training_data


@pytest.fixture
def model(tmp_path: Path) -> Path:
    data = training_data()
    trained = LEARNERS["identifiers"].train(data.fragments, data.train, data.valid, TrainingSpec(epochs=1))
    trained.save(tmp_path / "model")
    return tmp_path / "model"


def change(model: Path, **changes: object) -> None:
    file = model / "model.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **changes}), encoding="utf-8")


def test_a_model_is_never_overwritten(model: Path) -> None:
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    with pytest.raises(InputError, match="exists already"):
        load_detector(model).save(model)
    assert {path.name: path.read_bytes() for path in model.iterdir()} == before


@pytest.mark.parametrize("name", ["words.parquet", "functions.parquet", "weights.npz"])
@pytest.mark.parametrize("damage", [b"", b"nothing of the kind", None])
def test_a_damaged_file_is_reported(model: Path, name: str, damage: bytes | None) -> None:
    if damage is None:
        (model / name).unlink()
    else:
        (model / name).write_bytes(damage)
    with pytest.raises(InputError, match="damaged"):
        load_detector(model)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "x"}'])
def test_a_file_that_is_not_a_model(model: Path, text: str) -> None:
    (model / "model.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"damaged|Not a trained detector"):
        load_detector(model)


@pytest.mark.parametrize("entry", ["options", "history", "threshold", "manifest"])
def test_a_wrong_entry_is_reported(model: Path, entry: str) -> None:
    change(model, **{entry: "nonsense"})
    with pytest.raises(InputError, match="damaged"):
        load_detector(model)


def test_words_that_do_not_match_the_weights_are_reported(model: Path) -> None:
    pq.write_table(pa.table({"word": ["a", "b", "c"]}), model / "words.parquet")
    with pytest.raises(InputError, match="damaged"):
        load_detector(model)


def test_newer_formats_and_unknown_learners_are_refused(model: Path) -> None:
    change(model, format=99)
    with pytest.raises(InputError, match="Install a newer clonetruth"):
        load_detector(model)
    change(model, format=1, learner="oracle")
    with pytest.raises(UnknownNameError, match="no learner 'oracle'"):
        load_detector(model)


def test_missing_and_foreign_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match="Not a trained detector"):
            load_detector(path)
