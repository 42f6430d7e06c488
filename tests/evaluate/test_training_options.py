"""Training on several benchmarks, as papers did it, and scoring at another level."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import clonetruth
from clonetruth.detectors.abstracted import AbstractedDetector
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, PluginError, UnknownNameError
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.training import TrainingData
from clonetruth.sources import embedded
from clonetruth.store import Benchmark
from clonetruth.store.results import Result
from clonetruth.training import LABELLED_PAIRS, LEARNERS, TrainingSpec, at_level, load_detector
from clonetruth.training.bag_detector import BagDetector
from clonetruth.training.learner import ThresholdRule
from clonetruth.training.presets import PRESETS
from clonetruth.training.request import LearnerRequest
from tests.cli.running import run
from tests.evaluate.training_benchmark import TRAINING_DATA, VIEW, training_benchmark


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return training_benchmark(tmp_path_factory.mktemp("training"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return training_benchmark(tmp_path_factory.mktemp("other"))


def train(learner: str, *benchmarks: Benchmark, **words: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one epoch is the last and the best
        return clonetruth.train_detector(learner, on=[one.path for one in benchmarks], epochs=1, **words)


def result(detector: Any, benchmark: Benchmark) -> Result:
    run = EvaluationRun.run(benchmark, Candidate(detector), PairsOptions(view=VIEW, part="test"))
    return build_result(run)


def test_several_benchmarks_are_trained_on_together(benchmark: Benchmark, other: Benchmark) -> None:
    both = train("linear", benchmark, other, view=VIEW)
    assert both.manifest.configuration["train_pairs"] == 2 * TRAINING_DATA.train.num_rows
    assert both.manifest.inputs["benchmark-2"] == other.content_hash
    assert both.manifest.configuration["view-2"] == VIEW
    # The second one repeats the first: every pair counts twice, which changes no mean.
    one = train("linear", benchmark, view=VIEW)
    scores = [found.score(TRAINING_DATA.fragments, TRAINING_DATA.test).to_pylist() for found in (one, both)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-3)


def test_fragments_that_one_benchmark_trains_on_and_another_validates_on_are_counted(
    benchmark: Benchmark, other: Benchmark
) -> None:
    split = other.table(f"splits/{VIEW}").to_pylist()
    exchanged = {"train": "valid", "valid": "train", "test": "test"}
    columns = {"fragment": [row["fragment"] for row in split], "part": [exchanged[row["part"]] for row in split]}
    other.write_table("splits", "exchanged-0", pa.table(columns))
    with pytest.warns(clonetruth.CloneTruthWarning, match=r"\d+ fragments are in the training part of one benchmark"):
        clonetruth.train_detector("linear", on=[benchmark.path, other.path], epochs=1, view=[VIEW, "exchanged-0"])
    both = train("linear", benchmark, other, view=VIEW)
    assert "fragments_of_training_and_validation" not in both.manifest.configuration


def test_a_detector_warns_of_every_benchmark_that_it_was_trained_on(benchmark: Benchmark, other: Benchmark) -> None:
    both = train("linear", benchmark, other, view=VIEW)
    for one in (benchmark, other):
        with pytest.warns(clonetruth.CloneTruthWarning, match="may have seen these pairs"):
            clonetruth.predict_pairs(both, on=one)


def test_views_must_fit_the_benchmarks(benchmark: Benchmark, other: Benchmark) -> None:
    with pytest.raises(InputError, match="3 views are given for 2 benchmarks"):
        train("linear", benchmark, other, view=[VIEW, VIEW, VIEW])


def test_own_options_are_set_and_recorded(benchmark: Benchmark, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    given = ["--set", "hidden=4", "--epochs", 1, "-o", tmp_path / "m"]
    ran = run("train", "clonecognition", "--on", benchmark.path, "--view", VIEW, *given)
    assert ran.code == 0, ran.err
    found = load_detector(tmp_path / "m")
    assert found.options.settings()["own"] == {"hidden": 4}
    assert found.manifest is not None
    assert found.manifest.configuration["own"] == {"hidden": 4}
    wrong = run("train", "clonecognition", "--on", benchmark.path, "--set", "hiden=4", "-o", tmp_path / "n")
    assert (wrong.code, "Did you mean 'hidden'" in wrong.err) == (5, True)
    low = run("train", "clonecognition", "--on", benchmark.path, "--set", "hidden=0", "-o", tmp_path / "n")
    assert (low.code, "0 is less than 1" in low.err) == (3, True)
    assert not (tmp_path / "n").exists()


def test_help_lists_the_options_of_the_learner() -> None:
    assert "--set pace=…" in run("train", "tbccd", "--help").out
    assert "It has no further options." in run("train", "linear", "--help").out


def test_a_preset_fills_in_what_is_not_given(benchmark: Benchmark) -> None:
    found = train("linear", benchmark, view=VIEW, as_="codexglue", seed=5, sample=0.9).options
    assert (found.preset, found.seed, found.epochs, found.rate) == ("codexglue", 5, 1, 0.003)
    assert found.sample == 0.9
    assert PRESETS["codexglue"].common["sample"] == PRESETS["sonnekalb"].common["sample"] == 0.1
    with pytest.raises(InputError, match="li2023"):
        train("linear", benchmark, as_="li2024")


def test_a_preset_sets_what_the_paper_states_for_encoders_only() -> None:
    from clonetruth.options.training import PRESETS as NAMES
    from clonetruth.training import LearnerOptions, options_type

    assert tuple(PRESETS) == NAMES
    encoder = options_type(LEARNERS["codebert"])
    assert PRESETS["li2023"].common_values(encoder)["rate"] == 2e-5
    assert PRESETS["li2023"].own_values(encoder) == {"length": 1000}
    assert "rate" not in PRESETS["li2023"].common_values(LearnerOptions)
    assert PRESETS["li2023"].own_values(LearnerOptions) == {}


def test_what_flatters_is_in_the_headline(benchmark: Benchmark) -> None:
    honest, published = (train("linear", benchmark, view=VIEW, as_=preset) for preset in (None, "li2023"))
    assert published.options.settings()["select"] == "test"
    assert published.options.settings()["vocabulary"] == "all"
    titles = [result(found, benchmark).detector for found in (honest, published)]
    assert titles[0] == "linear"
    with pytest.warns(clonetruth.CloneTruthWarning, match="is flattered, as published"):
        clonetruth.predict_pairs(published, on=benchmark, view=VIEW, part="test")
    assert titles[1].startswith("linear (as published: the test part chose epoch and threshold; words of the test part")
    stated = TrainingSpec(select="test", threshold=ThresholdRule.PAPER)
    assert stated.flattering == ("the test part chose the epoch",)


def test_the_threshold_of_a_paper_or_of_the_test_part_is_the_one_that_counts(benchmark: Benchmark) -> None:
    """Otherwise the validation part would choose another one, and what flatters could not be measured."""
    published = train("linear", benchmark, view=VIEW, select="test")
    found = result(published, benchmark)
    assert found.setting["threshold"] == "test part"
    best = max(epoch.f1 for epoch in published.history)
    f1 = found.measurement("f1")
    assert f1 is not None
    assert f1.value == pytest.approx(best), "the F1 that the test part was asked to make as high as possible"
    paper = result(train("linear", benchmark, view=VIEW, threshold="paper"), benchmark)
    assert paper.setting["threshold"] == "paper"
    assert "score ≥ 0.5, the paper's" in " ".join(paper.notes)


def test_a_learner_of_another_package_that_fails_is_named() -> None:
    class _Failing:
        name = description = "failing"

        def train(self, *_: object, **__: object) -> Any:
            raise ZeroDivisionError("its own fault")

        def load(self, folder: object) -> Any: ...

    texts = {"fragment": [0, 1], "language": ["java"] * 2, "text": ["int a;", "int b;"]}
    pair = pa.table({"pair": [0], "left": [0], "right": [1], "clone": [True]}, schema=LABELLED_PAIRS)
    data = TrainingData(pa.table(texts, schema=FRAGMENTS), pair, pair, np.array([0, 0]))
    with pytest.raises(PluginError, match="The learner 'failing' failed: ZeroDivisionError: its own fault"):
        data.train_with(_Failing(), TrainingSpec())


def test_functionalities_of_fragments_that_are_only_shown_are_not_told() -> None:
    told = []

    class _Asking:
        name = description = "asking"
        takes_functionalities = True

        def train(self, *_: object, functionalities: Any = None, progress: object = None) -> Any:
            told.append(functionalities.tolist())
            raise InputError("enough")

        def load(self, folder: object) -> Any:
            raise InputError("nothing was saved")

    texts = {
        "fragment": [0, 1, 2, 3],
        "language": ["java"] * 4,
        "text": [f"int f() {{ return {n}; }}" for n in range(4)],
    }
    pair = pa.table({"pair": [0], "left": [0], "right": [1], "clone": [True]}, schema=LABELLED_PAIRS)
    groups = np.array([1, 1, 1, 3])  # of the last two, no pair is labelled
    with pytest.raises(InputError, match="enough"):
        TrainingData(pa.table(texts, schema=FRAGMENTS), pair, pair, groups).train_with(_Asking(), TrainingSpec())
    assert told[0][:2] == [1, 1]
    assert len(set(told[0])) == 3


def test_all_words_are_known_only_if_asked() -> None:
    strange = pa.table(
        {"fragment": [100, 101], "language": ["java"] * 2, "text": ["int f() { return zebra; }"] * 2}, schema=FRAGMENTS
    )
    shown = pa.concat_tables([TRAINING_DATA.fragments, strange])
    for vocabulary, known in (("train", False), ("all", True)):
        spec = TrainingSpec(epochs=1, vocabulary=vocabulary)
        found = LEARNERS["linear"].train(shown, TRAINING_DATA.train, TRAINING_DATA.valid, spec)
        assert isinstance(found, BagDetector)
        assert ("zebra" in found.vocabulary.words) == known


def test_a_matrix_row_says_what_flatters() -> None:
    request = LearnerRequest.parse("linear:select=test,vocabulary_of=all")
    assert request.common == {"select": "test", "vocabulary": "all"}
    with pytest.raises(InputError):
        LearnerRequest.parse("linear:select=tset")
    with pytest.raises(UnknownNameError):
        LearnerRequest.parse("liner:select=test")


def test_a_model_can_be_shown_code_of_another_level(benchmark: Benchmark) -> None:
    plain = train("linear", benchmark, view=VIEW)
    assert at_level(plain, 0) is plain
    assert isinstance(at_level(plain, 2), AbstractedDetector)
    own, other = (at_level(plain, level).score(TRAINING_DATA.fragments, TRAINING_DATA.test) for level in (0, 2))
    assert not own.equals(other)
    abstracted = train("linear", benchmark, view=VIEW, level=2)
    assert at_level(abstracted, 0).score(TRAINING_DATA.fragments, TRAINING_DATA.test) is not None
    predicted = clonetruth.predict_pairs(plain, on=benchmark, view=VIEW, part="test", level=2)
    assert predicted.num_rows == TRAINING_DATA.test.num_rows


def test_a_share_of_the_pairs_is_drawn_with_the_seed(benchmark: Benchmark) -> None:
    half = train("linear", benchmark, view=VIEW, sample=0.5)
    pairs = half.manifest.configuration
    assert pairs["train_pairs"] == round(TRAINING_DATA.train.num_rows / 2)
    assert pairs["valid_pairs"] == round(TRAINING_DATA.valid.num_rows / 2)
    assert half.options.settings()["sample"] == 0.5
    scores = [
        train("linear", benchmark, view=VIEW, sample=0.5, seed=seed).score(TRAINING_DATA.fragments, TRAINING_DATA.test)
        for seed in (0, 0, 1)
    ]
    assert scores[0].equals(scores[1])
    assert not scores[0].equals(scores[2])
    with pytest.raises(InputError, match="greater than 1"):
        train("linear", benchmark, view=VIEW, sample=2)


def test_a_request_names_a_preset() -> None:
    from clonetruth.training.request import LearnerRequest

    found = LearnerRequest.parse("mlp:as=li2023,epochs=3").applied(TrainingSpec())
    assert (found.preset, found.select, found.vocabulary, found.epochs) == ("li2023", "test", "all", 3)
    assert LearnerRequest.parse("codebert:as=sonnekalb").applied(TrainingSpec()).sample == 0.1
    with pytest.raises(UnknownNameError, match="li2024"):
        LearnerRequest.parse("mlp:as=li2024")


def test_the_folder_and_the_result_say_on_what_a_threshold_was_chosen(benchmark: Benchmark, tmp_path: Path) -> None:
    given = ["--on", benchmark.path, "--view", VIEW, "--epochs", 2]
    plain = run("train", "linear", *given, "-o", tmp_path / "plain")
    assert "the best F1 on the valid part: 36 pairs, 25.0% clones" in plain.out


@pytest.mark.slow
def test_a_calibrated_detector_from_training_to_result(tmp_path: Path) -> None:
    benchmark = embedded.build(tmp_path / "embedded")
    clonetruth.split_benchmark(benchmark, view="cross-functionality", seed=1)
    view = ["--on", benchmark.path, "--view", "cross-functionality-1"]
    probable = ["--calibrate", "isotonic", "--prior", "0.2", "--epochs", 3]
    ran = run("train", "linear", *view, *probable, "-o", tmp_path / "model")
    assert ran.code == 0, ran.err
    assert "the best F1 for 0.2 clones among all pairs (prior)" in " ".join(ran.out.split())
    assert not (tmp_path / "model.training").exists()
    found = load_detector(tmp_path / "model")
    assert found.manifest is not None
    assert "held-out functionalities of the train part" in found.manifest.configuration["threshold_from"]
    on: dict[str, Any] = {"on": benchmark.path, "view": "cross-functionality-1", "part": "test"}
    result = clonetruth.evaluate_detector(detector=[str(tmp_path / "model")], **on)[0]
    assert result.setting["threshold"] == "held-out functionalities of train"
    assert any("0.2 clones among all pairs (prior)" in note for note in result.notes)
    scores = clonetruth.predict_pairs(tmp_path / "model", **on)["score"].to_pylist()
    assert 0 <= min(scores) <= max(scores) <= 1
    # The same command gives the same threshold.
    again = run("train", "linear", *view, *probable, "-o", tmp_path / "again")
    assert again.code == 0, again.err
    assert load_detector(tmp_path / "again").default_threshold == found.default_threshold


def test_a_learner_that_needs_no_device_says_so(benchmark: Benchmark, tmp_path: Path) -> None:
    ran = run("train", "linear", "--on", benchmark.path, "--view", VIEW, "--device", "cuda", "-o", tmp_path / "m")
    assert (ran.code, "computes on the processor only" in ran.err) == (3, True)
    assert not (tmp_path / "m").exists()
