"""`evaluate_detector`: candidates from files and from memory, and what comes back."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate import Evaluation, evaluate_detector
from clonetruth.store import Benchmark
from clonetruth.store.results import UnknownMetricError
from tests.evaluate.sample_benchmark import PAIRS, sample_benchmark, scored

SCORES = {(pair.left, pair.right): (0.6 if clone else 0.4) + row / 1000 for row, (pair, clone) in enumerate(PAIRS)}


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return sample_benchmark(tmp_path_factory.mktemp("detector"))


def evaluated(candidate: object, benchmark: Benchmark | Path, **words: object) -> Evaluation:
    return evaluate_detector(candidate, on=benchmark, policy="origin", **{"threshold": 0.5, **words})


def test_predictions_in_memory_count_as_those_in_a_file(benchmark: Benchmark, tmp_path: Path) -> None:
    file = scored(tmp_path).origin.path
    rows = [{"left": left, "right": right, "score": score} for (left, right), score in SCORES.items()]
    from_file, *others = (evaluated(one, benchmark) for one in (file, SCORES, pa.Table.from_pylist(rows)))
    assert from_file.result.detector == "tool"
    for other in others:
        assert other.result.detector == "predictions"
        assert other.result.headline == from_file.result.headline
        assert other.result.strata == from_file.result.strata


def test_a_function_is_a_detector(benchmark: Benchmark) -> None:
    def same_kind(left: str, right: str) -> float:
        return float(left.split("return ")[1] == right.split("return ")[1])

    evaluation = evaluated(same_kind, benchmark.path)
    assert evaluation["f1"].value == 1
    assert evaluation["same_kind"] is evaluation.result
    assert repr(evaluation) == "<Evaluation of same_kind>"


def test_a_batch_function_sees_texts_and_nothing_else(benchmark: Benchmark) -> None:
    seen: list[list[str]] = []

    def ones(fragments: pa.Table, pairs: pa.Table) -> list[float]:
        seen.append([*fragments.column_names, *pairs.column_names])
        return [1.0] * pairs.num_rows

    evaluation = evaluated(ones, benchmark, batch=True)
    assert evaluation["recall"].value == 1
    # It is called twice: for a few pairs apart, to see whether scores depend on the other pairs, and for all of them.
    assert seen == [["key", "language", "text", "left", "right"]] * 2


def test_detectors_are_given_by_name_or_as_objects(benchmark: Benchmark) -> None:
    names = [
        evaluated(one, benchmark, threshold=None).result.headline for one in ("always-yes", DETECTORS["always-yes"])
    ]
    assert names[0] == names[1]
    assert evaluate_detector(detector="always-yes", on=benchmark, policy="origin").result.headline == names[0]


def test_a_folder_without_a_detector_is_told_from_an_unknown_name(benchmark: Benchmark, tmp_path: Path) -> None:
    """A model folder that lost its description, for example."""
    (tmp_path / "weights.npz").write_bytes(b"")
    with pytest.raises(InputError, match="no detector in this folder") as raised:
        evaluate_detector(detector=str(tmp_path), on=benchmark, policy="origin")
    assert str(tmp_path) in str(raised.value)
    assert all(name in str(raised.value.hint) for name in ("detector.toml", "model.json", "tokenizer.json"))
    with pytest.raises(UnknownNameError, match="no detector 'lenght'"):
        evaluate_detector(detector="lenght", on=benchmark, policy="origin")


def test_a_file_comes_before_a_detector_of_its_name(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("length").write_text("sort0\tsort1\t1\n", encoding="utf-8")
    assert evaluated("length", benchmark, threshold=None).result.policy.counted == 1


def test_an_empty_file_is_no_report_unless_its_format_is_named(benchmark: Benchmark, tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    file.touch()
    with pytest.raises(InputError, match="The file is empty") as raised:
        evaluated(file, benchmark)
    assert "If a tool reported nothing" in str(raised.value.hint)


def test_several_candidates_are_named_and_compared(benchmark: Benchmark) -> None:
    evaluation = evaluated([SCORES, "always-yes"], benchmark, name=["mine"])
    assert [result.detector for result in evaluation] == ["mine", "always-yes"]
    assert evaluation[1] is evaluation["always-yes"]
    assert any("always-yes − mine" in note for note in evaluation[1].notes)
    with pytest.raises(InputError, match="There are 2 results"):
        evaluation["f1"]
    table = evaluation.to_arrow()
    assert set(table["detector"].to_pylist()) == {"mine", "always-yes"}
    assert set(evaluation.to_dict()) == {"mine", "always-yes"}
    assert evaluation._repr_html_().count("<table") == 2


def test_several_predictions_in_memory_have_different_names(benchmark: Benchmark) -> None:
    evaluation = evaluated([SCORES, dict(reversed(SCORES.items()))], benchmark)
    assert [result.detector for result in evaluation] == ["predictions-1", "predictions-2"]


def test_answers_in_memory_need_no_benchmark() -> None:
    answers = {pair: score > 0.5 for pair, score in SCORES.items()}
    evaluation = evaluate_detector(SCORES, answers=answers, threshold=0.5)
    assert evaluation["f1"].value == 1
    with pytest.raises(UnknownMetricError, match="f1"):
        evaluation["f2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, "There is nothing to evaluate"),
        ({"candidates": SCORES}, "either a benchmark or a list of answers"),
        ({"candidates": SCORES, "answers": SCORES, "on": "somewhere"}, "either a benchmark or a list of answers"),
        ({"detector": "length", "answers": SCORES}, "has no code"),
    ],
)
def test_wrong_calls_are_refused(words: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate_detector(**words)
