"""Recall by locations: BigCloneEval's golden results, and what its definitions imply."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.locations.evaluation import LocationOptions, evaluate_locations
from clonetruth.evaluate.locations.matchers import parse_matcher
from clonetruth.evaluate.locations.recall_sql import _region
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.locations.selection import Behaviour, Selection, SimilarityType
from clonetruth.formats.reports.bigcloneeval import FORMAT
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.store.results import Result, read_result, write_result

SIMILARITIES = {"TOKEN": "token", "LINE": "line", "AVG": "average", "BOTH": "both"}
FILTERS = {
    "--mil": "min_lines",
    "--mal": "max_lines",
    "--mip": "min_pretty_lines",
    "--map": "max_pretty_lines",
    "--mit": "min_tokens",
    "--mat": "max_tokens",
    "-j": "min_judges",
    "--mic": "min_confidence",
    "-s": "min_similarity",
}


def options(arguments: list[str], behaviour: str) -> LocationOptions:
    """The options that the arguments of a recorded run stand for."""
    matcher = "coverage:0.7"
    chosen: dict[str, Any] = {}
    for name, value in zip(arguments[::2], arguments[1::2], strict=True):
        if name == "-m":
            matcher = value
        elif name == "--st":
            chosen["similarity"] = SimilarityType(SIMILARITIES[value])
        else:
            chosen[FILTERS[name]] = int(value)
    return LocationOptions(Selection(**chosen), parse_matcher(matcher), Behaviour(behaviour.replace("_", "-")))


@pytest.fixture(scope="module", params=["set1", "set2"])
def golden(
    request: pytest.FixtureRequest, shared_bigcloneeval: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Benchmark]:
    folder = shared_bigcloneeval / "golden" / request.param
    imported = import_dataset("auto", [folder], output=tmp_path_factory.mktemp("golden") / "benchmark")
    return folder, Benchmark.open(imported.path, engine=DuckDBEngine(threads=1))


@pytest.mark.slow
def test_all_recorded_runs_agree_in_every_cell(golden: tuple[Path, Benchmark]) -> None:
    folder, benchmark = golden
    runs = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["runs"]
    assert len(runs) == 59
    for run in runs:
        chosen = options(run["arguments"], run["behaviour"])
        report = ReportFiles([folder / run["report"]], FORMAT)
        result = evaluate_locations(benchmark, report, "golden", chosen)
        ours = json.loads(json.dumps(result.recall[chosen.behaviour]))
        assert ours == run["result"], (run["report"], run["setting"], run["behaviour"])


FUNCTIONS = [
    # id, folder, file, first, last, project
    (1, "selected", "1.java", 1, 10, "p"),
    (2, "selected", "2.java", 11, 20, "q"),
    (3, "default", "1.java", 1, 10, "p"),
    (4, "default", "4.java", 5, 5, ""),
]


def make_benchmark(folder: Path, clones: list[dict[str, Any]]) -> Benchmark:
    """A benchmark of four functions, made from tables as BigCloneBench's database gives them."""
    export = folder / "export"
    export.mkdir(parents=True)
    (export / "functionalities.csv").write_text("id,name,description,search_heuristic\n7,Seven,Does seven,none\n")
    lines = ["id,type,name,startline,endline,project,normalized_size,tokens,internal"]
    lines += [f"{one},{kind},{file},{a},{z},{project},9,50,false" for one, kind, file, a, z, project in FUNCTIONS]
    (export / "functions.csv").write_text("\n".join(lines) + "\n")
    columns = {
        "function_id_one": 1,
        "function_id_two": 2,
        "functionality_id": 7,
        "type": "tagged",
        "syntactic_type": 3,
        "similarity_line": 0.8,
        "similarity_token": 0.9,
        "min_size": 10,
        "max_size": 10,
        "min_pretty_size": 9,
        "max_pretty_size": 9,
        "min_judges": 1,
        "min_confidence": 1,
        "min_tokens": 50,
        "max_tokens": 60,
        "internal": "false",
    }
    rows = [",".join(columns)]
    rows += [",".join(str({**columns, **clone}[name]) for name in columns) for clone in clones]
    (export / "clones.csv").write_text("\n".join(rows) + "\n")
    imported = import_dataset("auto", [export], output=folder / "benchmark")
    return Benchmark.open(imported.path, engine=DuckDBEngine(threads=1))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return make_benchmark(tmp_path_factory.mktemp("small"), [{}])


def run(benchmark: Benchmark, folder: Path, report: str, *, strict: bool = False, **chosen: Any) -> Result:
    path = folder / "tool.csv"
    path.write_text(report, encoding="utf-8")
    return evaluate_locations(
        benchmark, ReportFiles([path], FORMAT, strict=strict), "tool", LocationOptions(**chosen) if chosen else None
    )


def detected(result: Result, behaviour: str = "repaired", name: str = "ST3") -> int:
    count: int = result.recall[behaviour]["overall"]["types"]["all"][name][0]
    return count


@pytest.mark.parametrize(
    ("report", "repaired", "shipped"),
    [
        ("selected,1.java,1,10,selected,2.java,11,20\n", 1, 1),
        ("selected,2.java,11,20,selected,1.java,1,10\n", 1, 1),
        ("selected,1.java,1,7,selected,2.java,11,17\n", 1, 0),
        ("selected,1.java,1,6,selected,2.java,11,20\n", 0, 0),
        ("selected,1.java,1,10,selected,1.java,1,10\n", 0, 0),
        ("default,1.java,1,10,selected,2.java,11,20\n", 0, 0),
        ("Selected,1.java,1,10,selected,2.java,11,20\n", 0, 0),
        ("selected,1.java,10,1,selected,2.java,20,11\n", 0, 0),
        ("selected,1.java,-2147483648,2147483647,selected,2.java,-2147483648,2147483647\n", 1, 1),
        ("selected,1.java,1,10,selected,9.java,1,2\nselected,9.java,1,2,selected,2.java,11,20\n", 0, 0),
    ],
)
def test_one_reported_pair_must_stand_for_both_functions(
    small: Benchmark, tmp_path: Path, report: str, repaired: int, shipped: int
) -> None:
    result = run(small, tmp_path, report)
    assert detected(result) == repaired
    assert detected(result, "as-shipped") == shipped


@pytest.mark.parametrize("matcher", ["coverage:0.7,ratio=0.5", "coverage:0.0,ratio=0.0"])
def test_a_reported_fragment_without_lines_does_not_divide_by_zero(
    small: Benchmark, tmp_path: Path, matcher: str
) -> None:
    result = run(small, tmp_path, "selected,1.java,5,4,selected,2.java,15,14\n", matcher=parse_matcher(matcher))
    assert detected(result) == 0
    assert "as-shipped" not in result.recall
    assert any("D2" in note for note in result.notes)


def test_options_on_which_the_published_program_aborts_are_refused(small: Benchmark, tmp_path: Path) -> None:
    for chosen, defect in (
        ({"matcher": parse_matcher("coverage:0.7,line=2")}, "D2"),
        ({"selection": Selection(min_confidence=1)}, "D3"),
        ({"matcher": parse_matcher("near:2")}, "D4"),
        ({"matcher": parse_matcher("ExactMatcher")}, "D6"),
    ):
        with pytest.raises(InputError, match=defect):
            run(small, tmp_path, "", behaviour=Behaviour.AS_SHIPPED, **chosen)


def test_bad_rows_duplicates_and_unknown_files_are_reported(small: Benchmark, tmp_path: Path) -> None:
    good = "selected,1.java,1,10,selected,2.java,11,20\n"
    result = run(small, tmp_path, good * 3 + "rubbish\nselected,8.java,1,2,selected,1.java,1,10\n")
    assert result.recall["repaired"]["imported_pairs"] == 4
    warnings = " ".join(result.warnings)
    assert "1 bad rows" in warnings
    assert "tool.csv, line 4" in warnings
    assert "1 of 4 reported pairs have a fragment in a file" in warnings
    assert "2 reported pairs repeat another one" in warnings
    with pytest.raises(InputError, match="A row of the report is invalid"):
        run(small, tmp_path, good + "rubbish\n", strict=True, behaviour=Behaviour.REPAIRED)


def test_an_empty_report_detects_nothing_and_says_so(small: Benchmark, tmp_path: Path) -> None:
    result = run(small, tmp_path, "")
    assert result.measurement("recall").value == 0  # type: ignore[union-attr]
    assert result.measurement("precision-lower-bound").value is None  # type: ignore[union-attr]
    assert "The report is empty." in result.warnings


def test_precision_is_only_bounded(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path, [{}])
    report = (
        "selected,1.java,1,10,selected,2.java,11,20\n"  # known as a clone
        "selected,1.java,1,10,default,1.java,1,10\n"  # not in the benchmark
        "selected,9.java,1,10,selected,2.java,11,20\n"
        "default,1.java,1,9,selected,1.java,1,10\n"
    )
    result = run(benchmark, tmp_path, report)
    low, high = (result.measurement(f"precision-{end}-bound") for end in ("lower", "upper"))
    assert low is not None
    assert (low.successes, low.n, low.value) == (1, 4, 0.25)
    assert high is not None
    assert high.value == 1
    assert result.measurement("precision") is None


def test_a_result_survives_its_file(small: Benchmark, tmp_path: Path) -> None:
    result = run(small, tmp_path, "selected,1.java,1,10,selected,2.java,11,20\n")
    assert read_result(write_result(result, tmp_path / "result.json")) == json_equal(result)


def json_equal(result: Result) -> Result:
    """The result with the lists that JSON makes of tuples in free mappings."""
    return dataclasses.replace(result, recall=json.loads(json.dumps(result.recall)))


def test_pairs_that_the_original_drops_are_dropped(tmp_path: Path) -> None:
    clones: list[dict[str, Any]] = [
        {},
        {"function_id_two": 4},  # no project
        {"function_id_two": 3, "internal": "true"},
        {"function_id_two": 3, "similarity_line": 1.0, "similarity_token": 1.0},
        {"function_id_two": 3, "similarity_line": 1.0, "similarity_token": 0.3},
        {"function_id_two": 3, "similarity_line": ""},
    ]
    cells = run(make_benchmark(tmp_path, clones), tmp_path, "").recall["repaired"]["overall"]["types"]["all"]
    totals = {name: cell[1] for name, cell in cells.items()}
    assert totals == {
        "T1": 0, "T2": 1, "T2_blind": 1, "T2_consistent": 0, "VST3": 0, "ST3": 1, "MT3": 0, "WT3_T4": 1
    }  # fmt: skip


def test_regions_hold_at_every_bound_in_double_precision() -> None:
    engine = DuckDBEngine(threads=1)
    for k in range(21):
        bound = 5 * k / 100
        for value, region in ((bound, k), (math.nextafter(bound, 0), k - 1), (math.nextafter(bound, 2), k)):
            if value >= 0 and region >= 0:
                sql = f"SELECT {_region('s')} AS k FROM (SELECT CAST('{value!r}' AS DOUBLE) AS s) t"
                assert engine.sql(sql, {})["k"][0].as_py() == region, value


spans = st.tuples(st.integers(-3, 30), st.integers(-3, 30))


@given(reference=st.tuples(st.integers(1, 20), st.integers(0, 15)), reported=spans, share=st.floats(0, 1.5))
def test_coverage_is_its_formula(reference: tuple[int, int], reported: tuple[int, int], share: float) -> None:
    first, last = reference[0], reference[0] + reference[1]
    overlap = min(last, reported[1]) - max(first, reported[0]) + 1
    length = last - first + 1
    assert holds(f"coverage:{share!r}", (first, last), reported, Behaviour.REPAIRED) is (overlap / length >= share)
    truncated = math.trunc(overlap / length)
    assert holds(f"coverage:{share!r}", (first, last), reported, Behaviour.AS_SHIPPED) is (truncated >= share)


@given(reference=st.tuples(st.integers(1, 20), st.integers(0, 15)), reported=spans, slack=st.integers(0, 5))
def test_matchers_contain_each_other(reference: tuple[int, int], reported: tuple[int, int], slack: int) -> None:
    span = (reference[0], reference[0] + reference[1])

    def matches(matcher: str) -> bool:
        return holds(matcher, span, reported, Behaviour.REPAIRED)

    assert matches("exact") is (reported == span)
    assert matches("near:0") is matches("exact")
    assert matches("near:0") <= matches(f"near:{slack}")
    assert matches("exact") <= matches("subsume:line=0") <= matches(f"subsume:line={slack}")
    assert matches("subsume:line=0") <= matches("coverage:1.0")


ENGINE = DuckDBEngine(threads=1)


def holds(matcher: str, reference: tuple[int, int], reported: tuple[int, int], behaviour: Behaviour) -> bool:
    condition = parse_matcher(matcher).condition(behaviour)
    values = zip(("f_first", "f_last", "r_first", "r_last"), (*reference, *reported), strict=True)
    row = ", ".join(f"CAST({value} AS BIGINT) AS {name}" for name, value in values)
    return bool(ENGINE.sql(f"SELECT {condition} AS held FROM (SELECT {row}) t", {})["held"][0].as_py())


@pytest.mark.parametrize(
    ("old", "ours"),
    [
        ("CoverageMatcher 0.5", "coverage:0.5"),
        ("CoverageMatcher", "coverage:0.7"),
        ("CoverageMatcher 0.7 line 2", "coverage:0.7,line=2"),
        ("cloneevaluator.matchers.CoverageMatcher 0.7 ratio 0.8", "coverage:0.7,ratio=0.8"),
        ("ExactMatcher ", "exact"),
        ("NearMatcher 2", "near:2"),
        ("SubsumeMatcher 0 line 3", "subsume:line=3"),
        ("SubsumeMatcher x ratio 0.2", "subsume:ratio=0.2"),
        ("0.6", "coverage:0.6"),
    ],
)
def test_old_names_mean_the_same(old: str, ours: str) -> None:
    assert parse_matcher(old) == parse_matcher(ours)
    assert str(parse_matcher(old)) == ours
    assert parse_matcher(ours) == parse_matcher(str(parse_matcher(ours)))


@pytest.mark.parametrize(
    "bad", ["coverage:x", "coverage:-1", "coverage:nan", "near", "near:1.5", "SubsumeMatcher x", "exactly", "", "x:1"]
)
def test_matchers_without_sense_are_refused(bad: str) -> None:
    with pytest.raises(CloneTruthError):
        parse_matcher(bad)


@pytest.mark.parametrize(
    "bad", [{"min_lines": -1}, {"min_tokens": 9, "max_tokens": 8}, {"min_similarity": 7}, {"min_similarity": 105}]
)
def test_selections_without_sense_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Selection(**bad)  # type: ignore[arg-type]
