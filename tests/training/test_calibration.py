"""Trained detectors whose scores are probabilities, calibrated on held-out functionalities."""

from __future__ import annotations

import dataclasses
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors.detector import FRAGMENTS, side_rows
from clonetruth.errors import InputError
from clonetruth.progress import Progress
from clonetruth.training import LEARNERS, Learner, TrainedDetector, TrainingSpec, at_level, load_detector
from clonetruth.training.calibration import (
    CALIBRATION,
    CalibratedDetector,
    CalibrationData,
    calibrated,
    functionality_groups,
)
from clonetruth.training.learner import LABELLED_PAIRS
from tests.training.training_data import program

TOPICS = ("sort", "copy", "parse", "hash", "zip", "draw", "send", "lock", "walk")
EACH = 6
SPEC = TrainingSpec(epochs=4, calibrate="platt", prior=0.1)


def data() -> CalibrationData:
    """Nine topics with six programs each; four of each are in train."""
    texts = [program(topic, number) for topic in TOPICS for number in range(EACH)]
    keys = list(range(len(texts)))
    fragments = pa.table({"fragment": keys, "language": ["java"] * len(keys), "text": texts}, schema=FRAGMENTS)
    parts = []
    for numbers in (range(4), range(4, 6)):
        sides = list(combinations([key for key in keys if key % EACH in numbers], 2))
        clone = [a // EACH == b // EACH for a, b in sides]
        parts.append(pa.table([range(len(sides)), *zip(*sides, strict=True), clone], schema=LABELLED_PAIRS))
    train, valid = parts
    return CalibrationData(fragments, train, valid, np.array(keys) // EACH)


DATA = data()


class Spy:
    """The learner `linear`, which remembers what it was trained on."""

    def __init__(self) -> None:
        self.inner: Learner = LEARNERS["linear"]
        self.name, self.description = self.inner.name, self.inner.description
        self.seen: list[tuple[pa.Table, pa.Table]] = []

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TrainedDetector:
        self.seen.append((train, valid))
        return self.inner.train(fragments, train, valid, options, progress=progress)

    def load(self, folder: Any) -> TrainedDetector:
        return self.inner.load(folder)


def trained(spec: TrainingSpec = SPEC, learner: Learner | None = None) -> CalibratedDetector:
    learner = learner or LEARNERS["linear"]
    whole = learner.train(DATA.fragments, DATA.train, DATA.valid, spec)
    return calibrated(learner, whole, DATA, spec)


def numbers(detector: TrainedDetector) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(detector.score(DATA.fragments, DATA.valid).to_numpy(), np.float64)


def test_a_functionality_is_scored_by_models_that_did_not_see_it() -> None:
    spy = Spy()
    trained(dataclasses.replace(SPEC, calibration_folds=3), spy)
    whole, *folds = spy.seen
    assert len(folds) == 3
    held = []
    for train, valid in folds:
        rows = np.concatenate([one for pairs in (train, valid) for one in side_rows(DATA.fragments, pairs)])
        held.append(set(range(len(TOPICS))) - set(DATA.groups[rows].tolist()))
        assert len(held[-1]) == 3
    assert set.union(*held) == set(range(len(TOPICS)))
    assert whole[0].num_rows == DATA.train.num_rows


def test_scores_are_probabilities_in_the_same_order_and_the_threshold_says_where_it_comes_from() -> None:
    for method in ("platt", "isotonic"):
        found = trained(dataclasses.replace(SPEC, calibrate=method))
        raw, probability = numbers(found.inner), numbers(found)
        assert ((probability >= 0) & (probability <= 1)).all()
        order = np.argsort(raw, kind="stable")
        assert (np.diff(probability[order]) >= 0).all()
        assert 0 < found.default_threshold < 1
        assert found.record.functionalities == 9
        assert "0.1 clones" in found.threshold_origin
        assert "9 held-out functionalities" in found.threshold_origin
        assert method in found.threshold_origin


def test_the_prior_changes_probabilities_and_not_their_order() -> None:
    rare, frequent = (trained(dataclasses.replace(SPEC, prior=prior)) for prior in (0.01, 0.5))
    few, many = numbers(rare), numbers(frequent)
    assert (few < many).all()
    odds = (many / (1 - many)) / (few / (1 - few))
    assert odds == pytest.approx(99, rel=1e-3)


def test_survives_saving_and_loading_and_another_level(tmp_path: Path) -> None:
    found = trained()
    found.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    assert isinstance(loaded, CalibratedDetector)
    assert loaded.record == found.record
    assert loaded.options.prior == 0.1
    assert (numbers(loaded) == numbers(found)).all()
    other = at_level(loaded, 2).score(DATA.fragments, DATA.valid)
    assert other.null_count == 0
    assert max(other.to_pylist()) <= 1
    assert "threshold_from" in json.loads((tmp_path / "model" / CALIBRATION).read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="exists"):
        found.save(tmp_path / "model")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "newer clonetruth"),
        ({"format": "x"}, "damaged"),
        ({"threshold": 7}, "not a probability"),
        ({"curve": {"method": "platt", "prior": 2, "scores": [0, 1], "log_ratios": [0, 1]}}, "between 0 and 1"),
        ({"curve": {"method": "platt", "prior": 0.5, "scores": [0, 1], "log_ratios": [1, 0]}}, "do not rise"),
        ({"curve": None}, "damaged"),
    ],
)
def test_a_damaged_calibration_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    """A model without its calibration would give other scores: nothing is scored then."""
    trained().save(tmp_path / "model")
    path = tmp_path / "model" / CALIBRATION
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_detector(tmp_path / "model")


def test_two_functionalities_are_too_few() -> None:
    left, right = side_rows(DATA.fragments, DATA.train)
    few = DATA.train.filter(pa.array((DATA.groups[left] < 2) & (DATA.groups[right] < 2)))
    small = dataclasses.replace(DATA, train=few)
    learner = LEARNERS["linear"]
    whole = learner.train(DATA.fragments, few, DATA.valid, SPEC)
    with pytest.raises(InputError, match="Too few pairs within held-out functionalities"):
        calibrated(learner, whole, small, SPEC)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"calibrate": "spline"}, "not one of"),
        ({"calibrate": "platt", "prior": 1.0}, "between 0 and 1"),
        ({"prior": 0.1}, "without a calibration"),
        ({"calibrate": "platt", "calibration_folds": 1}, "less than 2"),
        ({"calibrate": "platt", "threshold": "paper"}, "not a probability"),
        ({"device": "tpu"}, "not a device"),
    ],
)
def test_impossible_options_are_refused(given: dict[str, Any], message: str) -> None:
    from clonetruth.training import ThresholdRule

    if "threshold" in given:
        given = {**given, "threshold": ThresholdRule.PAPER}
    with pytest.raises(InputError, match=message):
        TrainingSpec(**given)


def test_groups_are_what_clones_connect() -> None:
    left, right = np.array([0, 1, 3]), np.array([1, 2, 4])
    found = functionality_groups(6, left, right, np.array([True, True, False]))
    assert found[0] == found[1] == found[2]
    assert len(set(found.tolist())) == 4
