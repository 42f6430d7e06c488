"""Hugging Face datasets, read without the library."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.sources import import_dataset, recognise
from tests.sources.fixtures import OPTIONS
from tests.sources.importer import Imported, imported
from tests.sources.pair_samples import ROWS, huggingface, huggingface_export, saved

LABELS = ["clone", "not-clone", "clone", "clone"]


def parts(found: Imported) -> list[str | None]:
    return [part for (part,) in found.rows("SELECT claimed_part FROM pairs ORDER BY pair")]


def test_a_saved_dictionary_of_splits(tmp_path: Path) -> None:
    found = imported("huggingface", huggingface(tmp_path), tmp_path)
    assert [row[3] for row in found.labels()] == LABELS
    assert parts(found) == ["train", "train", "valid", "valid"]


def test_a_saved_split(tmp_path: Path) -> None:
    folder = saved(tmp_path / "one", ROWS, "test")
    assert recognise([folder]) == "huggingface"
    found = imported("huggingface", [folder], tmp_path)
    assert parts(found) == ["test"] * 4


def test_a_parquet_export(tmp_path: Path) -> None:
    folder = huggingface_export(tmp_path)
    assert recognise([folder]) == "huggingface"
    found = imported("huggingface", [folder], tmp_path)
    assert sorted(str(part) for part in parts(found)) == ["test", "train", "train", "train"]


def test_a_numbered_export_below_a_folder_of_the_split(tmp_path: Path) -> None:
    data = huggingface_export(tmp_path) / "data"
    place = tmp_path / "converted" / "default" / "validation"
    place.mkdir(parents=True)
    (data / "train-00000-of-00001.parquet").rename(place / "0000.parquet")
    found = imported("huggingface", [tmp_path / "converted"], tmp_path)
    assert parts(found) == ["valid"] * 3


@pytest.mark.parametrize("name", ["../elsewhere.arrow", "/etc/passwd", "missing.arrow", "", None, 5])
def test_names_in_the_description_must_be_plain(name: object, tmp_path: Path) -> None:
    folder = saved(tmp_path / "one", ROWS, "test")
    (tmp_path / "elsewhere.arrow").write_bytes((folder / "data-00000-of-00001.arrow").read_bytes())
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
    with pytest.raises(InputError):
        import_dataset("huggingface", [folder], output=tmp_path / "out", option=OPTIONS["huggingface"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("state", ["[]", "{}", '{"_data_files": 5}', '{"_data_files": [5]}', "nonsense"])
def test_descriptions_of_another_shape(state: str, tmp_path: Path) -> None:
    folder = saved(tmp_path / "one", ROWS, "test")
    (folder / "state.json").write_text(state)
    with pytest.raises(InputError):
        import_dataset("huggingface", [folder], output=tmp_path / "out", option=OPTIONS["huggingface"])


def test_a_name_on_the_hub_needs_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"clonetruth\[huggingface\]"):
        import_dataset(
            "huggingface", [], output=tmp_path / "out", option={"hub": "google/code_x_glue", "language": "java"}
        )


def test_a_name_on_the_hub_is_read_by_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        @staticmethod
        def load_dataset(name: str, config: str | None, *, streaming: bool) -> dict[str, list[dict[str, object]]]:
            if name != "owner/pairs":
                raise ConnectionError("no network")
            return {"train": [{"func1": "int x;", "func2": "int y;", "label": 1}]}

    monkeypatch.setitem(sys.modules, "datasets", Library)
    options = {"hub": "owner/pairs", "language": "java", **OPTIONS["huggingface"]}
    report = import_dataset("huggingface", [], output=tmp_path / "out", option=options)
    assert report.counts["pairs"] == 1
    with pytest.raises(InputError, match="no network"):
        import_dataset("huggingface", [], output=tmp_path / "other", option={**options, "hub": "owner/other"})


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a folder"):
        import_dataset("huggingface", [file], output=tmp_path / "out")
