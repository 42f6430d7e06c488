"""Two detectors on the same pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.comparison import compare_pairs
from clonetruth.evaluate.pairs.evaluation import Candidate
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.store import Benchmark
from tests.evaluate.sample_benchmark import PAIRS, predictions, sample_benchmark, scored

OPTIONS = PairsOptions(policy="origin", threshold=0.5, baselines=())


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return sample_benchmark(tmp_path_factory.mktemp("sample"))


def test_a_detector_against_itself(benchmark: Benchmark, tmp_path: Path) -> None:
    file = scored(tmp_path)
    first, second, contest = compare_pairs(benchmark, Candidate(file, name="a"), Candidate(file, name="b"), OPTIONS)
    assert contest.pairs == len(PAIRS)
    assert {one.difference for one in contest.differences if one.difference is not None} == {0.0}
    assert first.headline == second.headline
    assert any(note.startswith("f1: a − b = +0.000") for note in first.notes)


def test_the_better_one_is_ahead_and_only_shared_pairs_count(benchmark: Benchmark, tmp_path: Path) -> None:
    good = scored(tmp_path)
    lines = "".join(f"{pair.left},{pair.right},{0.9 - row % 2 / 2}\n" for row, (pair, _) in enumerate(PAIRS[:-4]))
    poor = predictions(tmp_path, lines)
    _, second, contest = compare_pairs(benchmark, Candidate(good, name="good"), Candidate(poor, name="poor"), OPTIONS)
    assert contest.pairs == len(PAIRS) - 4
    recall = next(one for one in contest.differences if one.metric == "recall")
    assert recall.difference == pytest.approx(0.5)
    assert recall.low is not None
    assert recall.high is not None
    assert recall.low <= 0.5 <= recall.high
    assert (
        "The differences are over the 22 pairs that count for both; 4 count for good alone and 0 for poor alone."
        in second.notes
    )


def test_labels_and_scores_share_decisions_only(benchmark: Benchmark, tmp_path: Path) -> None:
    labels = predictions(tmp_path, "sort0,sort1,1\nsort0,sum0,0\n", "left,right,label")
    *_, contest = compare_pairs(
        benchmark, Candidate(labels), Candidate(labels), PairsOptions(policy="origin", baselines=())
    )
    assert "roc-auc" not in [one.metric for one in contest.differences]
    assert "f1" in [one.metric for one in contest.differences]


def test_detectors_without_common_pairs_are_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    one = predictions(tmp_path, "sort0,sort1,0.9\n")
    other = predictions(tmp_path, "sort0,sum0,0.9\n")
    with pytest.raises(InputError, match="no pair in common"):
        compare_pairs(benchmark, Candidate(one), Candidate(other), OPTIONS)
