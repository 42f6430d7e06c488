"""Unit recall and unit precision of reports on injected fragments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clonetruth.build.inject import InjectionParameters, derive_injection
from clonetruth.build.mutants import NEAR_MISS, MutantParameters, derive_mutants
from clonetruth.evaluate.locations.evaluation import evaluate_locations
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.formats.reports.bigcloneeval import FORMAT
from clonetruth.store import Benchmark
from clonetruth.store.results import MeasurementGroup, Result
from tests.build.test_mutants import UNLIKE
from tests.build.trees import imported, tree

Place = tuple[str, int, int]


@pytest.fixture(scope="module")
def injected(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Mutants and near misses of a small tree, in the files of another."""
    folder = tmp_path_factory.mktemp("injected")
    source = tree(folder / "source")
    (source / "Other.java").write_text(UNLIKE, encoding="utf-8")
    options = MutantParameters(operators=("mCC_EOL", "mSRI", "mDL"), min_tokens=20, min_lines=3)
    mutants = derive_mutants(imported(folder / "parent", source), folder / "mutants", options)
    system = tree(folder / "system" / "src", files=6, first=100).parent
    return Benchmark.open(
        derive_injection(Benchmark.open(mutants.path), folder / "made", InjectionParameters(system)).path
    )


def pairs(benchmark: Benchmark) -> list[dict[str, Any]]:
    """The pairs with their operators and places."""
    found: list[dict[str, Any]] = benchmark.sql(
        "SELECT substring(g.judge, 10) AS operator, l.path AS left_path, l.first_line AS left_first,"
        " l.last_line AS left_last, r.path AS right_path, r.first_line AS right_first, r.last_line AS right_last"
        " FROM pairs p JOIN judgements g ON p.pair = g.pair"
        " JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment ORDER BY p.pair"
    ).to_pylist()
    return found


def places(row: dict[str, Any]) -> tuple[Place, Place]:
    """The two places of a pair."""
    left, right = ((row[f"{side}_path"], row[f"{side}_first"], row[f"{side}_last"]) for side in ("left", "right"))
    return left, right


def evaluated(benchmark: Benchmark, folder: Path, reported: Sequence[tuple[Place, Place]]) -> Result:
    """A report of places, measured."""
    report = folder / "tool.csv"
    fields = [[part for path, *lines in both for part in (*path.split("/"), *lines)] for both in reported]
    report.write_text("".join(",".join(map(str, row)) + "\n" for row in fields))
    return evaluate_locations(benchmark, ReportFiles([report], FORMAT), "tool")


def groups(result: Result) -> dict[str, MeasurementGroup]:
    """The groups of the stratum by operator."""
    (stratum,) = [one for one in result.strata if one.by == "operator"]
    return {group.name: group for group in stratum.groups}


def values(result: Result, name: str) -> dict[str, float | None]:
    """A metric by operator."""
    return {
        group.name: one.value for group in groups(result).values() for one in group.measurements if one.name == name
    }


def test_a_report_of_all_constructed_clones_is_perfect(injected: Benchmark, tmp_path: Path) -> None:
    there = [row for row in pairs(injected) if row["operator"] != NEAR_MISS]
    result = evaluated(injected, tmp_path, [places(row) for row in there])
    assert result.policy.name == "default"
    assert result.policy.assumptions == (), "no label is believed without evidence"
    assert values(result, "recall") == {"mCC_EOL": 1, "mSRI": 1, "mDL": 1}
    assert values(result, "unit-precision") == {"mCC_EOL": 1, "mSRI": 1, "mDL": 1}
    assert values(result, "specificity") == {NEAR_MISS: 1}
    unit = result.measurement("unit-precision")
    assert unit is not None
    assert (unit.value, unit.n) == (1, len(there))


def test_recall_is_by_operator_and_type(injected: Benchmark, tmp_path: Path) -> None:
    found = [places(row) for row in pairs(injected) if row["operator"] == "mSRI"]
    result = evaluated(injected, tmp_path, found[1:])
    shares = {name: group.measurements[0] for name, group in groups(result).items()}
    assert (shares["mSRI"].successes, shares["mSRI"].n) == (len(found) - 1, len(found))
    assert [shares[name].value for name in ("mCC_EOL", "mDL")] == [0, 0]
    headline = {one.name: one.value for one in result.headline}
    assert headline["recall-T1"] == 0
    assert headline["recall-T2"] == (len(found) - 1) / len(found)


def test_an_operator_that_a_tool_did_not_touch_has_no_precision(injected: Benchmark, tmp_path: Path) -> None:
    found = [places(row) for row in pairs(injected) if row["operator"] == "mSRI"]
    assert values(evaluated(injected, tmp_path, found), "unit-precision") == {"mSRI": 1, "mCC_EOL": None, "mDL": None}


def test_near_misses_that_are_reported_are_wrong(injected: Benchmark, tmp_path: Path) -> None:
    there = pairs(injected)
    missed = [row for row in there if row["operator"] == NEAR_MISS]
    assert missed
    result = evaluated(injected, tmp_path, [places(row) for row in there])
    assert values(result, "specificity") == {NEAR_MISS: 0}
    unit = result.measurement("unit-precision")
    assert unit is not None
    assert unit.successes == len(there) - len(missed)


def test_other_pairs_are_precise_where_their_texts_are_alike(injected: Benchmark, tmp_path: Path) -> None:
    place, _ = places(next(row for row in pairs(injected) if row["operator"] == "mSRI"))
    alike = evaluated(injected, tmp_path, [(place, place)]).measurement("unit-precision")
    unlike = evaluated(injected, tmp_path, [(place, (place[0], 1, 2))]).measurement("unit-precision")
    outside = evaluated(injected, tmp_path, [(place, ("x/elsewhere.java", 1, 9))]).measurement("unit-precision")
    assert alike is not None
    assert unlike is not None
    assert outside is not None
    assert (alike.value, unlike.value) == (1, 0)
    assert (outside.value, outside.n) == (None, 0)
    assert outside.note is not None
    assert "1 could not be checked" in outside.note


def test_pairs_that_do_not_touch_a_fragment_are_not_counted(injected: Benchmark, tmp_path: Path) -> None:
    result = evaluated(injected, tmp_path, [(("src/part0.java", 1, 1), ("src/part1.java", 1, 1))])
    unit = result.measurement("unit-precision")
    assert unit is not None
    assert (unit.value, unit.n) == (None, 0)


def test_a_tool_may_have_seen_the_files_anywhere(injected: Benchmark, tmp_path: Path) -> None:
    row = next(row for row in pairs(injected) if row["operator"] == "mSRI")
    (left, *first), (right, *second) = places(row)
    report = tmp_path / "tool.csv"
    fields = [
        str(injected.path / "system" / "src"),
        Path(left).name,
        *first,
        "elsewhere/system/src",
        Path(right).name,
        *second,
    ]
    report.write_text(",".join(map(str, fields)) + "\n")
    result = evaluate_locations(injected, ReportFiles([report], FORMAT), "tool")
    assert groups(result)["mSRI"].measurements[0].successes == 1
