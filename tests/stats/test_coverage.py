"""Every interval contains the true value as often as it promises, and no interval is computed that is not tested here.

The cases are in `coverage.py`. The inventory is read from the source: a function that uses a quantile, makes an
`Interval`, or computes an end that it stores, computes an interval. Each must be reached by a case.
"""

from __future__ import annotations

import ast
import math
import sys
from functools import cache
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import clonetruth
from clonetruth.stats.intervals import wilson
from tests.stats.coverage import Case, cases, simulate

PACKAGE = Path(clonetruth.__file__).parent
CASES = list(cases())
QUICK = [case for case in CASES if not case.slow]

ATTAINED = 0.93
"""At least this share of 95 % intervals must contain the true value, apart from the error of the simulation."""


def check(case: Case, runs: int) -> None:
    for name, found in simulate(case, runs).items():
        error = math.sqrt(0.95 * 0.05 / max(found.runs, 1))
        assert found.given >= case.given or name == "precision", f"{name}: only {found.given:.0%} have an interval"
        assert found.covered >= ATTAINED - 2 * error, f"{name}: {found.covered:.1%} of {found.runs} contain the truth"
        scale = 2 if name == "mcc" else 1
        assert found.width / scale <= case.widest, f"{name}: a mean width of {found.width:.2f}"


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_intervals_contain_the_true_value(case: Case) -> None:
    check(case, 100)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_intervals_contain_the_true_value_over_a_grid_of_designs(case: Case) -> None:
    check(case, 500)


def test_wilsons_interval_covers_exactly() -> None:
    """The coverage oscillates with the share; averaged over shares it is the promised one, and never far below."""
    for n in (5, 10, 30, 100):
        ends = [wilson(hits, n) for hits in range(n + 1)]
        share = np.linspace(0.0005, 0.9995, 4001)
        covered = np.zeros_like(share)
        for hits, end in enumerate(ends):
            assert end is not None
            chance = math.comb(n, hits) * share**hits * (1 - share) ** (n - hits)
            covered += np.where((end.low <= share) & (share <= end.high), chance, 0)
        assert covered.mean() >= 0.95
        assert covered.min() > 0.83


# The inventory.

QUANTILES = frozenset({"student_quantile", "inv_cdf", "quantile", "nanquantile", "percentile", "nanpercentile", "ppf"})
INTERVALS = frozenset({"Interval", "AgreementInterval"})

NOT_INTERVALS = {
    "audit/representativeness.py:_reference": "describes a distribution",
    "audit/representativeness.py:unlike_real_code": "describes a distribution",
    "stats/sample_size.py:sample_size": "plans a study; the interval comes later",
    "stats/survey.py:_shrinkage": "a factor, cached; its caller is in the inventory",
    "evaluate/labels/correction.py:_basis": "half a width, for a factor",
    "evaluate/labels/correction.py:symmetric": "half a width, for a factor",
    "evaluate/labels/correction.py:_design_effect": "a factor",
    "evaluate/labels/correction.py:_implied_effect": "a factor",
    "stats/intervals.py:student_quantile": "a quantile",
    "detectors/sealed.py:_differing": "a tolerance for rounding",
}
"""Functions with a quantile that give no interval, and why."""


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@cache
def records() -> frozenset[str]:
    """The dataclasses with both ends of an interval."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if "html" in path.relative_to(PACKAGE).parts:  # plots show ends, and compute only where to draw them
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                fields = {
                    one.target.id
                    for one in node.body
                    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                }
                if {"low", "high"} <= fields:
                    found.add(node.name)
    return frozenset(found)


def computes_an_interval(node: ast.Call) -> bool:
    """Whether a call makes an interval, or fills a record or Wilson's formula with a number computed on the spot."""
    name = called(node)
    if name in QUANTILES | INTERVALS:
        return True
    ends = [*node.args[2:4], *(one.value for one in node.keywords if one.arg in {"low", "high"})]
    given = node.args[:2] if name == "wilson" else ends if name in records() else []
    return any(
        isinstance(one, ast.BinOp) or (isinstance(one, ast.Call) and called(one) in {"min", "max"}) for one in given
    )


@cache
def inventory() -> frozenset[str]:
    """All functions that compute an interval, as `file:function`."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        where = path.relative_to(PACKAGE).as_posix()
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
                if any(computes_an_interval(node) for node in calls):
                    found.add(f"{where}:{function.name}")
    return frozenset(found)


def test_no_interval_is_computed_without_a_coverage_case() -> None:
    reached: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            where = Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()
            reached.add(f"{where}:{frame.f_code.co_name}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for case in QUICK:
            simulate(case, 2)
    finally:
        sys.setprofile(before)
    untested = inventory() - reached - NOT_INTERVALS.keys()
    assert not untested, f"intervals without a case in tests/stats/coverage.py: {sorted(untested)}"


def test_the_inventory_finds_what_it_is_meant_to_find() -> None:
    assert {"stats/intervals.py:wilson", "stats/clusters.py:interval", "stats/survey.py:interval"} <= inventory()
    assert {"Measurement", "Interval", "MetricDifference"} <= records()
    stale = NOT_INTERVALS.keys() - inventory()
    assert not stale, f"no longer in the source: {sorted(stale)}"
