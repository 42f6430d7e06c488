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


def flow(text: str, name: str) -> list[str]:
    """Each occurrence with its sources, such as `b2<a0,b1`."""
    found = data_flow(text, language(name))
    names = [f"{text[start:end]}{number}" for number, (start, end) in enumerate(found.spans)]
    return [f"{one}<{','.join(names[at] for at in own)}" for one, own in zip(names, found.sources, strict=True)]


def test_data_flow_follows_assignments() -> None:
    # What is assigned comes from the other side, which is read before; a parameter is where its name occurs first.
    assert flow("int f(int a) { int b = a + 1; b = b * a; b = 3; b += a; return b; }", "java") == [
        *("a0<", "b1<a2", "a2<a0", "b3<b4,a5", "b4<b1", "a5<a0"),
        *("b6<", "b7<b6,a8", "a8<a0", "b9<b7"),
    ]
    assert flow("", "java") == flow("int f( { if while (x y)", "java") == []
    # Occurrences without a source that are no source either are no variables of the flow.
    assert flow("f(x, key=y)\n", "python") == []
    assert flow("é = ü\nß = é\n", "python") == ["é0<ü1", "ü1<", "ß2<é3", "é3<é0"]


BRANCHES = {
    "c": "int f(int a) { int s = 1; if (a) { s = a; } else { s = 2; } return s; }",
    "csharp": "int F(int a) { int s = 1; if (a) { s = a; } else { s = 2; } return s; }",
    "go": "func f(a int) int { s := 1; if a { s = a } else { s = 2 }; return s }",
    "java": "int f(int a) { int s = 1; if (a) s = a; else s = 2; return s; }",
    "javascript": "function f(a) { let s = 1; if (a) { s = a } else { s = 2 } return s }",
    "kotlin": "fun f(a: Int): Int { var s = 1\n if (a) { s = a } else { s = 2 }\n return s }",
    "php": "<?php function f($a) { $s = 1; if ($a) { $s = $a; } else { $s = 2; } return $s; }",
    "python": "def f(a):\n    s = 1\n    if a:\n        s = a\n    else:\n        s = 2\n    return s\n",
    "ruby": "def f(a)\n  s = 1\n  if a\n    s = a\n  else\n    s = 2\n  end\n  s\nend",
    "rust": "fn f(a: i32) -> i32 { let mut s: i32 = 1; if a { s = a; } else { s = 2; } s }",
    "swift": "func f(a: Int) -> Int { var s = 1; if a { s = a } else { s = 2 }; return s }",
}
LOOPS = {
    "c": "int f(int a) { int s = 1; while (a) { s = s + a; } return s; }",
    "cpp": "int f(V v) { int s = 1; for (auto a : v) { s = s + a; } return s; }",
    "csharp": "int F(V v) { int s = 1; foreach (var a in v) { s = s + a; } return s; }",
    "go": "func f(v V) int { s := 1; for a := range v { s = s + a }; return s }",
    "java": "int f(V v) { int s = 1; for (int a : v) { s = s + a; } return s; }",
    "javascript": "function f(v) { let s = 1; for (const a of v) { s = s + a } return s }",
    "kotlin": "fun f(v: V): Int { var s = 1\n for (a in v) { s = s + a }\n return s }",
    "php": "<?php function f($v) { $s = 1; foreach ($v as $a) { $s = $s + $a; } return $s; }",
    "python": "def f(v):\n    s = 1\n    for a in v:\n        s = s + a\n    return s\n",
    "rust": "fn f(v: V) -> i32 { let mut s = 1; for a in v { s = s + a; } s }",
    "typescript": "function f(v: V): T { let s: T = 1; for (const a of v) { s = s + a } return s }",
}


@pytest.mark.parametrize("name", BRANCHES)
def test_alternatives_start_from_the_same_values_and_both_reach_what_follows(name: str) -> None:
    found = [one.replace("$", "") for one in flow(BRANCHES[name], name)]
    assert found == ["a0<", "a1<a0", "s2<a3", "a3<a0", "s4<", "s5<s2,s4"]


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_reads_what_it_assigned(name: str) -> None:
    text = LOOPS[name]
    found = data_flow(text, language(name))
    first, assigned, read, last = (at for at, (start, end) in enumerate(found.spans) if text[start:end] == "s")
    # The s on the right comes from before the loop and from the loop itself; the one behind the loop from the loop.
    assert found.sources[read] == (first, assigned)
    assert found.sources[last] == (assigned,)


def test_alternatives_without_an_else_keep_the_value_before() -> None:
    assert flow("int f(int a) { int x = 0; if (a) { x = a; } return x; }", "java")[-1] == "x5<x1,x3"
    chain = "def f(a):\n    x = 0\n    if a:\n        x = 1\n    elif a > 2:\n        x = 2\n    return x\n"
    assert flow(chain, "python")[-1] == "x6<x1,x3,x5"


def test_the_object_changes_whose_element_or_member_is_assigned() -> None:
    assert flow("function f(a, i, v) { a[i] = v; a.i = v; return a }", "javascript")[3:] == [
        *("a3<a0,v5", "i4<i1", "v5<v2", "a6<a3,v7", "v7<v2", "a8<a6"),
    ]


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
