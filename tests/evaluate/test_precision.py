"""Precision of what tools report: bounds from partial truth, estimates from judgements."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.precision import judged_precision, precision_bounds, precision_of
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair
from clonetruth.sources import import_dataset
from clonetruth.stats import wilson
from clonetruth.store import Benchmark

CARD = Card("reports", "1", "Reported pairs.", "MIT", "Nobody", "textual", ("java",))
TOOL = Judge("tool:finder", JudgeKind.TOOL, "finder")
ADA = Judge("ada", JudgeKind.PERSON, "Ada")


def reports(path: Path, *answers: str | None) -> Benchmark:
    """A benchmark of pairs that the tool reports, each judged by Ada; equal answers are on the same pair."""
    judgements = [Judgement("tool:finder", "textual", "clone", pair=row) for row in range(len(answers))]
    judgements += [Judgement("ada", "textual", answer, pair=row) for row, answer in enumerate(answers) if answer]
    dataset = Dataset(
        CARD,
        [Fragment("a", "java", "a"), *(Fragment(str(answer), "java", "b") for answer in dict.fromkeys(answers))],
        pairs=[Pair("a", str(answer)) for answer in answers],
        judges=(TOOL, ADA),
        judgements=judgements,
    )
    return Benchmark.create(path / "b", dataset)


def test_the_published_precisions_come_out_of_the_judgements(shared_data: Path, tmp_path: Path) -> None:
    import_dataset("oreo-precision", [shared_data / "oreo_precision"], output=tmp_path / "b")
    found = {one.tool: one for one in judged_precision(Benchmark.open(tmp_path / "b"))}
    assert {tool: one.precision.value for tool, one in found.items()} == {
        "tool:oreo": 0.895,
        "tool:scc": 0.9775,
        "tool:cloneworks": 0.9875,
        "tool:nicad": 0.99,
    }
    assert {one.precision.n for one in found.values()} == {400}
    assert not any(one.unknown for one in found.values())
    interval = wilson(358, 400)
    assert interval is not None
    assert (found["tool:oreo"].precision.low, found["tool:oreo"].precision.high) == (interval.low, interval.high)


def test_a_pair_that_is_reported_twice_counts_twice(tmp_path: Path) -> None:
    (found,) = judged_precision(reports(tmp_path, "clone", "clone", "not-clone"))
    assert (found.precision.successes, found.precision.n) == (2, 3)


def test_pairs_without_a_verdict_are_left_out_and_counted(tmp_path: Path) -> None:
    (found,) = judged_precision(reports(tmp_path, "clone", None, "undecided", "not-clone"))
    assert (found.precision.value, found.precision.n, found.unknown) == (0.5, 2, 2)


@pytest.mark.parametrize(
    ("detector", "found"), [("finder", True), ("Finder", True), ("tool:finder", True), ("other", False), ("ada", False)]
)
def test_a_detector_is_known_by_its_name(tmp_path: Path, detector: str, found: bool) -> None:
    measured = precision_of(reports(tmp_path, "clone", "not-clone"), detector)
    assert (None if measured is None else measured.value) == (0.5 if found else None)


def test_without_judged_pairs_there_is_no_precision(tmp_path: Path) -> None:
    (found,) = judged_precision(reports(tmp_path, None, None))
    assert (found.precision.value, found.precision.low, found.unknown) == (None, None, 2)
    assert "No reported pair has a verdict" in (found.precision.note or "")


def test_a_benchmark_without_reports_of_a_tool_is_refused(tmp_path: Path) -> None:
    dataset = Dataset(
        CARD,
        [Fragment("a", "java", "a"), Fragment("b", "java", "b")],
        pairs=[Pair("a", "b")],
        judges=(ADA,),
        judgements=[Judgement("ada", "textual", "clone", pair=0)],
    )
    with pytest.raises(InputError, match="No tool reports a pair"):
        judged_precision(Benchmark.create(tmp_path / "b", dataset))


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_truth_lies_within_the_bounds(known_true: int, known_false: int, right: int, wrong: int) -> None:
    """`right` and `wrong` are the reported pairs that the benchmark does not know."""
    reported = known_true + known_false + right + wrong
    bounds = precision_bounds(reported, known_true, known_false)
    if not reported:
        assert (bounds.lower.value, bounds.upper.value, bounds.judged.value) == (None, None, None)
        return
    assert bounds.lower.value is not None
    assert bounds.upper.value is not None
    assert bounds.judged.value is not None
    assert bounds.lower.value <= (known_true + right) / reported <= bounds.upper.value
    # The gap is what nothing is known of.
    assert bounds.upper.value - bounds.lower.value == pytest.approx(1 - bounds.judged.value)


@pytest.mark.parametrize("counts", [(10, 6, 5), (10, -1, 5), (-1, 0, 0)])
def test_counts_that_contradict_each_other_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="do not fit"):
        precision_bounds(*counts)
