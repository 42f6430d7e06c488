"""Metric models: filters, a teacher, and data that metrics can tell apart."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.code import language
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.training import LEARNERS, TrainingSpec, load_detector
from clonetruth.training.metric_models.call_links import call_links
from clonetruth.training.metric_models.clonecognition import agreement
from clonetruth.training.metric_models.measured import measure, passes
from clonetruth.training.request import LearnerRequest
from tests.training.training_data import labelled, training_data

pytest.importorskip("torch")
JAVA = language("java")


def programs() -> pa.Table:
    """Three kinds of 12 programs each: with loops, with conditions, with arithmetic; names differ in all."""
    parts = [
        "for (int i = 0; i < n{0}; i++) f{0}(i);\n",
        "if (n{0} > {0}) f{0}(n{0});\n",
        "n{0} = n{0} * {0} + {0} / 2;\n",
    ]
    texts = [
        f"int g{number}(int n{number}) {{\n{part.format(number) * (3 + number % 2)}return n{number};\n}}"
        for part in parts
        for number in range(12)
    ]
    keys = list(range(len(texts)))
    return pa.table({"fragment": keys, "language": ["java"] * len(keys), "text": texts}, schema=FRAGMENTS)


@pytest.mark.parametrize("name", ["oreo", "clcdsa", "clonecognition"])
def test_learns_what_metrics_show(name: str) -> None:
    data = training_data()
    options = {"actions": 0, "width": 32, "layers": 2, "dropout": 0} if name != "clonecognition" else {}
    spec = LearnerRequest.of(name, {**options, "rate": 0.01}).applied(TrainingSpec(epochs=30))
    trained = LEARNERS[name].train(programs(), data.train, data.valid, spec)
    scores = trained.score(programs(), data.test).to_pylist()
    clones = [score for score, clone in zip(scores, data.test["clone"].to_pylist(), strict=True) if clone]
    others = [score for score, clone in zip(scores, data.test["clone"].to_pylist(), strict=True) if not clone]
    assert sum(a > b for a in clones for b in others) > 0.9 * len(clones) * len(others)


def test_filters_stop_pairs_of_other_sizes_and_other_calls() -> None:
    one = measure("int f() { return readLine(a); }", JAVA, ("comp",))
    other = measure("int f() { return read_line(a); }", JAVA, ("comp",))
    long = measure("int f() {" + "readLine(a);" * 20 + "}", JAVA, ("comp",))
    assert one is not None
    assert other is not None
    assert long is not None
    assert passes(one, one, 1.0, 1.0)
    assert not passes(one, long, 0.6, 0.0)
    assert passes(one, long, 0.0, 0.0)
    assert not passes(one, other, 0.0, 0.1)
    parts = [
        measure(text, JAVA, ("comp",), parts=True) for text in ("int f() { readLine(); }", "int f() { read_line(); }")
    ]
    assert parts[0] is not None
    assert parts[1] is not None
    assert passes(parts[0], parts[1], 0.0, 1.0), "names that are written in another way"


def test_a_filtered_pair_scores_zero() -> None:
    data = training_data()
    spec = LearnerRequest.of("oreo", {"actions": 1.0, "width": 8, "layers": 1}).applied(TrainingSpec(epochs=1))
    trained = LEARNERS["oreo"].train(data.fragments, data.train, data.valid, spec)
    scores = trained.score(data.fragments, labelled([(0, 12), (0, 0)])).to_pylist()
    assert scores[0] == 0
    assert scores[1] > 0


def test_a_teacher_labels_the_training_pairs() -> None:
    data = training_data()
    taught, plain = (
        LEARNERS["oreo"].train(
            data.fragments,
            data.train,
            data.valid,
            LearnerRequest.of("oreo", {"width": 8, "layers": 1, "teacher": teacher}).applied(TrainingSpec(epochs=2)),
        )
        for teacher in ("tokens", None)
    )
    assert taught.options.settings()["own"]["teacher"] == "tokens"
    assert [one.loss for one in taught.history] != [one.loss for one in plain.history]
    for teacher, error in (("token", UnknownNameError), ("always-yes", InputError)):
        spec = LearnerRequest.of("oreo", {"teacher": teacher}).applied(TrainingSpec(epochs=1))
        with pytest.raises(error):
            LEARNERS["oreo"].train(data.fragments, data.train, data.valid, spec)


def test_agreement_counts_common_lines_and_tokens() -> None:
    one, other = ({b"a": 2, b"b": 1},) * 6, ({b"a": 1, b"c": 2},) * 6
    assert agreement(one, one) == (1.0,) * 6
    assert list(agreement(one, other)) == pytest.approx([1 / 3] * 6)


DOCUMENTATION = """\
{"language": "java", "call": "readLine", "text": "Reads a line of text from the stream."}
{"language": "python", "call": "input", "text": "Reads a line from standard input, returned as text."}
{"language": "java", "call": "println", "text": "Prints a value and then ends the line."}
{"language": "python", "call": "print", "text": "Prints values, separated by blanks, and ends with a newline."}
{"language": "python", "call": "sqrt", "text": "Square root of a number."}
"""


def test_calls_are_linked_by_their_documentation(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text(DOCUMENTATION, encoding="utf-8")
    links = call_links(path, 0.2)
    assert links["java", "readLine"] == links["python", "input"]
    assert links["java", "println"] == links["python", "print"]
    assert links["java", "readLine"] != links["java", "println"]
    assert list(links.values()).count(links["python", "sqrt"]) == 1
    assert len(set(call_links(path, 1.0).values())) == 5, "nothing is that similar"
    one = measure("String f() { return readLine(); }", JAVA, ("comp",), links=links)
    other = measure("def f():\n    return input()\n", language("python"), ("comp",), links=links)
    assert one is not None
    assert other is not None
    assert passes(one, other, 0, 0.9)
    plain = [measure("String f() { return readLine(); }", JAVA, ("comp",)), other]
    assert plain[0] is not None
    assert not passes(plain[0], other, 0, 0.9)


def test_a_model_keeps_to_its_documentation(tmp_path: Path) -> None:
    path, data = tmp_path / "calls.jsonl", training_data()
    path.write_text(DOCUMENTATION, encoding="utf-8")
    spec = LearnerRequest.of("clcdsa", {"documentation": str(path), "width": 8}).applied(TrainingSpec(epochs=1))
    LEARNERS["clcdsa"].train(data.fragments, data.train, data.valid, spec).save(tmp_path / "model")
    load_detector(tmp_path / "model")
    path.write_text(DOCUMENTATION + "\n" + DOCUMENTATION, encoding="utf-8")
    with pytest.raises(InputError, match="not the one that the model was trained with"):
        load_detector(tmp_path / "model")
    path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        load_detector(tmp_path / "model")


@pytest.mark.parametrize(
    "line", ["nothing", "[]", '{"language": "java", "call": "f"}', '{"language": 1, "call": 2, "text": 3}']
)
def test_documentation_that_is_none_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text(DOCUMENTATION + line, encoding="utf-8")
    with pytest.raises(InputError, match="Line 6"):
        call_links(path, 0.5)
