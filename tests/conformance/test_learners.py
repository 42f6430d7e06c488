"""What every learner must do, whatever it learns."""

from __future__ import annotations

import dataclasses
import importlib.util
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.store import build_manifest
from clonetruth.training import LEARNERS, Learner, ThresholdRule, TrainedDetector, TrainingOptions, load_detector
from clonetruth.training.trainer import RECORD
from tests.conftest import ROOT
from tests.training.lessons import fragments, labelled, lesson

LESSON = lesson()
QUICK = TrainingOptions(epochs=6)
NEEDS_TORCH = {"mlp"}


def skip_without(name: str) -> None:
    if name in NEEDS_TORCH and importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch (the extra 'neural') is not installed")


@pytest.fixture(params=sorted(LEARNERS))
def learner(request: pytest.FixtureRequest) -> Learner:
    skip_without(request.param)
    return LEARNERS[request.param]


def trained(learner: Learner, **changes: Any) -> TrainedDetector:
    options = dataclasses.replace(QUICK, **changes)
    return learner.train(LESSON.fragments, LESSON.train, LESSON.valid, options)


def scores(detector: TrainedDetector, pairs: pa.Table = LESSON.test) -> pa.DoubleArray:
    return detector.score(LESSON.fragments, pairs)


def test_says_who_it_is(learner: Learner) -> None:
    assert LEARNERS[learner.name] is learner
    assert learner.description.endswith(".")
    assert f"| `{learner.name}` |" in (ROOT / "docs" / "learned-detectors.md").read_text(encoding="utf-8")


def test_learns_what_can_be_learned(learner: Learner) -> None:
    detector = trained(learner, epochs=30)
    assert detector.name == learner.name
    assert detector.default_threshold is not None
    said = np.array(scores(detector).to_pylist()) >= detector.default_threshold
    truth = LESSON.test["clone"].to_numpy()
    assert 2 * (said & truth).sum() / (said.sum() + truth.sum()) > 0.8
    assert detector.history[-1].loss < detector.history[0].loss


def test_scores_are_finite_and_do_not_depend_on_the_order_of_sides_or_on_other_pairs(learner: Learner) -> None:
    detector = trained(learner)
    found = scores(detector)
    assert all(math.isfinite(score) for score in found.to_pylist())
    turned = LESSON.test.rename_columns(["pair", "right", "left", "clone"])
    assert scores(detector, turned).equals(found)
    for row in (0, 5):
        sides = {LESSON.test[side][row].as_py() for side in ("left", "right")}
        few = fragments().filter(pa.array([key in sides for key in range(len(fragments()))]))
        assert detector.score(few, LESSON.test.slice(row, 1))[0] == found[row]


def test_runs_agree_and_seeds_are_obeyed(learner: Learner) -> None:
    one, again = scores(trained(learner)), scores(trained(learner))
    assert one.equals(again)
    assert not scores(trained(learner, seed=1)).equals(one)


def test_what_has_no_known_word_has_no_score(learner: Learner) -> None:
    detector = trained(learner)
    strange = pa.table(
        {
            "fragment": range(4),
            "language": ["java", "java", "cobol", "java"],
            "text": [LESSON.fragments["text"][0].as_py(), "", "ADD A TO B.", " \n// nothing\n"],
        },
        schema=FRAGMENTS,
    )
    found = detector.score(strange, labelled([(0, 0), (0, 1), (0, 2), (0, 3)])).to_pylist()
    assert found[0] is not None
    assert found[1:] == [None] * 3


def test_no_pairs_and_no_fragments(learner: Learner) -> None:
    detector = trained(learner)
    assert len(scores(detector, labelled([]))) == 0
    assert len(detector.score(FRAGMENTS.empty_table(), labelled([]))) == 0


def test_comes_back_from_a_folder_as_it_was(learner: Learner, tmp_path: Path) -> None:
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
    assert other.default_threshold == {"mlp": 0.0}.get(learner.name, 0.5)
    assert one.default_threshold == max(one.history, key=lambda epoch: epoch.f1).threshold


def test_levels_change_what_is_read(learner: Learner) -> None:
    plain, abstracted = scores(trained(learner)), scores(trained(learner, level=2))
    assert not plain.equals(abstracted)


def test_a_training_that_was_killed_ends_as_if_it_had_not_been(learner: Learner, tmp_path: Path) -> None:
    script = f"""
import dataclasses, os, signal
from pathlib import Path
from clonetruth.training import LEARNERS
from tests.conformance.test_learners import LESSON, QUICK
done = 0
def progress(what, more, total):
    global done
    done += more if what == "Training" else 0
    if done > 2.5 * LESSON.train.num_rows:
        os.kill(os.getpid(), signal.SIGKILL)
options = dataclasses.replace(QUICK, folder=Path({str(tmp_path)!r}))
LEARNERS[{learner.name!r}].train(LESSON.fragments, LESSON.train, LESSON.valid, options, progress=progress)
"""
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=os.environ, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / RECORD).exists()
    epochs = 0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal epochs
        epochs += done == LESSON.train.num_rows * 2 and what == "Training"

    options = dataclasses.replace(QUICK, folder=tmp_path)
    continued = learner.train(LESSON.fragments, LESSON.train, LESSON.valid, options, progress=progress)
    assert epochs == 1, "two epochs were done, and are told as done at once"
    whole = trained(learner)
    assert tuple(continued.history) == tuple(whole.history)
    assert scores(continued).equals(scores(whole))


def test_the_record_of_another_training_is_refused(learner: Learner, tmp_path: Path) -> None:
    trained(learner, folder=tmp_path, epochs=1)
    with pytest.raises(InputError, match="record of another training"):
        trained(learner, folder=tmp_path, epochs=1, seed=1)
    longer = trained(learner, folder=tmp_path, epochs=2)
    assert len(longer.history) == 2


def test_a_damaged_record_is_told(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / RECORD).write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="damaged"):
        trained(learner, folder=tmp_path)


def test_a_folder_that_cannot_be_written_to_is_told(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match="The training cannot be recorded"):
        trained(learner, folder=tmp_path / "file")


@pytest.mark.parametrize("part", ["training", "validation"])
def test_a_part_without_both_classes_is_refused(learner: Learner, part: str) -> None:
    clones = LESSON.train.filter(LESSON.train["clone"])
    train, valid = (clones, LESSON.valid) if part == "training" else (LESSON.train, clones)
    with pytest.raises(InputError, match=f"The {part} part has only clones"):
        learner.train(LESSON.fragments, train, valid, QUICK)
    train, valid = (labelled([]), LESSON.valid) if part == "training" else (LESSON.train, labelled([]))
    with pytest.raises(InputError, match=f"The {part} part has no pairs"):
        learner.train(LESSON.fragments, train, valid, QUICK)


def test_code_that_cannot_be_read_is_refused(learner: Learner) -> None:
    with pytest.raises(InputError, match="No two fragments of the training part share a word"):
        learner.train(fragments("cobol"), LESSON.train, LESSON.valid, QUICK)


def test_a_validation_part_that_cannot_be_read_is_refused(learner: Learner) -> None:
    seen = set(LESSON.train["left"].to_pylist() + LESSON.train["right"].to_pylist())
    languages = ["java" if key in seen else "cobol" for key in LESSON.fragments["fragment"].to_pylist()]
    half = LESSON.fragments.set_column(1, FRAGMENTS.field("language"), pa.array(languages))
    with pytest.raises(InputError, match="No validation pair has words"):
        learner.train(half, LESSON.train, LESSON.valid, QUICK)


def test_a_pair_of_an_unknown_fragment_is_refused(learner: Learner) -> None:
    with pytest.raises(InputError, match="names the fragment 99, which is not there"):
        learner.train(LESSON.fragments, labelled([(0, 1), (0, 12), (1, 99)]), LESSON.valid, QUICK)


def test_an_unknown_name_is_told_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'identifiers'"):
        LEARNERS["identifier"]
