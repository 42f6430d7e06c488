"""Numbers on a dataset's own labels, corrected by judged samples: one engine behind four commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.evaluate import check_claim, evaluate_detector, rank_detectors
from clonetruth.evaluate.labels.correction import correct_result, correct_run, labels_of
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.model import Judgement
from clonetruth.sources import import_dataset
from clonetruth.stats.label_noise import CorrectionMethod
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Measurement
from clonetruth.studies import estimate_labels, export_judgements, resolve_subjects
from clonetruth.verdicts.published_samples import published_samples
from tests.evaluate.sample_benchmark import CARD, PAIRS, predictions, sample_benchmark, scored
from tests.studies.example_studies import add_answers, sample_study

LABELS = [clone for _, clone in PAIRS]
CLAIMS = [
    Judgement("rule", CARD.criterion, "clone" if clone else "not-clone", pair=row) for row, clone in enumerate(LABELS)
]


def votes(*answers: tuple[int, bool], criterion: str = CARD.criterion) -> list[Judgement]:
    return [Judgement("ada", criterion, "clone" if clone else "not-clone", pair=row) for row, clone in answers]


def corrected(
    benchmark: Benchmark, folder: Path, decisions: list[bool], policy: str = "origin", **options: Any
) -> tuple[dict[str, Correction], tuple[str, ...]]:
    lines = "".join(f"{pair.left},{pair.right},{int(yes)}\n" for (pair, _), yes in zip(PAIRS, decisions, strict=True))
    candidate = Candidate(predictions(folder, lines, "left,right,label"))
    run = EvaluationRun.run(benchmark, candidate, PairsOptions(policy=policy, baselines=()))
    found, warnings = correct_run(run, build_result(run), **options)
    return {one.name: one for one in found}, warnings


def numbers(correction: Correction) -> dict[str, float | None]:
    return {one.name: one.value for one in correction.measurements}


def test_every_method_states_its_assumption_and_error_rate(tmp_path: Path) -> None:
    # Ada judged the T1, T2, MT3 and one WT3/T4 pair of the first functionality: the first is not a clone.
    found, warnings = corrected(sample_benchmark(tmp_path), tmp_path, LABELS)
    assert set(found) == set(CorrectionMethod)
    assert warnings == ()
    for one in found.values():
        assert "assumes that the judged pairs are a random sample" in one.assumption
        assert "'not-clone'" in one.assumption
        assert [error.value for error in one.label_errors] == [0.25]


def test_samples_are_matched_by_clone_type(tmp_path: Path) -> None:
    """The only judged T1 pair is wrong; 3 of the 18 labelled pairs are T1, and the other types are right."""
    found, _ = corrected(sample_benchmark(tmp_path), tmp_path, LABELS)
    assert numbers(found["independent"])["precision"] == pytest.approx(15 / 18)
    none = [clone and pair.claimed_type != "T1" for pair, clone in PAIRS]
    found, _ = corrected(sample_benchmark(tmp_path / "again"), tmp_path, none)
    expected = {"precision": 1.0, "recall": 1.0, "f1": 1.0, "prevalence": 15 / 26}
    assert numbers(found["independent"]) == pytest.approx(expected)


def test_types_that_nobody_judged_are_believed_and_named(tmp_path: Path) -> None:
    weak = [row for row, (pair, _) in enumerate(PAIRS) if pair.claimed_type == "WT3/T4"]
    judged = votes(*((row, row != weak[0]) for row in weak[:4]))
    found, _ = corrected(sample_benchmark(tmp_path, judgements=CLAIMS + judged), tmp_path, LABELS)
    # A quarter of the nine weak pairs are wrong, and none of the other nine.
    assert numbers(found["independent"])["precision"] == pytest.approx((9 * 0.75 + 9) / 18)
    assert "taken as right: 'not-clone' and 'clone' of the types MT3, T1, T2." in found["independent"].assumption


def test_judged_non_clones_count_on_the_other_side(tmp_path: Path) -> None:
    judged = votes(*((row, True) for row in range(4)), (18, True), (19, False))
    found, _ = corrected(sample_benchmark(tmp_path, judgements=CLAIMS + judged), tmp_path, LABELS)
    # Half of the eight labels 'not-clone' are wrong, and none of those pairs is predicted.
    assert numbers(found["independent"])["recall"] == pytest.approx(18 / (18 + 4))
    assert [one.name for one in found["independent"].label_errors] == ["label-error", "label-error-not-clone"]
    assert "sensitivity" not in found


def test_only_labels_that_are_believed_are_corrected_and_a_request_is_answered(tmp_path: Path) -> None:
    benchmark = sample_benchmark(tmp_path)
    assert corrected(benchmark, tmp_path, LABELS, policy="default") == ({}, ())
    found, (warning,) = corrected(
        benchmark, tmp_path, LABELS, policy="default", methods=(CorrectionMethod.INDEPENDENT,)
    )
    assert found == {}
    assert "the policy 'default' does not believe the dataset's labels" in warning


def test_without_judges_there_is_nothing_to_correct_by(tmp_path: Path) -> None:
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS)
    assert corrected(benchmark, tmp_path, LABELS) == ({}, ())
    _, (warning,) = corrected(benchmark, tmp_path, LABELS, judged=benchmark)
    assert "nobody judged pairs of sample" in warning


@pytest.mark.parametrize("criterion", ["textual", "equivalent-behaviour"])
def test_another_criterion_is_refused(tmp_path: Path, criterion: str) -> None:
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS + votes((0, False), criterion=criterion))
    # In the benchmark itself such judgements are about something else; naming them is an error.
    assert corrected(benchmark, tmp_path, LABELS) == ({}, ())
    with pytest.raises(InputError, match=f"under '{criterion}' cannot show whether a label under 'same-main-purpose'"):
        corrected(benchmark, tmp_path, LABELS, criterion=criterion)


def test_another_source_is_refused(tmp_path: Path) -> None:
    other = sample_benchmark(tmp_path / "other", card=replace(CARD, name="elsewhere"))
    benchmark = sample_benchmark(tmp_path)
    for policy in ("origin", "default"):
        with pytest.raises(InputError, match="elsewhere are not about the labels of sample"):
            corrected(benchmark, tmp_path, LABELS[:4] + [False] * 22, policy, judged=other)


def test_the_same_source_is_accepted(tmp_path: Path) -> None:
    judged = sample_benchmark(tmp_path / "judged")
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS, card=replace(CARD, version="2"))
    found, _ = corrected(benchmark, tmp_path, LABELS, judged=judged)
    assert numbers(found["independent"])["precision"] == pytest.approx(15 / 18)
    # Its pairs are not those of the benchmark, so they have no predictions here.
    assert "design-based" not in found
    _, (warning,) = corrected(benchmark, tmp_path, LABELS, judged=judged, methods=(CorrectionMethod.DESIGN_BASED,))
    assert "Not corrected by design-based: no judged pair of this benchmark has a prediction." in warning


def test_a_detector_is_not_its_own_judge(tmp_path: Path) -> None:
    decisions = [row % 3 == 0 for row in range(len(PAIRS))]
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS + votes(*enumerate(decisions)))
    found, (warning,) = corrected(benchmark, tmp_path, decisions)
    assert found == {}
    assert "the detector's own answers" in warning
    assert "design-based" in corrected(benchmark, tmp_path, [not decisions[0], *decisions[1:]])[0]


def test_judged_pairs_with_predictions_need_no_independence(tmp_path: Path) -> None:
    """All pairs are judged: the numbers are those of counting."""
    truth = [clone and row % 3 != 0 for row, clone in enumerate(LABELS)]
    decisions = [clone and row % 2 == 0 for row, clone in enumerate(LABELS)]
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS + votes(*enumerate(truth)))
    found, _ = corrected(benchmark, tmp_path, decisions)
    hits = sum(yes and clone for yes, clone in zip(decisions, truth, strict=True))
    assert numbers(found["design-based"]) == {
        "precision": pytest.approx(hits / sum(decisions)),
        "recall": pytest.approx(hits / sum(truth)),
        "f1": pytest.approx(2 * hits / (sum(decisions) + sum(truth))),
        "prevalence": pytest.approx(sum(truth) / 26),
    }


def test_four_commands_give_the_same_corrected_number(tmp_path: Path) -> None:
    """A study of the labels, a claim, an evaluation and a leaderboard: one estimate, one correction."""
    untyped = [replace(pair, claimed_type=None, claimed_cut_rule=None) for pair, _ in PAIRS]
    benchmark = sample_benchmark(tmp_path, judgements=CLAIMS, pairs=untyped)
    study = sample_study(benchmark, tmp_path / "study", stratify=("label",), size=12, criterion=CARD.criterion)
    labels = study.subjects["label"].to_pylist()
    wrong = {"clone": labels.index("clone"), "not-clone": labels.index("not-clone")}
    other = {"clone": "not-clone", "not-clone": "clone"}
    for judge in ("ann", "bob"):
        answers = {row: other[label] if wrong[label] == row else label for row, label in enumerate(labels)}
        add_answers(study, judge, answers)
    estimate = estimate_labels(study, resolve_subjects(study))
    export_judgements(study, benchmark, estimate=estimate)
    benchmark = Benchmark.open(benchmark.path)

    decisions = [row % 4 != 1 for row in range(len(PAIRS))]
    lines = "".join(f"{pair.left},{pair.right},{int(yes)}\n" for (pair, _), yes in zip(PAIRS, decisions, strict=True))
    evaluation = evaluate_detector(predictions(tmp_path, lines, "left,right,label"), on=benchmark, policy="origin")
    evaluated = next(one for one in evaluation.result.corrections if one.name == "independent")
    precision, recall = (evaluation[name].value for name in ("precision", "recall"))
    claim = check_claim(benchmark, precision=precision, recall=recall, pairs=26, clones=18)
    claimed = next(one for one in claim.corrections if one.name == "independent")
    board = rank_detectors(evaluation)

    assert numbers(claimed) == {name: pytest.approx(value) for name, value in numbers(evaluated).items()}
    for name, value in numbers(evaluated).items():
        column = next(one for one in board.columns if one.metric == f"corrected-{name}")
        assert column.cells[0].measurement.value == value
    # The study knows how its pairs were drawn, and so do the others.
    assert "drawn at random with recorded probabilities" in evaluated.assumption
    assert evaluated.label_errors == claimed.label_errors
    for error, share in zip(evaluated.label_errors, estimate.by_label, strict=True):
        measured = share.weighted
        assert (error.value, error.low, error.high) == (measured.value, measured.low, measured.high)
    prevalence = numbers(evaluated)["prevalence"]
    assert prevalence == pytest.approx(estimate.clones.value)


def test_a_result_without_corrections_is_corrected_from_its_counts(tmp_path: Path) -> None:
    """As by the evaluation itself, where pairs are independent; a leaderboard has no more than the result."""
    card = replace(CARD, name="bigclonebench", criterion="shares-functionality")
    claims = [replace(one, criterion="shares-functionality") for one in CLAIMS]
    benchmark = sample_benchmark(tmp_path, judgements=claims, card=card)
    run = EvaluationRun.run(
        benchmark, Candidate(scored(tmp_path)), PairsOptions(policy="origin", threshold=0.5, baselines=())
    )
    result = build_result(run)
    full, _ = correct_run(run, result)
    (again,) = correct_result(result, published_samples("bigclonebench")[0])
    assert numbers(again) == {name: pytest.approx(value) for name, value in numbers(full[0]).items()}
    assert "WT3/T4" not in again.assumption
    assert "types MT3, T1, T2" in again.assumption


def test_what_is_published_about_a_source_is_used_where_nobody_judged(tmp_path: Path) -> None:
    card = replace(CARD, name="codexglue-bcb", criterion="shares-functionality")
    claims = [replace(one, criterion="shares-functionality") for one in CLAIMS]
    untyped = [replace(pair, claimed_type=None, claimed_cut_rule=None) for pair, _ in PAIRS]
    benchmark = sample_benchmark(tmp_path, judgements=claims, card=card, pairs=untyped)
    found, _ = corrected(benchmark, tmp_path, LABELS)
    claim = check_claim("codexglue-bcb", precision=1.0, recall=1.0, pairs=26, clones=18)
    claimed = next(one for one in claim.corrections if one.name == "independent")
    assert numbers(found["independent"]) == {name: pytest.approx(value) for name, value in numbers(claimed).items()}
    assert "taken to be of the judged kind (WT3/T4)" in found["independent"].assumption
    sample = labels_of(benchmark)
    assert not isinstance(sample, str)
    assert sample.criterion == "same-main-purpose"


def interval(one: Measurement) -> tuple[float, float]:
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


@pytest.mark.slow
def test_the_experts_correct_numbers_on_bigclonebench(shared_data: Path, tmp_path: Path) -> None:
    """bcb406 judged weak pairs alone: 253 of the 271 at hand are wrong. QuixBugs says nothing about these labels."""
    judged = import_dataset("bcb406", [shared_data / "bcb406"], output=tmp_path / "bcb406").path
    quixbugs = import_dataset("quixbugs", [shared_data / "quixbugs"], output=tmp_path / "quixbugs").path
    extract = shared_data / "bigclonebench" / "db_extract"
    on = import_dataset("bcb-extract", [extract], output=tmp_path / "bcb").path
    evaluation = evaluate_detector(["length"], on=on, policy="origin", judged=judged, processes=1)
    found = next(one for one in evaluation.result.corrections if one.name == "independent")
    (error,) = found.label_errors
    assert (error.successes, error.n) == (253, 271)
    by_type = next(one for one in evaluation.result.strata if one.by == "clone type (claimed)")
    hits = {
        group.name: one.successes
        for group in by_type.groups
        for one in group.measurements
        if one.name == "recall" and one.successes is not None
    }
    right = sum(count * (18 / 271 if name == "WT3/T4" else 1) for name, count in hits.items())
    assert numbers(found)["precision"] == pytest.approx(right / evaluation["precision"].n)
    low, high = interval(found.measurements[0])
    assert low < right / evaluation["precision"].n < high
    with pytest.raises(InputError, match="quixbugs are not about the labels of bcb-extract"):
        evaluate_detector(["length"], on=on, policy="origin", judged=quixbugs, processes=1)
