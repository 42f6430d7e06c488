"""Contests: problems with enough accepted solutions, balanced and paired, and no label made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.model import VerdictValue
from clonetruth.sources import import_dataset
from clonetruth.splits import SplitSpec, create_split
from clonetruth.store import Benchmark
from clonetruth.verdicts import judge_verdicts
from tests.build.contests import contest, solutions


def test_pairs_are_made_without_labels(tmp_path: Path) -> None:
    parent = contest(tmp_path / "c", {"a": solutions("a", 4), "b": solutions("b", 3), "c": solutions("c", 1)})
    report = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=3, ratio=10))
    made = Benchmark.open(tmp_path / "made")
    assert report.functionalities == ("Problem a", "Problem b")
    assert report.step("pairs").counts == {
        "within problems": 9,
        "possible within": 9,
        "across problems": 12,
        "possible across": 12,
    }
    counts = judge_verdicts(made, "members").counts
    assert counts == {VerdictValue.CLONE: 9, VerdictValue.NOT_CLONE: 12, VerdictValue.UNKNOWN: 0}
    # The source's own label of one pair goes along; no other pair has one.
    assert made.sql("SELECT count(*) AS n FROM judgements WHERE pair IS NOT NULL")["n"][0].as_py() == 1
    assert set(made.table("fragments")["project"].to_pylist()) == {f"author{number}" for number in range(4)}


def test_rejected_solutions_do_not_count(tmp_path: Path) -> None:
    parent = contest(tmp_path / "c", {"a": solutions("a", 3), "b": solutions("b", 3)}, rejected=("a/0",))
    report = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2))
    assert report.step("accepted").counts == {"solutions": 5, "problems": 2}
    assert "a/0" not in Benchmark.open(report.path).table("fragments")["id"].to_pylist()


@pytest.mark.parametrize(("wanted", "left"), [(True, 4), (False, 6)])
def test_a_text_in_two_problems_is_left_out(tmp_path: Path, wanted: bool, left: int) -> None:
    shared = "class S { int same; }"
    parent = contest(
        tmp_path / "c", {"a": [*solutions("a", 2), shared], "b": [*solutions("b", 2), shared.replace(" ", "\n")]}
    )
    options = ContestParameters(solutions=2, contradictory=wanted)
    report = derive_contest(parent, tmp_path / "made", options)
    assert report.counts["fragments"] == left
    assert report.step("same text in two problems").counts == {"dropped" if wanted else "found": 2}


def test_copies_and_the_cap_and_budgets(tmp_path: Path) -> None:
    parent = contest(tmp_path / "c", {"a": solutions("a", 5) * 2, "b": solutions("b", 6), "c": solutions("c", 9)})
    options = ContestParameters(solutions=2, cap=4, positives=10, ratio=0.5, seed=7)
    report = derive_contest(parent, tmp_path / "made", options)
    assert report.step("copies").counts == {"dropped": 5}
    assert [one.deviation for one in report.after] == [0.0, 0.0]
    assert report.counts["pairs"] == 15
    larger = derive_contest(parent, tmp_path / "larger", replace(options, positives=16, ratio=1.0))
    small, large = (set(Benchmark.open(one.path).table("pairs")["pair_key"].to_pylist()) for one in (report, larger))
    assert small < large, "a larger budget holds the smaller"


def test_warnings(tmp_path: Path) -> None:
    parent = contest(tmp_path / "c", {"a": solutions("a", 3)}, problems_disjoint=False)
    report = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2))
    assert any("Only one problem is left" in warning for warning in report.warnings)
    assert any("unknown, not non-clones" in warning for warning in report.warnings)


def test_bad_input_leaves_nothing(tmp_path: Path) -> None:
    parent = contest(tmp_path / "c", {"a": solutions("a", 3), "b": solutions("b", 2)})
    with pytest.raises(InputError, match=r"No problem has 500 accepted solutions.*The largest have 3, 2"):
        derive_contest(parent, tmp_path / "made")
    none = contest(tmp_path / "none", {"a": solutions("a", 2)}, rejected=("a/0", "a/1"))
    with pytest.raises(InputError, match="The benchmark has no accepted solutions"):
        derive_contest(none, tmp_path / "made")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "options",
    [{"solutions": 1}, {"cap": 1}, {"positives": 0}, {"ratio": -1.0}, {"overlapping_problems": "join"}],
)
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ContestParameters(**options)


LARGEST = "int f(int[] row) { int best = row[0]; for (int v : row) if (v > best) best = v; return best; }"
RENAMED = """int f(int[] a) { // the largest
    int m = a[0];
    for (int x : a) if (x > m) m = x;
    return m;
}"""


def functions(problem: str) -> list[str]:
    """Three programs that are not the same up to names of variables."""
    return [f"int {problem}{number}() {{ return {number}; }}" for number in range(3)]


def overlapping(folder: Path, **card: Any) -> Benchmark:
    """Problems a and d share a program, with other names of variables; b and c only have near misses of it."""
    problems = {
        "a": [*functions("a"), LARGEST],
        "b": [*functions("b"), LARGEST.replace("v > best", "v < best")],
        "c": [*functions("c"), LARGEST.replace("row[0]", "row[1]"), LARGEST.replace("f(", "g(")],
        "d": [*functions("d"), RENAMED],
    }
    return contest(folder, problems, pairs=(), **{"problems_disjoint": False, **card})


def test_problems_that_share_a_program_are_merged(tmp_path: Path) -> None:
    parent = overlapping(tmp_path / "c")
    options = ContestParameters(solutions=2, overlapping_problems="merge", ratio=100)
    report = derive_contest(parent, tmp_path / "made", options)
    step = report.step("overlapping problems")
    assert step.counts == {"problems": 2, "shared programs": 1}
    assert "a and d (1)" in str(step.note)
    made = Benchmark.open(report.path)
    assert made.recipe is not None
    assert made.recipe.parameters["overlapping_problems"] == "merge"
    assert made.card.problems_disjoint
    assert "is an assumption" in made.card.known_flaws[-1]
    assert made.table("functionalities")["id"].to_pylist() == ["a", "b", "c"]
    # Eight solutions of a and d, four of b, five of c.
    assert report.step("pairs").counts["possible within"] == 28 + 6 + 10
    counts = judge_verdicts(made, "members").counts
    assert counts == {VerdictValue.CLONE: 44, VerdictValue.NOT_CLONE: 8 * 9 + 4 * 5, VerdictValue.UNKNOWN: 0}
    assert not report.warnings


def test_problems_that_share_a_program_are_left_out(tmp_path: Path) -> None:
    parent = overlapping(tmp_path / "c")
    report = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2, overlapping_problems="leave-out"))
    assert report.functionalities == ("Problem b", "Problem c")
    assert Benchmark.open(report.path).card.problems_disjoint
    only = contest(tmp_path / "only", {"a": [LARGEST], "d": [RENAMED]}, pairs=())
    with pytest.raises(InputError, match="none is left"):
        derive_contest(only, tmp_path / "none", ContestParameters(solutions=2, overlapping_problems="leave-out"))


def test_kept_problems_are_not_called_disjoint(tmp_path: Path) -> None:
    report = derive_contest(overlapping(tmp_path / "c"), tmp_path / "made", ContestParameters(solutions=2))
    assert not Benchmark.open(report.path).card.problems_disjoint
    assert any("--overlapping-problems makes them disjoint" in warning for warning in report.warnings)


def test_a_benchmark_without_pairs_can_be_split_and_evaluated(tmp_path: Path) -> None:
    parent = overlapping(tmp_path / "c")
    options = ContestParameters(solutions=2, overlapping_problems="merge", pairs=False)
    report = derive_contest(parent, tmp_path / "made", options)
    assert report.counts["pairs"] == 0
    made = Benchmark.open(report.path)
    split = create_split(made, SplitSpec("random", ratio=(1, 0, 1), policy="members", near_duplicates=False))
    assert split.parts["train"].pairs
    result = evaluate_pairs(made, DETECTORS["tokens"], PairsOptions(policy="members"))
    assert result.policy.counted == 17 * 16 // 2


def test_google_code_jam(tmp_path: Path, shared_data: Path) -> None:
    import_dataset("gcj", [shared_data / "gcj" / "googlejam4_src.zip"], output=tmp_path / "gcj")
    options = ContestParameters(solutions=100, cap=200, positives=5000)
    report = derive_contest(Benchmark.open(tmp_path / "gcj"), tmp_path / "made", options)
    assert report.step("accepted").counts == {"solutions": 1444, "problems": 8}
    assert len(report.functionalities) == 4
    assert [round(one.effective or 0, 6) for one in report.after] == [4.0, 4.0]
    verdicts = judge_verdicts(Benchmark.open(report.path), "members").counts
    assert verdicts == {VerdictValue.CLONE: 5000, VerdictValue.NOT_CLONE: 5000, VerdictValue.UNKNOWN: 0}


@pytest.mark.slow
def test_poj104_has_texts_in_two_problems_and_problems_stored_twice(tmp_path: Path, shared_data: Path) -> None:
    import_dataset("codexglue-poj104", [shared_data / "poj104" / "poj104.jsonl.xz"], output=tmp_path / "poj")
    options = ContestParameters(solutions=400, positives=20_000)
    report = derive_contest(Benchmark.open(tmp_path / "poj"), tmp_path / "made", options)
    assert report.step("accepted").counts == {"solutions": 43_000, "problems": 84}
    assert report.step("same text in two problems").counts == {"dropped": 16}
    assert report.step("copies").counts == {"dropped": 1000}, "problems 65 and 81 are there twice"
    made = Benchmark.open(report.path)
    shared = made.sql(
        "SELECT count(*) AS n FROM (SELECT f.text FROM fragments f JOIN memberships m ON f.fragment = m.fragment "
        "GROUP BY f.text HAVING count(DISTINCT m.functionality) > 1) twice"
    )
    assert shared["n"][0].as_py() == 0


@pytest.mark.slow
def test_poj104_problems_that_share_programs_are_found(tmp_path: Path, shared_data: Path) -> None:
    import_dataset("codexglue-poj104", [shared_data / "poj104" / "poj104.jsonl.xz"], output=tmp_path / "poj")
    options = ContestParameters(solutions=2, overlapping_problems="merge", pairs=False)
    report = derive_contest(Benchmark.open(tmp_path / "poj"), tmp_path / "made", options)
    assert "26 and 62 (" in str(report.step("overlapping problems").note)
    assert report.step("same text in two problems").counts == {"dropped": 0}
    assert report.step("copies").counts["dropped"] >= 1000, "problems 65 and 81 are there twice"
    assert "62" not in Benchmark.open(report.path).table("functionalities")["id"].to_pylist()
