"""A result on a dataset's own labels, corrected by the judgements that the benchmark has."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.evaluate.label_correction import Way, corrections
from clonetruth.evaluate.pair_options import PairsOptions
from clonetruth.evaluate.pairs import Contestant, Trial, result_of
from clonetruth.model import Judgement
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction
from tests.evaluate.arena import ADA, CARD, arena, scored

ALWAYS = {True: 0.6, False: 0.6}


def corrected(
    benchmark: Benchmark, folder: Path, score: dict[bool, float] | None = None, policy: str = "origin"
) -> dict[str, Correction]:
    options = PairsOptions(policy=policy, threshold=0.5, baselines=())
    trial = Trial.run(benchmark, Contestant(scored(folder, score)), options)
    return {one.name: one for one in corrections(trial, result_of(trial))}


def values(correction: Correction) -> tuple[float | None, ...]:
    return tuple(one.value for one in correction.measurements)


def test_all_ways_from_the_judgements_at_hand(tmp_path: Path) -> None:
    """Of the 18 clone labels Ada judged four, and one is wrong; the detector says what the labels say."""
    found = corrected(arena(tmp_path), tmp_path)
    assert set(found) == set(Way)
    assert found["independent"].label_errors[0].value == 0.25
    assert values(found["independent"]) == pytest.approx((0.75, 1.0, 1.5 / 1.75))
    assert values(found["as-published"]) == pytest.approx((0.75, 0.75, 0.75))
    assert values(found["bounds"]) == (None, None, None)
    assert values(found["prediction-powered"]) == pytest.approx((0.75, 1.0, 1.5 / 1.75))


def test_labels_that_nobody_judged_are_believed_and_it_is_said(tmp_path: Path) -> None:
    """Everything is predicted: 3/4 of 18 are clones, and the 8 that are labelled non-clones are none."""
    found = corrected(arena(tmp_path), tmp_path, ALWAYS)["prediction-powered"]
    assert values(found) == pytest.approx((13.5 / 26, 1.0, 27 / (26 + 13.5)))
    assert "8 predicted pairs, which nobody judged, are no clones" in found.assumption


def test_judged_non_clone_labels_stand_for_their_like(tmp_path: Path) -> None:
    """Ada calls one of two pairs that are labelled non-clones a clone: so are four of the eight."""
    benchmark = arena(tmp_path)
    votes = [Judgement("ada", CARD.criterion, value, pair=row) for row, value in ((18, "clone"), (19, "not-clone"))]
    benchmark.append_judgements([ADA], votes)
    found = corrected(benchmark, tmp_path, ALWAYS)["prediction-powered"]
    assert values(found)[0] == pytest.approx((13.5 + 4) / 26)
    assert "nothing else is assumed" in found.assumption
    # The detector that says what the labels say misses those four.
    assert values(corrected(benchmark, tmp_path)["prediction-powered"])[1] == pytest.approx(13.5 / (13.5 + 4))


def test_verdicts_need_no_correction(tmp_path: Path) -> None:
    assert corrected(arena(tmp_path), tmp_path, policy="default") == {}


def test_without_judgements_there_is_none(tmp_path: Path) -> None:
    benchmark = arena(tmp_path, judgements=[Judgement("rule", CARD.criterion, "clone", pair=row) for row in range(26)])
    assert corrected(benchmark, tmp_path) == {}
