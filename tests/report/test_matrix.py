"""The page of a matrix: its sentences follow the numbers, whichever way they point."""

from __future__ import annotations

from dataclasses import replace

from clonetruth.html import render
from clonetruth.model import Manifest
from clonetruth.report.matrix import matrix_page
from clonetruth.store.matrix import METRICS, CellFailure, MatrixCell, MatrixRow, MatrixSummary, ViewTest
from clonetruth.store.results import BenchmarkIdentity, Measurement
from tests.report.wellformed import read

VIEWS = ("random", "cross-project", "cross-functionality")


def measured(value: float | None, name: str = "f1") -> Measurement:
    if value is None:
        return Measurement(name, None, n=0)
    return Measurement(name, value, value - 0.02, value + 0.02, n=5)


def row(detector: str, view: str, level: int, value: float | None, drop: float | None) -> MatrixRow:
    means = tuple(measured(value, metric) for metric in METRICS)
    drops = () if view == "random" else tuple(measured(drop, metric) for metric in METRICS)
    return MatrixRow(detector, view, level, (0, 1, 2), {}, means, drops)


def view_test(view: str, share: float) -> ViewTest:
    yes = measured(2 * share / (1 + share))
    return ViewTest(view, f"What of {view}?", measured(1000), measured(share), yes, 3, 3, 8)


SUMMARY = MatrixSummary(
    benchmark=BenchmarkIdentity("street-code"),
    policy="members",
    criterion="implements-functionality",
    assumptions=("Problems are disjoint.",),
    setting={"epochs": 20, "clone_share": None},
    detectors=("mlp", "<b>odd</b>"),
    views=VIEWS,
    levels=(0, 3),
    seeds=(0, 1, 2),
    rows=tuple(
        row(detector, view, level, value, None if value is None else 0.9 - value)
        for level in (0, 3)
        for detector, values in (("mlp", (0.9, 0.85, 0.4)), ("<b>odd</b>", (0.9, 0.95, None)))
        for view, value in zip(VIEWS, values, strict=True)
    ),
    tests=tuple(view_test(view, 0.25) for view in VIEWS),
    failures=(),
    manifest=Manifest({"benchmark": "abc"}, {}, "d", None, {"clonetruth": "1"}, "2026-01-01T00:00:00+00:00"),
)


def text_of(summary: MatrixSummary) -> str:
    html = render(matrix_page(summary))
    reader = read(html)
    assert reader.problems == []
    assert "<b>odd" not in html
    text = " ".join(" ".join(reader.text).split())
    assert "None" not in text
    return text


def test_the_lead_follows_the_numbers() -> None:
    text = text_of(SUMMARY)
    assert "mlp falls from F1 0.90 (random) to 0.40 (cross-functionality) at level 0" in text
    assert "random minus cross-functionality is 0.500 [0.480, 0.520]." in text
    # The last view that is known of the other one is won, not lost.
    assert "odd</b> rises from F1 0.90 (random) to 0.95 (cross-project)" in text
    assert "Problems are disjoint." in text


def test_a_difference_that_may_be_chance_is_called_so() -> None:
    near = replace(
        SUMMARY, rows=tuple(row("mlp", view, 0, 0.9, 0.01) for view in VIEWS), detectors=("mlp",), levels=(0,)
    )
    assert "mlp goes from F1 0.90 (random) to 0.90 (cross-functionality) at level 0" in text_of(near)
    assert "0.010 [−0.010, 0.030], which may be chance." in text_of(near)


def test_every_number_is_in_a_table_and_unknown_is_a_dash() -> None:
    (table,) = [
        block for block in matrix_page(SUMMARY).sections[1].blocks if getattr(block, "caption", "").startswith("F1")
    ]
    assert [list(line) for line in table.rows][:3] == [  # type: ignore[union-attr]
        ["mlp", 0, "0.900 [0.880, 0.920]", "0.850 [0.830, 0.870]", "0.400 [0.380, 0.420]"],
        ["mlp", 3, "0.900 [0.880, 0.920]", "0.850 [0.830, 0.870]", "0.400 [0.380, 0.420]"],
        ["<b>odd</b>", 0, "0.900 [0.880, 0.920]", "0.950 [0.930, 0.970]", None],
    ]
    assert "What of random?" in text_of(SUMMARY)


def test_uneven_shares_of_clones_are_a_warning() -> None:
    assert "share of clones differs" not in text_of(SUMMARY)
    uneven = replace(SUMMARY, tests=(view_test("random", 0.25), view_test("cross-project", 0.8)))
    assert "share of clones differs between the test parts (random 25 %, cross-project 80 %)" in text_of(uneven)


def test_failures_are_listed() -> None:
    assert "What failed" not in text_of(SUMMARY)
    failed = replace(SUMMARY, failures=(CellFailure(MatrixCell("mlp", "cross-all", 0, 1), "There are <no> projects."),))
    text = text_of(failed)
    assert "1 cell failed" in text
    assert "mlp, cross-all, level 0, seed 1" in text
    assert "There are <no> projects." in text


def test_without_the_random_view_there_is_no_drop() -> None:
    alone = replace(
        SUMMARY,
        views=("cross-project",),
        rows=tuple(replace(one, drops=()) for one in SUMMARY.rows if one.view == "cross-project"),
        tests=(replace(view_test("cross-project", 0.3), runs=20, divisions=1),),
        seeds=(0,),
    )
    text = text_of(alone)
    assert "There is nothing to compare" in text
    assert "cross-project: 20 runs with different seeds or folds are only 1 distinct division." in text
    assert "cross-project was divided once" in text


def test_the_reason_is_given_where_there_is_no_interval() -> None:
    bare = Measurement("f1", 0.4, n=1, note="no interval: 2 tested functionalities")
    rows = tuple(replace(one, means=(bare,)) if one.view == VIEWS[2] else one for one in SUMMARY.rows)
    text = text_of(replace(SUMMARY, rows=rows))
    assert "cross-functionality: no interval: 2 tested functionalities." in text
    assert "0.400 (no interval)" in text


def test_the_same_summary_gives_the_same_bytes() -> None:
    assert render(matrix_page(SUMMARY)) == render(matrix_page(SUMMARY))
