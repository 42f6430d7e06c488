"""`train` and `predict` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.detectors import DETECTORS, FAMILIES
from clonetruth.store import Benchmark
from clonetruth.training import LEARNERS
from tests.cli.running import run
from tests.evaluate.training_benchmark import TRAINING_DATA, VIEW, training_benchmark


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return training_benchmark(tmp_path_factory.mktemp("training"))


@pytest.fixture(scope="module")
def model(benchmark: Benchmark) -> Path:
    output = benchmark.path.parent / "model"
    ran = run("train", "identifiers", "--on", benchmark.path, "--view", VIEW, "-o", output, "--epochs", 4)
    assert ran.code == 0, ran.err
    assert "Training of identifiers" in ran.out
    assert ran.out.count("kept") == 1
    return output


def test_from_training_to_a_result(benchmark: Benchmark, model: Path, tmp_path: Path) -> None:
    assert sorted(path.name for path in model.parent.iterdir()) == ["model", "training"], "the record is gone"
    predictions = tmp_path / "predictions.parquet"
    ran = run("predict", model, "--on", benchmark.path, "--view", VIEW, "--part", "test", "-o", predictions, "--json")
    assert ran.code == 0, ran.err
    assert ran.err == ""
    assert ran.json["predictions"] == TRAINING_DATA.test.num_rows
    measured = run("evaluate", predictions, "--on", benchmark.path, "--view", VIEW, "--part", "test", "--json")
    assert measured.code == 0, measured.err


@pytest.mark.slow
def test_predicting_training_pairs_causes_a_warning(benchmark: Benchmark, model: Path, tmp_path: Path) -> None:
    for number, part in enumerate([(), ("--part", "test"), ("--view", VIEW, "--part", "train")]):
        ran = run("predict", model, "--on", benchmark.path, *part, "-o", tmp_path / f"{number}.csv")
        assert ran.code == 0, ran.err
        assert "it may have seen these pairs" in ran.err


def test_as_json(benchmark: Benchmark, tmp_path: Path) -> None:
    ran = run("train", "linear", "--on", benchmark.path, "-o", tmp_path / "m", "--epochs", 2, "--level", 2, "--json")
    assert ran.code == 0, ran.err
    assert len(ran.json["history"]) == 2
    assert ran.json["detector"] == "linear"


def test_bad_input_is_reported_and_nothing_is_written(benchmark: Benchmark, model: Path, tmp_path: Path) -> None:
    taken = run("train", "linear", "--on", benchmark.path, "-o", model)
    assert (taken.code, "already exists" in taken.err) == (3, True)
    homeless = run("train", "linear", "--on", benchmark.path, "-o", tmp_path / "no" / "m")
    assert (homeless.code, "parent folder does not exist" in homeless.err) == (3, True)
    unknown = run("train", "linear", "--on", benchmark.path, "--view", "none-1", "-o", tmp_path / "m")
    assert (unknown.code, "There are no splits 'none-1'" in unknown.err) == (3, True)
    stranger = run("train", "bert", "--on", benchmark.path, "-o", tmp_path / "m")
    assert (stranger.code, "There is no learner 'bert'" in stranger.err) == (5, True)
    no_model = run("predict", tmp_path, "--on", benchmark.path, "-o", tmp_path / "predictions.csv")
    assert (no_model.code, "Not a trained detector" in no_model.err) == (3, True)
    untrained = run("predict", "tokens", "--on", benchmark.path, "-o", tmp_path / "predictions.csv")
    assert (untrained.code, "evaluate --detector tokens" in untrained.err) == (3, True)
    ending = run("predict", model, "--on", benchmark.path, "-o", tmp_path / "predictions.txt")
    assert (ending.code, "cannot be written as '.txt'" in ending.err) == (3, True)
    nowhere = run("train", "linear", "--on", benchmark.path)
    assert (nowhere.code, "Missing option '-o'" in nowhere.err) == (2, True)
    nowhere = run("predict", model, "--on", benchmark.path)
    assert (nowhere.code, "Missing option '-o'" in nowhere.err) == (2, True)
    assert not list(tmp_path.iterdir())


def test_learners_are_listed_with_the_detectors() -> None:
    listed = [(row["name"], row["kind"]) for row in run("detectors", "--json").json]
    assert {name for name, kind in listed if kind == "learner"} == set(LEARNERS)
    assert {name for name, kind in listed if kind == "detector" and ":" not in name} == set(DETECTORS)
    assert {name.partition(":")[0] for name, kind in listed if ":" in name} == set(FAMILIES)
    assert "Detectors to be trained" in run("detectors").out
