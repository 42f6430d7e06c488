"""The conformance suite of learners."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.store import build_manifest
from clonetruth.training import (
    LEARNERS,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    load_detector,
    options_type,
    training_cautions,
)
from clonetruth.training.request import LearnerRequest
from clonetruth.training.trainer import RECORD
from clonetruth.training.transformer import TransformerOptions
from tests.conftest import ROOT
from tests.detectors.encoder_folders import tiny_encoder
from tests.training.training_data import fragments, labelled, training_data

DATA = training_data()
QUICK = TrainingSpec(epochs=6)
METRIC_MODELS = {"oreo", "clcdsa", "clonecognition"}
NEEDS_TORCH = {"mlp", "astnn", "tbccd", "fa-ast", *METRIC_MODELS}
SMALL: dict[str, dict[str, Any]] = {
    "astnn": {"embedding": 16, "encoder": 16, "hidden": 8},
    "tbccd": {"embedding": 16, "convolution": 32, "hidden": 16, "rate": 0.003},
    "fa-ast": {"width": 16, "layers": 1, "nodes": 45, "rate": 0.01},
    "oreo": {"width": 16, "layers": 2},
    "clcdsa": {"width": 16, "layers": 2, "names": "whole"},
}
"""Options that make a training cheap."""
ENCODER_FOLDER = "CLONETRUTH_TEST_TINY_ENCODER"
SINGLE_OPTIMUM = {"linear", "identifiers"}
"""Learners that find the one optimum of their loss."""
WITHOUT_RATE = {*SINGLE_OPTIMUM, "semantic"}


LEAST_F1 = {"semantic": 0.6, **dict.fromkeys(METRIC_MODELS, 0.4)}
"""The topics of the data differ in called names only, which `semantic` and metrics never see; others reach 0.8. The F1
of “always yes” is 0.4. `tests/training/test_metric_models.py` has data that metrics can tell apart."""


def skip_without(name: str) -> None:
    if name in NEEDS_TORCH and importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch (the extra 'neural') is not installed")


FINE_TUNED = ("codebert", "graphcodebert", "transformer", "unixcoder")
"""Learners that start from a pretrained encoder; here from one of random weights."""


@functools.cache
def fine_tuning() -> TrainingSpec:
    """How encoders are fine-tuned here. A killed process and the one that resumes use the same folder.

    From random weights, 18 programs teach the cosine in seconds; the layer over both vectors needs more of both.
    """
    folder = Path(os.environ.setdefault(ENCODER_FOLDER, tempfile.mkdtemp())) / "tiny"
    if not folder.exists():
        tiny_encoder(folder)
    return dataclasses.replace(
        QUICK, rate=0.003, own=TransformerOptions(encoder=str(folder), length=48, head="cosine", pooling="mean")
    )


def spec_of(learner: Learner) -> TrainingSpec:
    """The options of a quick training."""
    if learner.name not in FINE_TUNED:
        return LearnerRequest.of(learner.name, SMALL.get(learner.name)).applied(QUICK)
    own = options_type(learner)(**{**fine_tuning().own.values(), "variables": 8 * (learner.name == "graphcodebert")})
    return dataclasses.replace(fine_tuning(), own=own)


@pytest.fixture(
    params=[pytest.param(one, marks=pytest.mark.slow) if one in FINE_TUNED else one for one in sorted(LEARNERS)]
)
def learner(request: pytest.FixtureRequest) -> Learner:
    skip_without(request.param)
    return LEARNERS[request.param]


def trained(learner: Learner, **changes: Any) -> TrainedDetector:
    options = dataclasses.replace(spec_of(learner), **changes)
    return learner.train(DATA.fragments, DATA.train, DATA.valid, options)


def scores(detector: TrainedDetector, pairs: pa.Table = DATA.test) -> pa.DoubleArray:
    return detector.score(DATA.fragments, pairs)


def test_name_description_and_documentation(learner: Learner) -> None:
    assert LEARNERS[learner.name] is learner
    assert learner.description.endswith(".")
    assert f"| `{learner.name}` |" in (ROOT / "docs" / "learned-detectors.md").read_text(encoding="utf-8")


def test_learns_separable_data(learner: Learner) -> None:
    detector = trained(learner, epochs=30)
    assert detector.name == learner.name
    assert detector.default_threshold is not None
    assert detector.history[-1].loss < detector.history[0].loss
    predicted = np.array(scores(detector).to_pylist()) >= detector.default_threshold
    truth = DATA.test["clone"].to_numpy()
    assert 2 * (predicted & truth).sum() / (predicted.sum() + truth.sum()) > LEAST_F1.get(learner.name, 0.8)


def test_scores_are_finite_and_do_not_depend_on_the_order_of_sides_or_on_other_pairs(learner: Learner) -> None:
    detector = trained(learner)
    whole = scores(detector)
    assert all(math.isfinite(score) for score in whole.to_pylist())
    swapped = DATA.test.rename_columns(["pair", "right", "left", "clone"])
    assert scores(detector, swapped).equals(whole)
    for row in (0, 5):
        sides = {DATA.test[side][row].as_py() for side in ("left", "right")}
        few = fragments().filter(pa.array([key in sides for key in range(len(fragments()))]))
        assert detector.score(few, DATA.test.slice(row, 1))[0] == whole[row]


def test_runs_are_reproducible_and_depend_on_the_seed(learner: Learner) -> None:
    """A model with a single optimum must not depend on the seed at all."""
    one, again = scores(trained(learner)), scores(trained(learner))
    assert one.equals(again)
    assert scores(trained(learner, seed=1)).equals(one) == (learner.name in SINGLE_OPTIMUM)


def test_fragments_without_a_known_word_have_no_score(learner: Learner) -> None:
    detector = trained(learner)
    strange = pa.table(
        {
            "fragment": range(4),
            "language": ["java", "java", "cobol", "java"],
            "text": [DATA.fragments["text"][0].as_py(), "", "ADD A TO B.", " \n// nothing\n"],
        },
        schema=FRAGMENTS,
    )
    values = detector.score(strange, labelled([(0, 0), (0, 1), (0, 2), (0, 3)])).to_pylist()
    assert values[0] is not None
    assert values[1:] == [None] * 3


def test_no_pairs_and_no_fragments(learner: Learner) -> None:
    detector = trained(learner)
    assert len(scores(detector, labelled([]))) == 0
    assert len(detector.score(FRAGMENTS.empty_table(), labelled([]))) == 0


def test_survives_saving_and_loading(learner: Learner, tmp_path: Path) -> None:
    for level in (0, 3):
        detector = trained(learner, level=level)
        manifest = build_manifest({"benchmark": "abc"}, {"view": "random-1"}, 0)
        detector.save(tmp_path / f"level-{level}", manifest)
        back = load_detector(tmp_path / f"level-{level}")
        assert scores(back).equals(scores(detector))
        assert (back.name, back.default_threshold, tuple(back.history)) == (
            detector.name,
            detector.default_threshold,
            tuple(detector.history),
        )
        assert back.options == detector.options
        assert back.manifest == manifest


def test_the_papers_threshold_is_an_option(learner: Learner) -> None:
    one, other = trained(learner), trained(learner, threshold=ThresholdRule.PAPER)
    assert scores(one).equals(scores(other))
    assert other.default_threshold == dict.fromkeys(("mlp", "tbccd", "fa-ast"), 0.0).get(learner.name, 0.5)
    assert one.default_threshold == max(one.history, key=lambda epoch: epoch.f1).threshold


def test_abstraction_levels_change_the_scores(learner: Learner) -> None:
    """Metrics count names, whatever they are."""
    plain, abstracted = scores(trained(learner)), scores(trained(learner, level=2))
    assert plain.equals(abstracted) == (learner.name in ("oreo", "clcdsa"))


def test_a_diverged_training_leaves_no_detector_that_scores(learner: Learner) -> None:
    """All pairs in one batch: the loss is finite, and the step after it is the one that diverges."""
    if learner.name in WITHOUT_RATE:
        pytest.skip("it has no learning rate")
    with pytest.raises(InputError, match=r"is greater than 1e\+30"):
        dataclasses.replace(spec_of(learner), rate=1e38)
    said: tuple[str, ...]
    try:
        said = training_cautions(trained(learner, rate=1e30, batch=10_000, epochs=2))
    except InputError as error:
        said = (str(error),)
    assert len(said) == 1
    assert re.search(r"The training diverged.*Lower --rate|all validation pairs the same score", said[0])


@pytest.mark.slow
def test_a_killed_training_can_be_resumed_with_the_same_result(learner: Learner, tmp_path: Path) -> None:
    script = f"""
import dataclasses, os, signal
from pathlib import Path
from clonetruth.training import LEARNERS
from tests.conformance.test_learners import DATA, spec_of
done = 0
def progress(what, more, total):
    global done
    done += more if what == "Training" else 0
    if done > 2.5 * DATA.train.num_rows:
        os.kill(os.getpid(), signal.SIGKILL)
learner = LEARNERS[{learner.name!r}]
options = dataclasses.replace(spec_of(learner), folder=Path({str(tmp_path)!r}))
learner.train(DATA.fragments, DATA.train, DATA.valid, options, progress=progress)
"""
    # An encoder is made here, so that the process finds it.
    spec = spec_of(learner)
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=os.environ, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / RECORD).exists()
    epochs = 0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal epochs
        epochs += done == DATA.train.num_rows * 2 and what == "Training"

    options = dataclasses.replace(spec, folder=tmp_path)
    resumed = learner.train(DATA.fragments, DATA.train, DATA.valid, options, progress=progress)
    assert epochs == 1, "the two recorded epochs are reported as done at once"
    whole = trained(learner)
    assert tuple(resumed.history) == tuple(whole.history)
    assert scores(resumed).equals(scores(whole))
    # Scores are rounded; weights are not.
    one, other = (getattr(detector, "weights", {}) for detector in (resumed, whole))
    assert one.keys() == other.keys()
    assert all(np.asarray(one[name]).tobytes() == np.asarray(other[name]).tobytes() for name in one)


def test_the_record_of_another_training_is_refused(learner: Learner, tmp_path: Path) -> None:
    trained(learner, folder=tmp_path, epochs=1)
    with pytest.raises(InputError, match="record of another training"):
        trained(learner, folder=tmp_path, epochs=1, seed=1)
    longer = trained(learner, folder=tmp_path, epochs=2)
    assert len(longer.history) == 2


def test_a_damaged_record_is_reported(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / RECORD).write_bytes(b"not an archive")
    with pytest.raises(InputError, match="damaged"):
        trained(learner, folder=tmp_path)


def test_an_unwritable_folder_is_reported(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match="The training cannot be recorded"):
        trained(learner, folder=tmp_path / "file")


@pytest.mark.parametrize("part", ["training", "validation"])
def test_a_part_without_both_classes_is_refused(learner: Learner, part: str) -> None:
    clones = DATA.train.filter(DATA.train["clone"])
    train, valid = (clones, DATA.valid) if part == "training" else (DATA.train, clones)
    with pytest.raises(InputError, match=f"The {part} part has only clones"):
        learner.train(DATA.fragments, train, valid, spec_of(learner))
    train, valid = (labelled([]), DATA.valid) if part == "training" else (DATA.train, labelled([]))
    with pytest.raises(InputError, match=f"The {part} part has no pairs"):
        learner.train(DATA.fragments, train, valid, spec_of(learner))


def test_training_code_in_an_unsupported_language_is_refused(learner: Learner) -> None:
    with pytest.raises(InputError, match="No two fragments of the training part share a word"):
        learner.train(fragments("cobol"), DATA.train, DATA.valid, spec_of(learner))


def test_validation_code_in_an_unsupported_language_is_refused(learner: Learner) -> None:
    seen = set(DATA.train["left"].to_pylist() + DATA.train["right"].to_pylist())
    languages = ["java" if key in seen else "cobol" for key in DATA.fragments["fragment"].to_pylist()]
    half = DATA.fragments.set_column(1, FRAGMENTS.field("language"), pa.array(languages))
    with pytest.raises(InputError, match="No validation pair shares a word"):
        learner.train(half, DATA.train, DATA.valid, spec_of(learner))


def test_a_pair_with_a_missing_fragment_is_refused(learner: Learner) -> None:
    with pytest.raises(InputError, match="refers to fragment 99, which is missing"):
        learner.train(DATA.fragments, labelled([(0, 1), (0, 12), (1, 99)]), DATA.valid, spec_of(learner))


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'identifiers'"):
        LEARNERS["identifier"]
