"""Summaries of matrices as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.matrix import CellFailure, MatrixCell, read_summary, write_record
from tests.report.test_matrix import SUMMARY


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_summary(write_record(SUMMARY, tmp_path / "summary.json")) == SUMMARY


def test_a_failure_is_written_with_its_cell(tmp_path: Path) -> None:
    cell = MatrixCell("mlp", "cross-functionality:li2023", 1, 2)
    path = write_record(CellFailure(cell, "It fell."), tmp_path / f"{cell.name}.failed.json")
    assert path.name == "mlp-cross-functionality-li2023-1-2.failed.json"
    assert json.loads(path.read_text())["cell"] == {
        "detector": "mlp",
        "view": "cross-functionality:li2023",
        "level": 1,
        "seed": 2,
        "fold": None,
        "trained_on": "",
    }


def test_summaries_of_version_1_are_read(tmp_path: Path) -> None:
    """They had neither divisions nor folds."""
    content = json.loads(write_record(SUMMARY, tmp_path / "summary.json").read_text())
    content["schema_version"] = 1
    for row in content["rows"]:
        del row["folds"], row["divisions"]
    for test in content["tests"]:
        del test["runs"], test["divisions"], test["functionalities"]
    (tmp_path / "summary.json").write_text(json.dumps(content))
    found = read_summary(tmp_path / "summary.json")
    assert found.rows == SUMMARY.rows
    assert [(test.runs, test.divisions) for test in found.tests] == [(0, 0)] * len(SUMMARY.tests)
    assert found.cautions() == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Not valid JSON"),
        ("[]", "Not a summary of a matrix"),
        ('{"schema": "clonetruth-result", "schema_version": 1}', "Not a summary of a matrix"),
        ('{"schema": "clonetruth-matrix", "schema_version": 3}', "schema version 3"),
        ('{"schema": "clonetruth-matrix", "schema_version": 1, "policy": 7}', "damaged: summary.policy"),
        ('{"schema": "clonetruth-matrix", "schema_version": 1}', "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "summary.json"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_summary(path)
    assert said in str(raised.value)


def test_unusable_paths_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_summary(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="cannot be written"):
        write_record(SUMMARY, tmp_path / "no" / "such" / "folder.json")
