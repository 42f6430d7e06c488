"""Fine-tuned encoders, with an encoder of random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clonetruth.code import language
from clonetruth.errors import InputError
from clonetruth.training import LEARNERS, TrainedDetector, TrainingSpec, load_detector
from clonetruth.training.learner import options_type
from clonetruth.training.transformer import TransformerDetector, TransformerOptions
from clonetruth.training.transformer.data_flow import data_flow
from clonetruth.training.transformer.inputs import EncodedFragment
from tests.detectors.encoder_folders import tiny_encoder
from tests.training.training_data import training_data

DATA = training_data()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


def train(
    folder: Path, *, epochs: int = 1, record: Path | None = None, rate: float = 0.003, **own: Any
) -> TrainedDetector:
    options = TransformerOptions(**{"encoder": str(folder), "length": 40, **own})
    spec = TrainingSpec(epochs=epochs, rate=rate, batch=16, own=options, folder=record)
    return LEARNERS["transformer"].train(DATA.fragments, DATA.train, DATA.valid, spec)


def scores(detector: TrainedDetector) -> list[float]:
    found: list[float] = detector.score(DATA.fragments, DATA.test).to_pylist()
    return found


@pytest.mark.slow
def test_training_reduces_the_loss_and_a_saved_model_needs_no_encoder_folder(folder: Path, tmp_path: Path) -> None:
    own = tiny_encoder(tmp_path / "encoder", seed=3)
    detector = train(own, epochs=3)
    assert detector.history[-1].loss < detector.history[0].loss
    detector.save(tmp_path / "model")
    for path in own.iterdir():
        path.unlink()
    back = load_detector(tmp_path / "model")
    assert isinstance(back, TransformerDetector)
    assert scores(back) == scores(detector)
    (said,) = back.remarks(DATA.fragments)
    assert "reads the first 40 subword tokens" in said
    assert "were truncated" in said


@pytest.mark.slow
def test_a_resumed_training_gives_the_same_weights(folder: Path, tmp_path: Path) -> None:
    whole = train(folder, epochs=2)
    train(folder, epochs=1, record=tmp_path)
    resumed = train(folder, epochs=2, record=tmp_path)
    assert tuple(resumed.history) == tuple(whole.history)
    assert scores(resumed) == scores(whole)


@pytest.mark.slow
@pytest.mark.parametrize("own", [{"head": "cosine", "pooling": "mean"}, {"variables": 8}, {"length": 100}])
def test_other_heads_data_flow_and_windows(folder: Path, own: dict[str, Any]) -> None:
    detector = train(folder, **own)
    found = scores(detector)
    swapped = DATA.test.rename_columns(["pair", "right", "left", "clone"])
    assert detector.score(DATA.fragments, swapped).to_pylist() == found
    assert len(set(found)) > 1
    assert np.isfinite(found).all()
    assert found != scores(train(folder))


@pytest.mark.slow
def test_a_diverged_training_is_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match="diverged"):
        train(folder, epochs=5, rate=1e30)


@pytest.mark.slow
def test_the_pretrained_weights_are_used(folder: Path, tmp_path: Path) -> None:
    other = tiny_encoder(tmp_path / "other", seed=5)
    assert scores(train(folder, rate=1e-12)) != scores(train(other, rate=1e-12))


@pytest.mark.slow
def test_a_data_flow_does_not_fit_into_windows(folder: Path) -> None:
    with pytest.raises(InputError, match="With a data flow, the length is at most 64"):
        train(folder, length=100, variables=8)


@pytest.mark.slow
def test_a_model_that_cannot_be_had_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    spec = TrainingSpec(epochs=1, own=TransformerOptions(encoder="nobody/nothing"))
    with pytest.raises(InputError, match="nor a model that the Hugging Face hub gives"):
        LEARNERS["transformer"].train(DATA.fragments, DATA.train, DATA.valid, spec)


def test_the_attention_is_graphcodeberts() -> None:
    """By hand: [CLS] x = x [SEP], padded to 6; the first x (variable 0) comes from the second one (1)."""
    pytest.importorskip("transformers")
    from clonetruth.training.transformer.network import attention

    sees = attention(EncodedFragment(((2, 5, 6, 5, 3),), 5, ((1,), (3,)), ((0, 1),)), size=5, width=6, most=3)
    assert ["".join("x" if seen else "." for seen in row) for row in sees.tolist()] == [
        "xxxxx.xx.",  # [CLS] sees all tokens and variables
        "xxxxx.x..",  # x: all tokens, and itself as a variable
        "xxxxx....",
        "xxxxx..x.",
        "xxxxx.xx.",
        ".....x...",  # padding sees itself
        ".x.....x.",  # variable 0: its token, and the variable that its value comes from
        "...x.....",
        "........x",
    ]


def test_data_flow_follows_assignments() -> None:
    text = "int f(int a) { int b = a + 1; b = b * a; return b; }"
    found = data_flow(text, language("java"))
    names = [text[start:end] for start, end in found.spans]
    assert names == ["a", "b", "a", "b", "b", "a", "b"]
    # b = a + 1 comes from a; the second b from the first one, from b and a; the returned b from the second.
    assert found.sources == ((), (2,), (0,), (1, 4, 5), (3,), (0,), (3,))
    assert data_flow("", language("java")).spans == ()


def test_data_flow_ends_statements_of_python_at_the_line() -> None:
    found = data_flow("x = y\ny = 2\nprint(x)\n", language("python"))
    assert found.sources == ((1,), (), (), (0,))


@pytest.mark.parametrize(
    ("name", "length", "variables", "pooling", "rate"),
    [("codebert", 400, 0, "cls", 5e-5), ("graphcodebert", 512, 128, "cls", 2e-5), ("unixcoder", 512, 0, "mean", 5e-5)],
)
def test_defaults_are_those_of_the_papers(name: str, length: int, variables: int, pooling: str, rate: float) -> None:
    own = options_type(LEARNERS[name])()
    assert isinstance(own, TransformerOptions)
    assert (own.length, own.variables, own.pooling, own.head) == (length, variables, pooling, "concatenation")
    assert own.encoder == f"microsoft/{name}-base"
    assert own.default_rate == rate
