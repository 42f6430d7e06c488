"""`--spreadsheet-safe`: CSV in which no cell is a formula; without it, CSV is exact."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.evaluate.pairs.prediction import write_predictions
from tests.audit.drafts import Draft, function
from tests.cli.running import call

FORMULA = "=HYPERLINK(1)"


def cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


@pytest.fixture
def formula_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in range(2):
        (tmp_path / f"{FORMULA}{number}.java").write_text(f"class C{number} {{\n{function(1, lines=20)}}}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_find(formula_tree: Path) -> None:
    exact = call("find", ".", "--processes", "1", "--format", "csv").out
    assert f"{FORMULA}0.java" in cells(exact)
    safe = call("find", ".", "--processes", "1", "--format", "csv", "--spreadsheet-safe").out
    assert cells(safe) == [f"'{cell}" if cell.startswith("=") else cell for cell in cells(exact)]
    assert call("find", ".", "--spreadsheet-safe").code == 2


def test_export(tmp_path: Path) -> None:
    draft = Draft().pair(f"{FORMULA}1", "+2x", "clone").pair("plain", "-3", "not-clone")
    benchmark = draft.create(tmp_path / "benchmark").path
    common = ("--policy", "origin", "--no-sidecar")
    assert call("export", benchmark, "csv", "-o", tmp_path / "exact", *common).code == 0
    assert call("export", benchmark, "csv", "-o", tmp_path / "safe", *common, "--spreadsheet-safe").code == 0
    exact, safe = (cells((tmp_path / name / "pairs.csv").read_text()) for name in ("exact", "safe"))
    assert {f"{FORMULA}1", "+2x", "-3"} <= set(exact)
    assert {f"'{FORMULA}1", "'+2x", "-3"} <= set(safe)
    assert not [cell for cell in safe if cell[:1] in ("=", "+", "@")]
    assert call("export", benchmark, "huggingface", "-o", tmp_path / "hf", *common, "--spreadsheet-safe").code == 3


def test_predictions(tmp_path: Path) -> None:
    table = pa.table({"left": [FORMULA], "right": ["b"], "score": [-0.5], "label": [True]})
    write_predictions(table, tmp_path / "exact.csv")
    write_predictions(table, tmp_path / "safe.csv", spreadsheet_safe=True)
    assert FORMULA in cells((tmp_path / "exact.csv").read_text())
    assert cells((tmp_path / "safe.csv").read_text())[4:] == [f"'{FORMULA}", "b", "-0.5", "true"]
