"""Training on a benchmark, and predicting its pairs."""

from __future__ import annotations

import warnings
from pathlib import Path

import pyarrow as pa
import pytest

import clonetruth
from clonetruth.detectors import DETECTORS, as_detector
from clonetruth.errors import CloneTruthWarning, InputError, UnknownNameError
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSet
from clonetruth.evaluate.pairs.prediction import predict_benchmark, write_predictions
from clonetruth.evaluate.pairs.training import TrainingData, TrainingSelection, train_on_benchmark
from clonetruth.formats.predictions import read_predictions
from clonetruth.store import Benchmark
from clonetruth.training import TrainingSpec
from clonetruth.verdicts import judge_verdicts
from tests.evaluate.training_benchmark import PARTS, TRAINING_DATA, VIEW, training_benchmark


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return training_benchmark(tmp_path_factory.mktemp("training"))


def data(benchmark: Benchmark, view: str | None) -> TrainingData:
    return TrainingData.of(PairSet(benchmark, judge_verdicts(benchmark, "default", None), view))


def by_texts(fragments: pa.Table, pairs: pa.Table) -> list[tuple[list[str], bool]]:
    """Labelled pairs by the texts of their sides: their keys carry nothing."""
    texts = dict(zip(fragments["fragment"].to_pylist(), fragments["text"].to_pylist(), strict=True))
    return sorted((sorted([texts[row["left"]], texts[row["right"]]]), row["clone"]) for row in pairs.to_pylist())


@pytest.mark.parametrize("view", [VIEW, None])
def test_a_learner_gets_the_judged_pairs_of_its_parts_and_their_fragments(
    benchmark: Benchmark, view: str | None
) -> None:
    found = data(benchmark, view)
    used: set[str] = set()
    for name in ("train", "valid"):
        wanted = by_texts(TRAINING_DATA.fragments, PARTS[name])
        assert by_texts(found.fragments, getattr(found, name)) == wanted
        used |= {text for texts, _ in wanted for text in texts}
    assert sorted(found.fragments["text"].to_pylist()) == sorted(used)


def test_pairs_that_were_drawn_for_a_split_are_the_only_ones(benchmark: Benchmark) -> None:
    split = benchmark.table(f"splits/{VIEW}")
    benchmark.write_table("splits", "drawn-0", split)
    train, valid = [0, 1, 5, 40], [len(TRAINING_DATA.train), len(TRAINING_DATA.train) + 7]
    drawn = pa.table({"pair": train + valid, "part": ["train"] * 4 + ["valid"] * 2})
    benchmark.write_table("samples", "drawn-0", drawn)
    found = data(benchmark, "drawn-0")
    for part, rows, first in (("train", train, 0), ("valid", valid, len(TRAINING_DATA.train))):
        drawn_rows = PARTS[part].take([row - first for row in rows])
        assert by_texts(found.fragments, getattr(found, part)) == by_texts(TRAINING_DATA.fragments, drawn_rows)


def test_a_detector_is_trained_with_a_record_of_on_what(benchmark: Benchmark) -> None:
    detector, manifest = train_on_benchmark(
        benchmark, "linear", TrainingSelection(VIEW), TrainingSpec(epochs=5, seed=3)
    )
    assert manifest.inputs == {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    assert manifest.seed == 3
    wanted = {"learner": "linear", "view": VIEW, "policy": "default", "criterion": "same-main-purpose", "level": 0}
    assert wanted.items() <= manifest.configuration.items()
    result = evaluate_pairs(benchmark, detector, PairsOptions(view=VIEW, part="test", baselines=()))
    assert result.detector == "linear"
    f1 = next(one.value for one in result.headline if one.name == "f1")
    assert f1 is not None
    assert f1 > 0.6


def test_wrong_names_are_refused(benchmark: Benchmark) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'linear'"):
        train_on_benchmark(benchmark, "linnear")
    with pytest.raises(InputError, match="There are no splits 'nowhere-1'"):
        train_on_benchmark(benchmark, "linear", TrainingSelection("nowhere-1"))
    with pytest.raises(InputError, match="no judgements under the criterion 'textual'"):
        train_on_benchmark(benchmark, "linear", TrainingSelection(VIEW, criterion="textual"))


def test_a_view_without_training_pairs_is_refused(benchmark: Benchmark) -> None:
    benchmark.write_table("splits", "lone-0", pa.table({"fragment": [0, 1], "part": ["train", "test"]}))
    with pytest.raises(InputError, match=r"The training part has no pairs.*'origin' believes"):
        train_on_benchmark(benchmark, "linear", TrainingSelection("lone-0"))


def test_predictions_are_for_each_unordered_pair_with_or_without_a_verdict(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    detector = DETECTORS["length"]
    every, test = predict_benchmark(benchmark, detector), predict_benchmark(benchmark, detector, view=VIEW, part="test")
    assert every.num_rows == benchmark.counts["pairs"] - 1
    assert test.num_rows == TRAINING_DATA.test.num_rows
    assert test["left"].to_pylist() == [f"p{key}" for key in TRAINING_DATA.test["left"].to_pylist()]
    assert test["score"].combine_chunks().equals(detector.score(TRAINING_DATA.fragments, TRAINING_DATA.test))
    threshold = detector.default_threshold
    assert threshold is not None
    assert test["label"].to_pylist() == [score >= threshold for score in test["score"].to_pylist()]
    for name in ("predictions.parquet", "predictions.csv"):
        write_predictions(test, tmp_path / name)
        back = read_predictions(tmp_path / name).table.select(test.column_names)
        assert back.to_pydict() == test.to_pydict()


def test_unknown_parts_and_endings_are_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no part 'tset'"):
        predict_benchmark(benchmark, DETECTORS["length"], part="tset")
    with pytest.raises(InputError, match="given without a part"):
        predict_benchmark(benchmark, DETECTORS["length"], view=VIEW)
    with pytest.raises(InputError, match="cannot be written as"):
        write_predictions(pa.table({}), tmp_path / "predictions.xlsx")
    assert not list(tmp_path.iterdir())


def test_training_and_prediction_need_no_files(benchmark: Benchmark) -> None:
    before = sorted(benchmark.path.parent.iterdir())
    detector = clonetruth.train_detector("linear", on=benchmark, view=VIEW, epochs=2, seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predictions = clonetruth.predict_pairs(detector, on=benchmark, view=VIEW, part="test")
    assert predictions.column_names == ["left", "right", "score", "label"]
    assert predictions.num_rows == TRAINING_DATA.test.num_rows
    assert sorted(benchmark.path.parent.iterdir()) == before
    with pytest.warns(CloneTruthWarning, match="may have seen these pairs"):
        clonetruth.predict_pairs(detector, on=benchmark, view=VIEW, part="train")


def test_pairs_without_a_score_are_left_out_with_a_warning(benchmark: Benchmark) -> None:
    first = pa.table(benchmark.sql("SELECT text FROM fragments ORDER BY fragment LIMIT 1"))["text"][0].as_py()
    picky = as_detector(lambda left, right: None if first in (left, right) else 1.0, name="picky", threshold=0.5)
    every = clonetruth.predict_pairs(DETECTORS["length"], on=benchmark).num_rows
    with pytest.warns(CloneTruthWarning, match=rf"picky: \d+ of {every} pairs have no score, and are left out"):
        assert 0 < clonetruth.predict_pairs(picky, on=benchmark).num_rows < every


def test_a_saved_detector_predicts_the_same(benchmark: Benchmark, tmp_path: Path) -> None:
    detector = clonetruth.train_detector("linear", on=benchmark.path, view=VIEW, epochs=2, output=tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"], "the record of the training is removed"
    files = tmp_path / "predictions.csv"
    saved = clonetruth.predict_pairs(tmp_path / "model", on=benchmark, view=VIEW, part="test", output=files)
    assert saved.equals(clonetruth.predict_pairs(detector, on=benchmark, view=VIEW, part="test"))
    assert read_predictions(files).table.num_rows == saved.num_rows
    # The folder is a detector for evaluations, too, which warn of pairs that it may have learned from.
    measured = clonetruth.evaluate_detector(tmp_path / "model", on=benchmark, view=VIEW, part="test")
    predicted = clonetruth.evaluate_detector(saved, on=benchmark, view=VIEW, part="test")
    assert measured["f1"].value == predicted["f1"].value
    seen = "may have seen these pairs"
    assert not any(seen in warning for warning in measured[0].warnings)
    trained_on = clonetruth.evaluate_detector(tmp_path / "model", on=benchmark, view=VIEW, part="train")
    assert any(seen in warning for warning in trained_on[0].warnings)
    with pytest.raises(InputError, match="The output folder already exists"):
        clonetruth.train_detector("linear", on=benchmark, view=VIEW, output=tmp_path / "model")
