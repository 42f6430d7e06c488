"""Embeddings in their formats, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import InputError
from clonetruth.formats.vectors import are_vectors, load_vectors

IDS = ["a", "b", "c"]
VALUES = np.array([[1.0, 0.0], [0.5, 2.0], [-1.0, 3.0]])


def written(folder: Path, ending: str) -> Path:
    path = folder / f"model{ending}"
    if ending == ".npy":
        np.save(path, VALUES)
        (folder / "model.ids.txt").write_text("a\nb\nc\n")
    elif ending == ".npz":
        np.savez(path, ids=np.array(IDS), vectors=VALUES)
    else:
        pq.write_table(pa.table({"id": IDS, "vector": VALUES.tolist()}), path)
    return path


@pytest.mark.parametrize("ending", [".npy", ".npz", ".parquet"])
def test_every_format_gives_the_same(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path, ending)
    assert are_vectors(path)
    vectors = load_vectors(path)
    assert (vectors.ids, vectors.title) == (tuple(IDS), "model")
    assert np.array_equal(vectors.values, VALUES)
    table = pa.table({"id": IDS, "vector": pa.array(VALUES.tolist(), pa.list_(pa.float32(), 2))})
    assert are_vectors(table)
    assert load_vectors(table).digest() == vectors.digest()


def test_predictions_are_not_vectors(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    pq.write_table(pa.table({"left": ["a"], "right": ["b"], "score": [1.0]}), path)
    assert not are_vectors(path)
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1")
    assert not are_vectors(tmp_path / "damaged.parquet")
    assert not are_vectors({("a", "b"): 1.0})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"id": ["a", "a"], "vector": [[1.0], [2.0]]}, "'a' occurs twice"),
        ({"id": ["a", None], "vector": [[1.0], [2.0]]}, "An id is missing"),
        ({"id": ["a", "b"], "vector": [[1.0], [2.0, 3.0]]}, "differ in length"),
        ({"id": ["a", "b"], "vector": [[1.0], None]}, "differ in length"),
        ({"id": ["a", "b"], "vector": [[1.0], [float("nan")]]}, "'b' is not finite"),
        ({"id": ["a", "b"], "vector": [[1.0], [float("inf")]]}, "'b' is not finite"),
        ({"id": ["a"], "vector": [[None]]}, "not finite"),
        ({"id": ["a"], "vector": [["x"]]}, "cannot be read"),
        ({"id": ["a"], "vector": [[]]}, "There are no vectors"),
        ({"id": [], "vector": pa.array([], pa.list_(pa.float64()))}, "There are no vectors"),
        ({"id": ["a"], "vector": ["text"]}, "cannot be read"),
    ],
)
def test_unusable_vectors_are_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_vectors(pa.table(table))


def test_unusable_files_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "alone.npy", VALUES)
    with pytest.raises(InputError, match=r"ids is missing"):
        load_vectors(tmp_path / "alone.npy")
    (tmp_path / "alone.ids.txt").write_text("a\n")
    with pytest.raises(InputError, match="1 ids and 3 vectors"):
        load_vectors(tmp_path / "alone.npy")
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY")
    (tmp_path / "bad.ids.txt").write_text("a\n")
    np.savez(tmp_path / "other.npz", rows=VALUES)
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "objects.ids.txt").write_text("a\n")
    for name in ("bad.npz", "bad.npy", "other.npz", "objects.npy", "missing.npz", "missing.parquet"):
        with pytest.raises(InputError):
            load_vectors(tmp_path / name)
