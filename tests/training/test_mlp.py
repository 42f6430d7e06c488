"""Li et al.'s baseline: the network, and its dependency on PyTorch."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from clonetruth.detectors.word_bags import WordVocabulary
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.training import LEARNERS, TrainingSpec, load_detector
from clonetruth.training.bag_detector import TrainingSet
from clonetruth.training.mlp import cosine, embed
from tests.training.training_data import training_data

DATA = training_data()
BAGS = WordVocabulary(("a", "b", "c")).bags(
    [frozenset("ab"), frozenset("c"), frozenset(), frozenset("ab"), frozenset("abc")]
)


def weights(seed: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    random = np.random.default_rng(seed)
    shapes = {"w1": (3, 4), "b1": (4,), "w2": (4, 4), "b2": (4,), "w3": (4, 2), "b3": (2,)}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def test_three_layers_with_a_sigmoid_between_them() -> None:
    own = weights()
    bag = np.array([1.0, 1, 0])

    def sigmoid(values: Any) -> Any:
        return 1 / (1 + np.exp(-values))

    vector = sigmoid(sigmoid(bag @ own["w1"] + own["b1"]) @ own["w2"] + own["b2"]) @ own["w3"] + own["b3"]
    assert embed(own, BAGS)[0] == pytest.approx(vector / np.linalg.norm(vector))
    assert embed(own, BAGS)[2].tolist() == [0, 0]


def test_the_score_is_the_cosine() -> None:
    left, right = np.array([0, 0, 0, 1]), np.array([0, 3, 1, 0])
    same, twin, there, back = cosine(weights(), BAGS, left, right, lambda done: None)
    assert same == 1
    assert twin == pytest.approx(1)
    assert there == back
    assert -1 <= there < 1


def test_training_minimises_the_documented_loss() -> None:
    pytest.importorskip("torch", reason="PyTorch (the extra 'neural') is not installed")
    from clonetruth.training.siamese import SiameseNetwork

    left, right, truth = np.array([0, 0, 1]), np.array([3, 1, 4]), np.array([True, False, False])
    model = SiameseNetwork(TrainingSet(BAGS, left, right, truth), TrainingSpec())
    before = cosine(model.weights(), BAGS, left, right, lambda done: None)
    loss = model.run_epoch(iter([np.arange(3)]))
    assert loss == pytest.approx(np.mean((before - np.where(truth, 1, -1)) ** 2), rel=1e-5)
    for _ in range(200):
        loss = model.run_epoch(iter([np.arange(3)]))
    assert loss < 0.1
    assert model.weights()["w1"].shape == (3, 100)
    assert model.weights()["w3"].shape == (100, 50)


def test_the_settings_of_torch_are_restored() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch (the extra 'neural') is not installed")
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    LEARNERS["mlp"].train(DATA.fragments, DATA.train, DATA.valid, TrainingSpec(epochs=1))
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == before


def without_torch(patch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def refuse(name: str, *arguments: Any, **named: Any) -> ModuleType:
        if name.partition(".")[0] == "torch":
            raise ImportError(name)
        return original(name, *arguments, **named)

    patch.setattr(builtins, "__import__", refuse)
    patch.delitem(sys.modules, "clonetruth.training.siamese", raising=False)


def test_importing_the_package_does_not_import_torch() -> None:
    script = "import sys, clonetruth.training, clonetruth.training.mlp; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_training_without_torch_names_the_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    with pytest.raises(MissingExtraError, match=r"pip install 'clonetruth\[neural\]'"):
        LEARNERS["mlp"].train(DATA.fragments, DATA.train, DATA.valid, TrainingSpec())


def test_a_trained_detector_works_without_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch (the extra 'neural') is not installed")
    trained = LEARNERS["mlp"].train(DATA.fragments, DATA.train, DATA.valid, TrainingSpec(epochs=1))
    trained.save(tmp_path / "model")
    without_torch(monkeypatch)
    found = load_detector(tmp_path / "model").score(DATA.fragments, DATA.test)
    assert found.equals(trained.score(DATA.fragments, DATA.test))


def test_the_model_of_another_learner_is_refused(tmp_path: Path) -> None:
    LEARNERS["linear"].train(DATA.fragments, DATA.train, DATA.valid, TrainingSpec(epochs=1)).save(tmp_path / "model")
    with pytest.raises(InputError, match="belongs to the learner 'linear', not to 'mlp'"):
        LEARNERS["mlp"].load(tmp_path / "model")
