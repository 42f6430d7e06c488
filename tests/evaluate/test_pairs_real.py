"""Real predictions: what DeepSeek and CodeBERT predicted for 6,000 pairs of BigCloneBench."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.formats.predictions import Predictions, read_predictions
from clonetruth.store import Benchmark
from tests.sources.importer import imported

OPTIONS = PairsOptions(policy="origin", baselines=("always-yes", "length"))


@pytest.fixture(scope="module")
def benchmark(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    folder = tmp_path_factory.mktemp("real")
    return imported("bcb-extract", [shared_data / "bigclonebench" / "db_extract"], folder).benchmark


def predicted(shared_data: Path, folder: Path, model: str, column: str) -> Predictions:
    """The predictions of a model as a user would hand them in: two ids and a value."""
    source = shared_data / "bigclonebench" / "db_extract"
    ids: dict[tuple[str, bool], list[tuple[str, str]]] = {}
    lines = [f"id1,id2,{column}\n"]
    for row in pq.read_table(source / "predictions.parquet").to_pylist():
        if row["model"] != model:
            continue
        key = row["clone_type"], bool(row["negative"])
        if key not in ids:
            name = f"ref_{'neg_' if key[1] else ''}{key[0]}.csv"
            with (source / name).open(newline="", encoding="utf-8") as file:
                ids[key] = [(one["FUNCTION_ID_ONE"], one["FUNCTION_ID_TWO"]) for one in csv.DictReader(file)]
        left, right = ids[key][row["row"]]
        lines.append(f"{left},{right},{row[column]}\n")
    target = folder / f"{model}.csv"
    target.write_text("".join(lines), encoding="utf-8")
    return read_predictions(target)


def test_deepseek_by_clone_type(benchmark: Benchmark, shared_data: Path, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, predicted(shared_data, tmp_path, "deepseek-v3-241226", "prediction"), OPTIONS)
    (types,) = (stratum for stratum in result.strata if stratum.by == "clone type (claimed)")
    found = {group.name: [one.value for one in group.measurements] for group in types.groups}
    assert found == {
        "T1": [1.0],
        "T2": [0.96],
        "VST3": [0.964],
        "ST3": [0.918],
        "MT3": [0.492],
        "WT3/T4": [0.06],
        "no type claimed": [1.0],
    }
    values = {one.name: one.value for one in result.headline}
    assert values["precision"] == 1.0
    assert values["recall"] == pytest.approx(2197 / 3000)
    assert result.policy.counted == 6_000
    assert result.detector == "deepseek-v3-241226"
    assert any("6,000 rows of 5,978 pairs" in note for note in result.notes)


def test_codebert_ranks_though_it_has_no_threshold(benchmark: Benchmark, shared_data: Path, tmp_path: Path) -> None:
    """Nearly all of its similarities are near 1; cut at 0.5, it is no better than always saying yes."""
    file = predicted(shared_data, tmp_path, "codebert", "similarity")
    ranked = evaluate_pairs(benchmark, file, OPTIONS)
    assert ranked.measurement("f1") is None
    area = ranked.measurement("roc-auc")
    assert area is not None
    assert area.value is not None
    assert 0.5 < area.value < 1
    cut = evaluate_pairs(benchmark, file, PairsOptions(policy="origin", threshold=0.5, baselines=("always-yes",)))
    f1 = cut.measurement("f1")
    (yes,) = cut.baselines
    always = next(one for one in yes.measurements if one.name == "f1")
    assert f1 is not None
    assert f1.value == pytest.approx(always.value, abs=1e-3)
