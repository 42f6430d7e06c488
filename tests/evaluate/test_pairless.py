"""Benchmarks that store no pairs: split, trained on, evaluated, predicted, exported and used in a matrix directly."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

import clonetruth
from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.store import Benchmark
from tests.build.contests import contest

TOPICS = {
    "sum": "int f$(int[] row$) { int sum$ = 0; for (int one$ : row$) sum$ += one$; return sum$; }",
    "max": "int f$(int[] row$) { int best$ = row$[0]; for (int v$ : row$) if (v$ > best$) best$ = v$; return best$; }",
    "join": 'String f$(String[] words$) { String s$ = ""; for (String w$ : words$) s$ += w$; return s$; }',
    "fact": "long f$(long k$) { return k$ < 2 ? 1 : k$ * f$(k$ - 1); }",
    "fib": "int f$(int k$) { int a$ = 0, b$ = 1; while (k$-- > 0) { int c$ = a$ + b$; a$ = b$; b$ = c$; } return a$; }",
    "swap": "void f$(int[] p$) { int kept$ = p$[0]; p$[0] = p$[1]; p$[1] = kept$; }",
}
SIZE = 10


def problems() -> dict[str, list[str]]:
    """Solutions that differ in their names, so that they are not near duplicates."""
    return {name: [text.replace("$", str(number)) for number in range(SIZE)] for name, text in TOPICS.items()}


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    made = contest(tmp_path_factory.mktemp("pairless") / "contest", problems(), pairs=())
    clonetruth.split_benchmark(made, "random", policy="members", train_pairs=90, valid_pairs=20, test_pairs=20)
    return made


def test_a_part_of_a_split_is_measured_and_the_draw_recorded(benchmark: Benchmark) -> None:
    evaluation = clonetruth.evaluate_detector(
        detector="tokens", on=benchmark, policy="members", view="random-0", part="test"
    )
    result = evaluation.result
    assert result.policy.counted <= 20
    assert result.policy.unknown == 0
    draw = result.manifest.configuration["drawn_pairs"]
    assert draw["parts"]["test"]["clones"] + draw["parts"]["test"]["others"] == 20
    assert result.setting["drawn pairs"] == draw["digest"]
    assert any("drawn with seed 0" in note for note in result.notes)
    again = clonetruth.evaluate_detector(
        detector="tokens", on=benchmark, policy="members", view="random-0", part="test"
    )
    assert [one.value for one in again.result.headline] == [one.value for one in result.headline]


def test_all_pairs_give_what_the_materialised_benchmark_gives(benchmark: Benchmark, tmp_path: Path) -> None:
    ids = [f"{name}/{number}" for name in TOPICS for number in range(SIZE)]
    stored = contest(tmp_path / "stored", problems(), pairs=list(combinations(ids, 2)))
    options = PairsOptions(policy="members", all_pairs=True)
    virtual, real = (evaluate_pairs(one, DETECTORS["tokens"], options) for one in (benchmark, stored))
    assert virtual.headline == real.headline
    assert [one.measurements for one in virtual.baselines] == [one.measurements for one in real.baselines]
    assert virtual.policy == real.policy


def test_a_number_of_pairs_and_a_share_of_clones(benchmark: Benchmark) -> None:
    result = clonetruth.evaluate_detector(
        detector="length", on=benchmark, policy="members", drawn_pairs=40, clone_share=0.5
    ).result
    assert (result.policy.counted, result["recall"].n) == (40, 20)
    with pytest.raises(InputError, match="A split records how pairs are drawn"):
        clonetruth.evaluate_detector(
            detector="length", on=benchmark, policy="members", view="random-0", part="test", drawn_pairs=5
        )


def test_it_can_be_trained_on_predicted_and_exported(benchmark: Benchmark, tmp_path: Path) -> None:
    detector = clonetruth.train_detector("linear", on=benchmark, view="random-0", policy="members", epochs=2)
    assert detector.manifest is not None
    assert detector.manifest.configuration["train_pairs"] == 90
    assert detector.manifest.configuration["drawn_pairs"]["seed"] == 0
    predictions = clonetruth.predict_pairs(detector, on=benchmark, view="random-0", part="test")
    assert predictions.num_rows == 20
    evaluation = clonetruth.evaluate_detector(
        predictions, on=benchmark, policy="members", view="random-0", part="test", threshold=0.5
    )
    assert evaluation.result.policy.counted == 20
    report = clonetruth.export_benchmark(benchmark, "csv", output=tmp_path / "csv", policy="members", split="random-0")
    assert sum(report.written.values()) == 130


@pytest.mark.slow
def test_a_matrix(benchmark: Benchmark, tmp_path: Path) -> None:
    summary = clonetruth.run_matrix(
        benchmark,
        detectors="linear",
        views="random",
        levels="0",
        seeds=1,
        policy="members",
        epochs=2,
        train_pairs=90,
        clone_share=0.5,
        processes=1,
        output=tmp_path / "matrix",
    )
    assert not summary.failures
    cell = json.loads((tmp_path / "matrix" / "cells" / "linear-random-0-0.json").read_text())
    assert cell["manifest"]["configuration"]["drawn_pairs"]["clone_share"] == 0.5


def test_a_policy_that_needs_stored_pairs_is_refused(benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match=r"needs judgements on stored pairs.*members"):
        clonetruth.evaluate_detector(detector="tokens", on=benchmark)


def test_a_part_needs_a_view(benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match=r"claims no part 'test'.*--view"):
        clonetruth.evaluate_detector(detector="tokens", on=benchmark, policy="members", part="test")
    with pytest.raises(InputError, match=r"claims no part 'train'.*--view"):
        clonetruth.train_detector("linear", on=benchmark, policy="members")


def test_stored_pairs_are_not_drawn_from(tmp_path: Path) -> None:
    stored = contest(tmp_path / "stored", problems())
    with pytest.raises(InputError, match="stores its pairs"):
        clonetruth.evaluate_detector(detector="tokens", on=stored, policy="members", drawn_pairs=5)
