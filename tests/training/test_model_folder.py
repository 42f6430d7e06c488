"""Damaged, foreign and newer models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
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
    with pytest.raises(InputError) as raised:
        load_detector(model)
    # The name of the folder is that of this test.
    said = str(raised.value).replace(str(model), "")
    assert name in said
    assert ("There is no such file" if damage is None else "damaged") in said
    assert "Errno" not in said


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


def test_models_of_earlier_versions_are_read(model: Path) -> None:
    """Their options are these; learners had none of their own."""
    earlier = {"seed": 1, "level": 2, "epochs": 3, "patience": 3, "batch": None, "rate": 0.003}
    change(model, options={**earlier, "threshold": "validation", "threads": 1})
    found = load_detector(model).options
    assert (found.seed, found.level, found.rate, found.own.values()) == (1, 2, 0.003, {})
    assert (found.select, found.vocabulary, found.flattering) == ("valid", "train", ())


def test_an_option_of_another_version_is_reported(model: Path) -> None:
    change(model, options={**json.loads((model / "model.json").read_text("utf-8"))["options"], "own": {"width": 3}})
    with pytest.raises(InputError, match="another version"):
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


def test_a_model_chooses_no_folder_and_no_number_of_processes(model: Path, tmp_path: Path) -> None:
    """Otherwise a foreign model would decide where a later training is recorded."""
    options = json.loads((model / "model.json").read_text("utf-8"))["options"]
    change(model, options={**options, "folder": str(tmp_path / "elsewhere"), "processes": 10_000})
    loaded = load_detector(model).options
    assert (loaded.folder, loaded.processes) == (None, 1)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": True},
        {"format": 1.5},
        {"threshold": True},
        {"threshold": float("nan")},
        {"threshold": "0.5"},
        {"threshold": 10**400},
        {"history": [{"loss": 1, "f1": 1, "threshold": 1, "distinct": 1.5}]},
        {"history": [{"loss": "x", "f1": 1, "threshold": 1}]},
        {"history": [3]},
        {"history": None},
        {"options": None},
        {"options": []},
        {"manifest": {"nothing": "known"}},
        {"learner": None},
        {"learner": ["linear"]},
    ],
    ids=lambda changes: str(changes)[:60],
)
def test_entries_of_other_types_are_refused(model: Path, changes: dict[str, object]) -> None:
    change(model, **changes)
    with pytest.raises((InputError, UnknownNameError)):
        load_detector(model)


@pytest.mark.parametrize("words", [pa.array([1, 2]), pa.array(["a", None]), pa.array([["a"], ["b"]])], ids=str)
def test_words_of_another_type_are_refused(model: Path, words: pa.Array) -> None:
    pq.write_table(pa.table({"word": words}), model / "words.parquet")
    with pytest.raises(InputError, match="damaged"):
        load_detector(model)


def test_weights_that_are_objects_are_not_loaded(model: Path, tmp_path: Path) -> None:
    """An array of objects is a pickle, which can run code."""
    trace = tmp_path / "trace"

    class Planted:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (trace,)

    names = np.load(model / "weights.npz").files
    np.savez(model / "weights.npz", allow_pickle=True, **{name: np.array([Planted()], dtype=object) for name in names})
    with pytest.raises(InputError, match="damaged"):
        load_detector(model)
    assert not trace.exists()


def test_weights_that_are_not_finite_numbers_are_refused(model: Path) -> None:
    with np.load(model / "weights.npz") as weights:
        arrays = {name: np.full_like(weights[name], np.nan) for name in weights.files}
    np.savez(model / "weights.npz", **arrays)
    with pytest.raises(InputError, match="not finite"):
        load_detector(model)


def test_a_half_written_model_is_refused(model: Path, tmp_path: Path) -> None:
    for left_out in sorted(path.name for path in model.iterdir()):
        half = tmp_path / left_out
        shutil.copytree(model, half)
        (half / left_out).unlink()
        with pytest.raises(InputError, match=r"damaged|Not a trained detector|There is no such file"):
            load_detector(half)
