"""Predictions meet verdicts: what counts, what does not, and which notes and warnings say so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate import evaluate_detector
from clonetruth.evaluate.measurement import METRICS
from clonetruth.evaluate.pairs.detector_scores import scorer
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.stats.confusion import Confusion
from clonetruth.store import Benchmark
from clonetruth.store.results import Result, read_result, write_result
from tests.evaluate.sample_benchmark import PAIRS, predictions, sample_benchmark, scored

ORIGIN = PairsOptions(policy="origin", baselines=())
LABELS = "left,right,label"


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return sample_benchmark(tmp_path_factory.mktemp("sample"))


def value(result: Result, name: str) -> float | None:
    found = result.measurement(name)
    assert found is not None, name
    return found.value


def test_labels_of_all_pairs(benchmark: Benchmark, tmp_path: Path) -> None:
    """Eighteen clones, one of them missed; eight others, two of them called clones."""
    lines = []
    for row, (pair, clone) in enumerate(PAIRS):
        decision = clone != (row in (5, 20, 21))
        lines.append(f"{pair.left},{pair.right},{int(decision)}\n")
    result = evaluate_pairs(benchmark, predictions(tmp_path, "".join(lines), LABELS), ORIGIN)
    assert value(result, "recall") == pytest.approx(17 / 18)
    assert value(result, "precision") == pytest.approx(17 / 19)
    assert value(result, "specificity") == pytest.approx(6 / 8)
    assert result.measurement("roc-auc") is None
    assert result.setting["threshold"] == "labels"
    assert (result.detector, result.policy.name, result.policy.counted, result.policy.unknown) == (
        "tool",
        "origin",
        26,
        0,
    )
    assert result.policy.assumptions == ("The dataset's own labels are believed without evidence.",)
    recall = result.measurement("recall")
    assert recall is not None
    assert recall.low is not None
    assert recall.high is not None
    assert recall.low < 17 / 18 < recall.high


def test_the_result_can_be_written_and_read(benchmark: Benchmark, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, threshold=0.5, baselines=("length",)))
    assert read_result(write_result(result, tmp_path / "result.json")) == result
    assert result.manifest.inputs["benchmark"] == benchmark.content_hash
    assert set(result.manifest.inputs) == {"benchmark", "judgements", "tool.csv"}
    assert result.manifest.configuration["threshold"] == 0.5


def test_runs_agree_and_the_order_of_sides_does_not_matter(benchmark: Benchmark, tmp_path: Path) -> None:
    options = replace(ORIGIN, threshold=0.5)
    there = evaluate_pairs(benchmark, scored(tmp_path), options)
    back = evaluate_pairs(benchmark, scored(tmp_path, backwards=True), options)
    assert there.headline == back.headline
    assert there.strata == back.strata
    assert there.disagreements == back.disagreements


def test_pairs_without_a_verdict_are_in_no_number(benchmark: Benchmark, tmp_path: Path) -> None:
    """The default policy counts evidence alone: Ada's four answers."""
    result = evaluate_pairs(benchmark, scored(tmp_path), PairsOptions(threshold=0.5, baselines=()))
    assert (result.policy.name, result.policy.counted, result.policy.unknown) == ("default", 4, 22)
    assert value(result, "precision") == pytest.approx(3 / 4)


def test_a_policy_without_verdicts_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No pair has a verdict .* in the part 'train'"):
        evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, part="train"))
    with pytest.raises(UnknownNameError, match="policy"):
        evaluate_pairs(benchmark, scored(tmp_path), PairsOptions(policy="hope"))


@pytest.mark.parametrize(
    ("missing", "counted", "recall", "fate"),
    [(Missing.EXCLUDE, 2, 1.0, "are left out of every number"), (Missing.NOT_CLONE, 26, 1 / 18, "count as not clones")],
)
def test_missing_predictions_are_never_silent(
    benchmark: Benchmark, tmp_path: Path, missing: Missing, counted: int, recall: float, fate: str
) -> None:
    few = predictions(tmp_path, "sort0,sort1,1\nsort0,sum0,0\n", LABELS)
    result = evaluate_pairs(benchmark, few, replace(ORIGIN, missing=missing))
    assert result.policy.counted == counted
    assert value(result, "recall") == pytest.approx(recall)
    assert f"24 pairs with a verdict have no prediction; they {fate}." in result.warnings
    assert result.setting["missing"] == missing


def test_missing_scores_rank_last(benchmark: Benchmark, tmp_path: Path) -> None:
    few = predictions(tmp_path, "sort0,sort1,0.9\nsort0,sum0,0.1\n")
    result = evaluate_pairs(benchmark, few, replace(ORIGIN, threshold=0.0, missing=Missing.NOT_CLONE))
    # One clone is above all others, one other above the rest, and 17 clones tie with 7 others.
    assert value(result, "roc-auc") == pytest.approx((8 + 17 * 7 / 2) / (18 * 8))
    assert value(result, "recall") == pytest.approx(1 / 18)


def test_missing_predictions_can_be_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    few = predictions(tmp_path, "sort0,sort1,1\n", LABELS)
    with pytest.raises(InputError, match="25 of 26 pairs with a verdict have no prediction") as caught:
        evaluate_pairs(benchmark, few, replace(ORIGIN, missing=Missing.REFUSE))
    assert caught.value.where == "row 1 of the pairs"


def test_strays_and_bad_rows_are_reported(benchmark: Benchmark, tmp_path: Path) -> None:
    file = predictions(tmp_path, "sort0,sort1,1\nsort0,nobody,1\nsort0,copy3,1\nsort0,sort2,x\n", LABELS)
    warnings = evaluate_pairs(benchmark, file, ORIGIN).warnings
    for warned in (
        "tool.csv: 1 rows were left out, the first on line 5: the label is neither 1 nor 0.",
        "tool.csv: 1 predictions, the first on line 3, are for fragments that the benchmark does not have",
        "tool.csv: 1 predictions, the first on line 4, are for pairs that the benchmark does not have",
    ):
        assert any(warning.startswith(warned) for warning in warnings), warned
    for row, reason in (("sort0,nobody,1", "fragments"), ("sort0,copy3,1", "pairs")):
        stray = predictions(tmp_path, f"sort0,sort1,1\n{row}\n", LABELS)
        with pytest.raises(InputError, match=f"the first on line 3, are for {reason} that the benchmark does not have"):
            evaluate_detector(stray, on=benchmark, policy="origin", strict=True)


def test_predictions_of_another_benchmark_are_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No pair with a verdict has a prediction"):
        evaluate_pairs(benchmark, predictions(tmp_path, "x,y,1\n", LABELS), ORIGIN)


def test_a_prediction_counts_for_every_row_of_its_pair(tmp_path: Path) -> None:
    rows = [pair for pair, _ in PAIRS]
    rows[1] = replace(rows[0], left=rows[0].right, right=rows[0].left)
    repeated = sample_benchmark(tmp_path, pairs=rows)
    result = evaluate_pairs(repeated, predictions(tmp_path, "sort0,sort1,1\nsort0,sum0,0\n", LABELS), ORIGIN)
    assert result.policy.counted == 3
    assert "The benchmark has 3 rows of 2 pairs; a prediction counts for each row of its pair." in result.notes


def test_scores_without_a_threshold_are_only_ranked(benchmark: Benchmark, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, scored(tmp_path), ORIGIN)
    assert [one.name for one in result.headline] == [
        "roc-auc",
        "average-precision",
        "ece",
        "precision-at-recall-90",
        "brier",
    ]
    assert value(result, "roc-auc") == 1.0
    assert any("no threshold" in warning for warning in result.warnings)
    assert result.setting["threshold"] == "none"
    assert {one.predicted for one in result.disagreements} == {"score only"}
    assert [curve.name for curve in result.curves] == ["roc", "precision-recall", "reliability"]


def test_a_threshold_is_chosen_on_the_validation_part_only(benchmark: Benchmark, tmp_path: Path) -> None:
    """On the validation part clones score 0.6 and more, others up to 0.43; the test part is made to disagree."""
    lines = []
    for row, (pair, clone) in enumerate(PAIRS):
        fit = {True: 0.6, False: 0.4}[clone]
        score = fit if pair.claimed_part == "valid" else 1 - fit
        lines.append(f"{pair.left},{pair.right},{score + row / 1000}\n")
    file = predictions(tmp_path, "".join(lines))
    result = evaluate_pairs(benchmark, file, replace(ORIGIN, part="test"))
    assert result.setting["threshold"] == "best f1 on the validation part"
    assert 0.43 < result.manifest.configuration["threshold"] < 0.6
    assert value(result, "recall") == 0.0
    assert (result.part, result.policy.counted) == ("test", 21)
    assert any("validation pairs" in note for note in result.notes)
    assert evaluate_pairs(benchmark, file, replace(ORIGIN, part="test", threshold=0.1)).setting["threshold"] == "given"


def test_the_validation_part_may_have_a_file_of_its_own(benchmark: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "valid").mkdir()
    validation = scored(tmp_path / "valid")
    test = predictions(tmp_path, "sort0,sort2,0.55\nsort1,sum1,0.45\n")
    options = replace(ORIGIN, part="test", missing=Missing.EXCLUDE)
    result = evaluate_pairs(benchmark, Candidate(test, validation=validation, name="mine"), options)
    assert result.detector == "mine"
    assert value(result, "f1") == 1.0


def test_a_validation_part_of_one_class_chooses_nothing(tmp_path: Path) -> None:
    rows = [replace(pair, claimed_part="test" if not clone else pair.claimed_part) for pair, clone in PAIRS]
    result = evaluate_pairs(sample_benchmark(tmp_path, pairs=rows), scored(tmp_path), replace(ORIGIN, part="test"))
    assert result.setting["threshold"] == "none"


def test_views_take_pairs_with_both_fragments_in_the_part(benchmark: Benchmark, tmp_path: Path) -> None:
    ids = benchmark.table("fragments")["id"].to_pylist()
    parts = ["test" if one.startswith("sort") else "train" for one in ids]
    benchmark.write_table("splits", "by-sort", pa.table({"fragment": range(len(ids)), "part": parts}))
    result = evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, view="by-sort", part="test", threshold=0.5))
    assert (result.view, result.part, result.policy.counted) == ("by-sort", "test", 6)
    assert "All pairs that count are clones: precision and specificity mean nothing." in result.warnings
    for options, message in (
        (replace(ORIGIN, view="by-sort"), "without a part"),
        (replace(ORIGIN, view="by-luck", part="test"), "no splits 'by-luck'"),
        (replace(ORIGIN, part="exam"), "no part 'exam'"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate_pairs(benchmark, scored(tmp_path), options)


def test_all_parts_together_are_warned_of(benchmark: Benchmark, tmp_path: Path) -> None:
    whole = evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, threshold=0.5))
    part = evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, threshold=0.5, part="test"))
    assert any("Choose a part" in warning for warning in whole.warnings)
    assert not any("Choose a part" in warning for warning in part.warnings)


def test_a_threshold_without_scores_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    file = predictions(tmp_path, "sort0,sort1,1\n", LABELS)
    with pytest.raises(InputError, match="the predictions have no scores"):
        evaluate_pairs(benchmark, file, replace(ORIGIN, threshold=0.5))


@pytest.mark.parametrize("threshold", [None, 0.5])
def test_predictions_with_other_ids_are_named_with_and_without_a_threshold(
    benchmark: Benchmark, tmp_path: Path, threshold: float | None
) -> None:
    file = predictions(tmp_path, "SORT0,SORT1,0.7\n", "left,right,score")
    with pytest.raises(InputError, match="the predictions use the fragment ids of the benchmark"):
        evaluate_pairs(benchmark, file, replace(ORIGIN, threshold=threshold))


def test_a_detector_inside(benchmark: Benchmark) -> None:
    result = evaluate_pairs(benchmark, DETECTORS["token-similarity"], ORIGIN)
    assert result.detector == "token-similarity"
    assert result.setting["threshold"] == "detector's default"
    # Fragments in Java that differ in the number of lines at most.
    assert value(result, "roc-auc") is not None
    chosen = evaluate_pairs(benchmark, DETECTORS["identifier-overlap"], replace(ORIGIN, part="test"))
    assert chosen.setting["threshold"] == "best f1 on the validation part"


def test_baselines_are_measured_on_the_same_pairs(benchmark: Benchmark, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, scored(tmp_path), PairsOptions(policy="origin", threshold=0.5))
    rows = {group.name: group for group in result.baselines}
    assert list(rows) == ["always-yes", "largest-functionality", "identifier-overlap", "length"]
    yes = {one.name: one.value for one in rows["always-yes"].measurements}
    assert (yes["recall"], yes["specificity"]) == (1.0, 0.0)
    assert yes["precision"] == pytest.approx(18 / 26)
    for group in rows.values():
        assert (group.pairs, group.clones) == (26, 18)
        assert [one.name for one in group.measurements] == list(METRICS)
    with pytest.raises(UnknownNameError, match="detector"):
        evaluate_pairs(benchmark, scored(tmp_path), replace(ORIGIN, baselines=("always-no",)))


def test_a_folder_without_a_detector_is_not_taken_for_an_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no detector in this folder") as caught:
        scorer(str(tmp_path))
    assert "detector.toml" in str(caught.value.hint)
    with pytest.raises(UnknownNameError, match="There is no detector"):
        scorer(str(tmp_path / "absent"))


def test_a_baseline_that_cannot_score_says_so(tmp_path: Path) -> None:
    rows = [replace(pair, functionality=None) for pair, _ in PAIRS]
    bare = sample_benchmark(tmp_path, pairs=rows, functionalities=[], memberships=[])
    options = replace(ORIGIN, threshold=0.5, baselines=("largest-functionality",))
    result = evaluate_pairs(bare, scored(tmp_path), options)
    (row,) = result.baselines
    assert row.measurements == ()
    assert row.note is not None
    assert "cannot score these pairs" in row.note
    assert result.measurement("macro-f1") is None
    assert "functionality" not in [stratum.by for stratum in result.strata]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"confidence": 1.0}, "confidence of 1 is not between 0 and 1"),
        ({"threshold": float("nan")}, "not a finite number"),
        ({"threshold_metric": "luck"}, "cannot be chosen for 'luck'"),
    ],
)
def test_options_out_of_range_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(ORIGIN, **changes)


_SCORES = st.lists(st.sampled_from([None, 0.0, 0.3, 0.5, 0.9]), min_size=len(PAIRS), max_size=len(PAIRS))


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_SCORES)
def test_counts_are_those_of_counting_by_hand(benchmark: Benchmark, tmp_path: Path, scores: list[float | None]) -> None:
    rows = [(pair, clone, score) for (pair, clone), score in zip(PAIRS, scores, strict=True) if score is not None]
    assume(rows)
    file = predictions(tmp_path, "".join(f"{pair.right},{pair.left},{score}\n" for pair, _, score in rows))
    run = EvaluationRun.run(benchmark, Candidate(file), replace(ORIGIN, threshold=0.5))
    outcomes = run.decisions.outcomes
    found = Confusion.count(zip(outcomes.predicted.tolist(), outcomes.truth.tolist(), strict=True))
    assert found == Confusion.count((score >= 0.5, clone) for _, clone, score in rows)
    assert run.decisions.missing == len(PAIRS) - len(rows)
