"""Clone search on small contests: every kind of candidate, against the definition."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import clonetruth
from clonetruth.cli import cli
from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError
from clonetruth.evaluate import retrieval
from clonetruth.evaluate.retrieval import RetrievalOptions, evaluate_retrieval
from clonetruth.formats.vectors import load_vectors
from clonetruth.report.evaluation import evaluation_page
from clonetruth.stats.rates import Floats
from clonetruth.stats.retrieval import map_at_r
from clonetruth.store import Benchmark, read_result
from tests.build.contests import contest
from tests.evaluate.test_pairless import problems

NAMES = [(problem, number) for problem, texts in problems().items() for number in range(len(texts))]
IDS = [f"{problem}/{number}" for problem, number in NAMES]
CLASSES = [problem for problem, _ in NAMES]
PLAIN = RetrievalOptions(baselines=())


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return contest(tmp_path_factory.mktemp("retrieval") / "contest", problems(), pairs=())


@pytest.fixture(scope="module")
def vectors() -> pa.Table:
    values = np.random.default_rng(3).normal(size=(len(IDS), 4)) + np.repeat(np.eye(6, 4), 10, axis=0)
    return pa.table({"id": IDS, "vector": values.tolist()})


def cosine(vectors: pa.Table) -> Floats:
    values = np.array(vectors["vector"].to_pylist())
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    scores: Floats = values @ values.T
    return scores


def test_vectors_predictions_and_functions_agree_with_the_definition(benchmark: Benchmark, vectors: pa.Table) -> None:
    scores = cosine(vectors)
    expected = map_at_r(scores, CLASSES).map_at_r
    pairs = {(IDS[a], IDS[b]): scores[a, b] for a in range(len(IDS)) for b in range(a)}
    texts = {text: row for row, text in enumerate(benchmark.table("fragments")["text"].to_pylist())}

    def similarity(left: str, right: str) -> float:
        return float(scores[texts[left], texts[right]])

    candidates: list[Any] = [vectors, pairs, similarity]
    for candidate in candidates:
        result = clonetruth.evaluate_detector(candidate, on=benchmark, policy="members", task="retrieval").result
        assert result["map_at_r"].value == pytest.approx(expected)
        assert result["map_at_r"].n == len(IDS)
        assert not result.warnings or all("score" not in warning for warning in result.warnings)


def test_every_metric_has_an_interval_between_problems(benchmark: Benchmark) -> None:
    result = clonetruth.evaluate_detector(
        detector="tokens", on=benchmark, policy="members", task="retrieval", recall_at="1,5"
    ).result
    assert [one.name for one in result.headline] == ["map-at-r", "mrr", "recall-at-1", "recall-at-5"]
    for one in result.headline:
        assert None not in (one.low, one.value, one.high)
        assert sorted([one.low or 0, one.value or 0, one.high or 0]) == [one.low, one.value, one.high]
        assert "by functionality" in (one.method or "")
    assert [group.name for group in result.baselines] == ["always-yes", "length"]
    # In a random order, each of the 59 candidates is in the first place with the same probability.
    chance = result.baselines[0].measurements[2]
    assert chance.value == pytest.approx((9 / 59) / 9)
    assert len(result.strata[0].groups) == 6


def test_the_command_prints_the_metrics_by_name(benchmark: Benchmark, tmp_path: Path) -> None:
    arguments = ["evaluate", "--on", str(benchmark.path), "--detector", "tokens", "--policy", "members"]
    arguments += ["--task", "retrieval", "--processes", "1"]
    shown = json.loads(CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False).stdout)
    for number in (shown["map_at_r"], shown["mrr"], *shown["recall_at_k"].values()):
        assert 0 <= number["low"] <= number["value"] <= number["high"] <= 1
    assert set(shown["recall_at_k"]) == {"1", "10", "100"}
    assert shown["kind"] == "retrieval"
    assert shown["manifest"]["configuration"]["task"] == "retrieval"
    table = CliRunner().invoke(cli, [*arguments, "-o", str(tmp_path / "r.json")], catch_exceptions=False).stdout
    assert "60 queries among 60 fragments" in table
    written = read_result(tmp_path / "r.json")
    assert written["map-at-r"].value == shown["map_at_r"]["value"]
    shown_page = str(evaluation_page([written]))
    assert "Clone search, measured on contest 1" in shown_page
    assert "60 queries among 60 fragments" in shown_page
    assert re.search(r"tokens reaches 0\.\d+ MAP@R", shown_page)


def test_queries_are_drawn_by_hash(benchmark: Benchmark) -> None:
    few = [
        clonetruth.evaluate_detector(
            detector="tokens", on=benchmark, policy="members", task="retrieval", queries=12, seed=seed
        ).result
        for seed in (1, 1, 2)
    ]
    assert few[0]["map-at-r"].n == 12
    assert few[0].headline == few[1].headline != few[2].headline
    assert few[0].setting["queries"] == 12
    assert "12 queries of 60, drawn with seed 1" in few[0].notes[0]


def test_too_many_comparisons_draw_queries(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "MAX_COMPARISONS", 60 * 15)
    result = evaluate_retrieval(benchmark, DETECTORS["tokens"], PLAIN)
    assert result["map-at-r"].n == 15
    assert "15 queries of 60, drawn" in result.notes[0]
    every = evaluate_retrieval(benchmark, DETECTORS["tokens"], RetrievalOptions(queries=60, baselines=()))
    assert every["map-at-r"].n == 60


def test_blocks_do_not_matter(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluate_retrieval(benchmark, DETECTORS["tokens"], PLAIN)
    monkeypatch.setattr(retrieval, "_BLOCK", 200)
    assert evaluate_retrieval(benchmark, DETECTORS["tokens"], PLAIN).headline == whole.headline


def test_a_part_of_a_split(benchmark: Benchmark, vectors: pa.Table) -> None:
    split = clonetruth.split_benchmark(benchmark, "random", policy="members")
    result = clonetruth.evaluate_detector(
        vectors, on=benchmark, policy="members", task="retrieval", view=split.name, part="test"
    ).result
    assert (result.view, result.part) == (split.name, "test")
    assert result.setting["fragments"] == split.parts["test"].fragments < len(IDS)
    for view, part in ((split.name, None), (None, "test")):
        with pytest.raises(InputError, match="belong together"):
            RetrievalOptions(view=view, part=part)


def test_missing_scores_rank_last_and_are_counted(benchmark: Benchmark, vectors: pa.Table) -> None:
    lacking = vectors.slice(1)
    result = evaluate_retrieval(benchmark, load_vectors(lacking), PLAIN)
    assert any("118 of 3,540 pairs have no score" in warning for warning in result.warnings)
    with pytest.raises(InputError, match="have no score"):
        evaluate_retrieval(benchmark, load_vectors(lacking), RetrievalOptions(refuse_missing=True, baselines=()))
    foreign = pa.table({"id": ["x"], "vector": [[1.0]]})
    with pytest.raises(InputError, match="No pair of the searched fragments has a score"):
        evaluate_retrieval(benchmark, load_vectors(foreign), PLAIN)


def test_copies_are_counted(tmp_path: Path) -> None:
    twice = {name: [*texts, texts[0].replace(" ", "  ")] for name, texts in problems().items()}
    result = evaluate_retrieval(contest(tmp_path / "c", twice, pairs=()), DETECTORS["tokens"], PLAIN)
    assert any("6 of 66 fragments have the same text" in warning for warning in result.warnings)


def test_overlapping_problems_are_stated(tmp_path: Path) -> None:
    unsure = contest(tmp_path / "c", problems(), pairs=(), problems_disjoint=False)
    result = evaluate_retrieval(unsure, DETECTORS["tokens"], PLAIN)
    assert any("although the card does not call" in one for one in result.policy.assumptions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "default"}, "needs judgements on stored pairs"),
        ({"policy": "members", "recall_at": "1,x"}, "'x' is not a rank"),
        ({"policy": "members", "recall_at": "0"}, "rank 1 or later"),
        ({"policy": "members", "view": "no-such", "part": "test"}, "There are no splits 'no-such'"),
    ],
)
def test_bad_options_are_refused(benchmark: Benchmark, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        clonetruth.evaluate_detector(detector="tokens", on=benchmark, task="retrieval", **options)


def test_something_to_search_with_is_needed(benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match="Retrieval needs a benchmark, and vectors"):
        clonetruth.evaluate_detector(on=benchmark, policy="members", task="retrieval")
