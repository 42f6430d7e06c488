"""Groups of pairs, macro averages, disagreements: what stands behind one number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clonetruth
from clonetruth.evaluate.pairs.detector_scores import LARGEST_FUNCTIONALITY
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSet
from clonetruth.evaluate.pairs.strata import macro
from clonetruth.measures import classify_pairs
from clonetruth.stats.confusion import Confusion
from clonetruth.stats.outcomes import Outcomes
from clonetruth.store import Benchmark
from clonetruth.store.results import MeasurementGroup, Result
from clonetruth.verdicts import judge_verdicts
from tests.evaluate.sample_benchmark import FRAGMENTS, PAIRS, predictions, sample_benchmark, scored

OPTIONS = PairsOptions(policy="origin", threshold=0.5, baselines=())


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return sample_benchmark(tmp_path_factory.mktemp("sample"))


def groups(result: Result, by: str) -> dict[str, MeasurementGroup]:
    (stratum,) = (one for one in result.strata if one.by == by)
    return {group.name: group for group in stratum.groups}


def test_strata_part_the_pairs(benchmark: Benchmark, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, scored(tmp_path), OPTIONS)
    names = [stratum.by for stratum in result.strata]
    assert names == ["clone type (claimed)", "functionality", "language", "size ratio", "project"]
    for stratum in result.strata:
        assert sum(group.pairs or 0 for group in stratum.groups) == len(PAIRS)
        assert sum(group.clones or 0 for group in stratum.groups) == 18


def test_groups_of_one_class_show_no_number_by_construction(benchmark: Benchmark, tmp_path: Path) -> None:
    types = groups(evaluate_pairs(benchmark, scored(tmp_path), OPTIONS), "clone type (claimed)")
    assert list(types) == ["T1", "T2", "MT3", "WT3/T4", "no type claimed"]
    assert [one.name for one in types["T1"].measurements] == ["recall"]
    assert [one.name for one in types["no type claimed"].measurements] == ["specificity"]
    assert types["WT3/T4"].pairs == 9
    assert types["WT3/T4"].note == "only clones"


def test_measured_types_are_shown_next_to_claimed_ones(tmp_path: Path) -> None:
    measured = sample_benchmark(tmp_path)
    classify_pairs(measured, processes=1)
    result = evaluate_pairs(measured, scored(tmp_path), OPTIONS)
    found = groups(result, "clone type (measured, min)")
    assert "not measured" in found
    assert sum(group.pairs or 0 for group in found.values()) == len(PAIRS)


def test_functionality_of_a_pair_across_is_that_of_its_left_fragment(benchmark: Benchmark, tmp_path: Path) -> None:
    found = groups(evaluate_pairs(benchmark, scored(tmp_path), OPTIONS), "functionality")
    assert {name: (group.pairs, group.clones) for name, group in found.items()} == {
        "Sort": (10, 6),
        "Sum": (10, 6),
        "Copy": (6, 6),
    }


def test_languages_sizes_and_projects(benchmark: Benchmark, tmp_path: Path) -> None:
    result = evaluate_pairs(benchmark, scored(tmp_path), OPTIONS)
    by_id = {fragment.id: fragment for fragment in FRAGMENTS}
    mixed = sum(by_id[pair.left].language != by_id[pair.right].language for pair, _ in PAIRS)
    assert groups(result, "language")["java – python"].pairs == mixed
    # The third fragment of a kind has eight lines, the others four; a last line end opens one more.
    sizes = groups(result, "size ratio")
    assert set(sizes) == {"1/2 to 3/4", "3/4 to 1"}
    projects = groups(result, "project")
    unknown = sum(None in (by_id[pair.left].project, by_id[pair.right].project) for pair, _ in PAIRS)
    assert projects["unknown"].pairs == unknown
    assert set(projects) == {"same project", "different projects", "unknown"}


def test_macro_averages_functionalities() -> None:
    truth = np.ones(10, dtype=bool)
    predicted = np.array([True] * 8 + [False, True])
    cluster = np.array([0] * 8 + [1, -1])
    averages = {one.name: one for one in macro(Outcomes(predicted, truth, cluster=cluster))}
    assert averages["macro-recall"].value == 0.5
    assert averages["macro-recall"].n == 2
    assert averages["macro-precision"].value == 1.0
    assert averages["macro-precision"].n == 1
    assert averages["macro-precision"].note == (
        "1 pairs without a known functionality are left out; no interval: fewer than 3 functionalities"
    )
    assert macro(Outcomes(predicted, truth)) == ()
    assert macro(Outcomes(predicted, truth, cluster=np.full(10, -1))) == ()


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(-1, 3)), min_size=1, max_size=30))
def test_macro_is_the_mean_of_what_is_defined(rows: list[tuple[bool, bool, int]]) -> None:
    predicted, truth, cluster = (np.array(column) for column in zip(*rows, strict=True))
    averages = {one.name: one for one in macro(Outcomes(predicted, truth, cluster=cluster))}
    inside = {code: Confusion.count(row[:2] for row in rows if row[2] == code) for code in range(4)}
    for name in ("precision", "recall", "f1"):
        values = [rate for one in inside.values() if one.n and (rate := getattr(one, name)) is not None]
        if not any(one.n for one in inside.values()):
            assert averages == {}
            continue
        found = averages[f"macro-{name}"]
        assert found.n == len(values)
        assert found.value == (pytest.approx(sum(values) / len(values)) if values else None)
        if found.low is not None and found.high is not None and found.value is not None:
            assert 0 <= found.low <= found.value <= found.high <= 1


def test_worst_disagreements_by_score(benchmark: Benchmark, tmp_path: Path) -> None:
    """Everything is upside down; the highest others and the lowest clones are shown, half of each."""
    result = evaluate_pairs(benchmark, scored(tmp_path, {True: 0.1, False: 0.8}), OPTIONS)
    shown = result.disagreements
    assert len(shown) == 12
    alarms, misses = shown[:6], shown[6:]
    assert {(one.verdict, one.predicted) for one in alarms} == {("not-clone", "clone")}
    assert {(one.verdict, one.predicted) for one in misses} == {("clone", "not-clone")}
    scores = [one.score or 0.0 for one in shown]
    assert scores[:6] == sorted(scores[:6], reverse=True)
    assert scores[6:] == sorted(scores[6:])
    assert (misses[0].left.id, misses[0].right.id, misses[0].clone_type) == ("sort0", "sort1", "T1")
    assert misses[0].functionality == "Sort"
    assert misses[0].left.text == FRAGMENTS[0].text
    assert (misses[0].left.path, misses[0].left.first_line) == ("sort/0.java", 1)


def test_worst_disagreements_of_labels_are_the_most_alike_types(benchmark: Benchmark, tmp_path: Path) -> None:
    lines = "".join(f"{pair.left},{pair.right},{int(not clone)}\n" for pair, clone in PAIRS)
    labels = predictions(tmp_path, lines, "left,right,label")
    shown = evaluate_pairs(benchmark, labels, replace(OPTIONS, threshold=None)).disagreements
    assert [one.clone_type for one in shown[6:]] == ["T1"] * 3 + ["T2"] * 3
    assert {one.score for one in shown} == {None}


def test_no_disagreement_when_all_is_right_and_no_pair_twice(tmp_path: Path) -> None:
    right = sample_benchmark(tmp_path)
    assert evaluate_pairs(right, scored(tmp_path), OPTIONS).disagreements == ()
    (tmp_path / "again").mkdir()
    # Different answers on one pair contradict each other only if they are on the same functionality.
    rows = [replace(PAIRS[0][0], functionality="sort" if clone else "sum") for _, clone in PAIRS]
    repeated = sample_benchmark(tmp_path / "again", pairs=rows)
    shown = evaluate_pairs(repeated, predictions(tmp_path, "sort0,sort1,0.1\n"), OPTIONS).disagreements
    # The rule calls eighteen rows of the pair clones and eight not: one of the former is shown, nothing is an alarm.
    assert [(one.verdict, one.predicted) for one in shown] == [("clone", "not-clone")]


def test_long_texts_are_cut(tmp_path: Path) -> None:
    long = [replace(one, text=one.text + "// " + "x" * 5_000) for one in FRAGMENTS]
    shown = evaluate_pairs(
        sample_benchmark(tmp_path, fragments=long), predictions(tmp_path, "sort0,sort1,0.1\n"), OPTIONS
    ).disagreements
    assert len(shown[0].left.text or "") == 4_000


def test_largest_functionality_scores_one_functionality_and_no_pair_without(benchmark: Benchmark) -> None:
    subjects = PairSet(benchmark, judge_verdicts(benchmark, "origin")).subjects(None).select(np.arange(4))
    four = replace(subjects, cluster=np.array([7, 9, 9, -1]))
    assert LARGEST_FUNCTIONALITY.scores(four).to_pylist() == [0.0, 1.0, 1.0, None]
    tied = replace(subjects, cluster=np.array([9, 9, 7, 7]))
    assert LARGEST_FUNCTIONALITY.scores(tied).to_pylist() == [0.0, 0.0, 1.0, 1.0]
    assert LARGEST_FUNCTIONALITY.scores(replace(subjects, cluster=np.full(4, -1))).to_pylist() == [None] * 4


def test_largest_functionality_can_be_evaluated_by_its_name(benchmark: Benchmark) -> None:
    (result,) = clonetruth.evaluate_detector(detector="largest-functionality", on=benchmark, policy="origin")
    (row,) = [group for group in result.baselines if group.name == result.detector]
    own = {one.name: one.value for one in result.headline}
    assert {one.name: one.value for one in row.measurements}.items() <= own.items()
