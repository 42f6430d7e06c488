"""Numbers on a dataset's own labels, corrected by what judges say of those labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.evaluate.labels.label_correction import CorrectionMethod, corrections
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.model import Judgement
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction
from tests.evaluate.sample_benchmark import CARD, PAIRS, predictions, sample_benchmark, scored


def made(benchmark: Benchmark, folder: Path, decisions: list[bool], **options: object) -> dict[str, Correction]:
    lines = "".join(f"{pair.left},{pair.right},{int(yes)}\n" for (pair, _), yes in zip(PAIRS, decisions, strict=True))
    candidate = Candidate(predictions(folder, lines, "left,right,label"))
    policy = str(options.pop("policy", "origin"))
    run = EvaluationRun.run(benchmark, candidate, PairsOptions(policy=policy, baselines=()))
    found = corrections(run, build_result(run), **options)  # type: ignore[arg-type]
    return {one.name: one for one in found}


def test_every_way_states_its_assumption_and_error_rate(tmp_path: Path) -> None:
    # Ada judged four pairs that the rule calls clones, and calls one of them none.
    found = made(sample_benchmark(tmp_path), tmp_path, [clone for _, clone in PAIRS])
    assert set(found) == set(CorrectionMethod)
    for one in found.values():
        assert one.assumption
        assert one.label_errors[0].value == 0.25
    numbers = {one.name: one.value for one in found["independent"].measurements}
    assert numbers == {"precision": 0.75, "recall": 1.0, "f1": pytest.approx(2 * 0.75 / 1.75)}
    published = {one.name: one.value for one in found["as-published"].measurements}
    assert published["recall"] == 0.75


def test_only_labels_that_are_believed_are_corrected(tmp_path: Path) -> None:
    assert made(sample_benchmark(tmp_path), tmp_path, [clone for _, clone in PAIRS], policy="default") == {}


def test_without_judges_there_is_nothing_to_correct_by(tmp_path: Path) -> None:
    claims = [
        Judgement("rule", CARD.criterion, "clone" if clone else "not-clone", pair=row)
        for row, (_, clone) in enumerate(PAIRS)
    ]
    assert made(sample_benchmark(tmp_path, judgements=claims), tmp_path, [clone for _, clone in PAIRS]) == {}


def test_a_detector_is_not_its_own_judge(tmp_path: Path) -> None:
    decisions = [row % 3 == 0 for row in range(len(PAIRS))]
    claims = [
        Judgement("rule", CARD.criterion, "clone" if clone else "not-clone", pair=row)
        for row, (_, clone) in enumerate(PAIRS)
    ]
    votes = [
        Judgement("ada", CARD.criterion, "clone" if yes else "not-clone", pair=row) for row, yes in enumerate(decisions)
    ]
    benchmark = sample_benchmark(tmp_path, judgements=claims + votes)
    assert made(benchmark, tmp_path, decisions) == {}
    other = [not decisions[0], *decisions[1:]]
    assert set(made(benchmark, tmp_path, other)) == set(CorrectionMethod)


def test_another_benchmarks_judges_show_the_error_rate_alone(tmp_path: Path) -> None:
    sample = sample_benchmark(tmp_path)
    (tmp_path / "own").mkdir()
    claims = [
        Judgement("rule", CARD.criterion, "clone" if clone else "not-clone", pair=row)
        for row, (_, clone) in enumerate(PAIRS)
    ]
    benchmark = sample_benchmark(tmp_path / "own", judgements=claims)
    found = made(benchmark, tmp_path, [clone for _, clone in PAIRS], sample=sample)
    assert set(found) == {"independent", "as-published", "bounds"}


def test_one_way_alone_can_be_asked_for(tmp_path: Path) -> None:
    found = made(
        sample_benchmark(tmp_path), tmp_path, [clone for _, clone in PAIRS], methods=(CorrectionMethod.BOUNDS,)
    )
    assert list(found) == ["bounds"]


def powered(benchmark: Benchmark, folder: Path, score: dict[bool, float] | None = None) -> Correction:
    """The estimate for a detector that repeats the labels, or gives these scores."""
    options = PairsOptions(policy="origin", threshold=0.5, baselines=())
    run = EvaluationRun.run(benchmark, Candidate(scored(folder, score)), options)
    (found,) = corrections(run, build_result(run), methods=(CorrectionMethod.PREDICTION_POWERED,))
    return found


def test_labels_that_nobody_judged_are_believed_and_the_assumption_says_so(tmp_path: Path) -> None:
    """All 26 pairs are predicted: 3/4 of 18 are clones, and the 8 that are labelled non-clones are none."""
    found = powered(sample_benchmark(tmp_path), tmp_path, {True: 0.6, False: 0.6})
    assert [one.value for one in found.measurements] == pytest.approx([13.5 / 26, 1.0, 27 / (26 + 13.5)])
    assert "8 predicted pairs, which nobody judged, are not clones" in found.assumption


def test_judged_non_clone_labels_stand_for_their_like(tmp_path: Path) -> None:
    """Ada calls one of two pairs that are labelled non-clones a clone: so are four of the eight."""
    benchmark = sample_benchmark(tmp_path)
    votes = [Judgement("ada", CARD.criterion, value, pair=row) for row, value in ((18, "clone"), (19, "not-clone"))]
    benchmark.append_judgements([], votes)
    everything = powered(benchmark, tmp_path, {True: 0.6, False: 0.6})
    assert everything.measurements[0].value == pytest.approx((13.5 + 4) / 26)
    assert "nothing else is assumed" in everything.assumption
    # The detector that says what the labels say misses those four.
    assert powered(benchmark, tmp_path).measurements[1].value == pytest.approx(13.5 / (13.5 + 4))
