"""The study of what a tool reports: drawn in strata, with texts, and the precision that comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import InputError
from clonetruth.evaluate.locations.study import ReportedStudyOptions, study_of_reported, study_precision
from clonetruth.formats.reports.report import REPORTED
from clonetruth.model import Card, Dataset, Fragment, Pair
from clonetruth.stats.sample_size import sample_size
from clonetruth.store import Benchmark, DuckDBEngine

CARD = Card("files", "1", "Functions in files.", "MIT", "Nobody", "textual", ("java",))
WITH_PAIR = REPORTED.append(pa.field("pair", pa.int64()))


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    fragments = [
        Fragment(
            f"f{number}", "java", f"void f{number}() {{}}", path="selected/a.java", first_line=number, last_line=number
        )
        for number in range(1, 101)
    ]
    dataset = Dataset(CARD, fragments, pairs=[Pair("f1", f"f{number}") for number in range(2, 50)])
    return Benchmark.create(tmp_path_factory.mktemp("study") / "b", dataset, engine=DuckDBEngine())


def reported(count: int, *, score: bool = True, known: bool = True, length: int = 1) -> pa.Table:
    """Pairs of line 1 with other lines; the first 48 are in the benchmark."""
    rows = [
        {
            "left_path": "selected/a.java",
            "left_first_line": 1,
            "left_last_line": length,
            "right_path": "selected/a.java",
            "right_first_line": 2 + number,
            "right_last_line": 1 + number + length,
            "score": (number % 100) / 100 if score else None,
            "pair": number if known and number < 48 else None,
        }
        for number in range(count)
    ]
    return pa.Table.from_pylist(rows, schema=WITH_PAIR)


def test_the_sample_is_stratified_and_has_texts(benchmark: Benchmark, tmp_path: Path) -> None:
    study = study_of_reported(benchmark, reported(400), tmp_path / "study")
    assert study.plan.population_size == 400
    assert sum(one.drawn - one.extra for one in study.plan.strata) == sample_size(400) == 197
    names = {one.name for one in study.plan.strata}
    assert {"in the benchmark, score decile 01", "not in the benchmark, score decile 10"} <= names
    rows = study.subjects.to_pylist()
    assert sum(row["weight"] for row in rows) == pytest.approx(400)
    # What a tool reports is not a label of the dataset.
    assert {row["label"] for row in rows} == {None}
    assert study.plan.benchmark is not None
    assert study.plan.benchmark.content_hash == benchmark.content_hash
    for row in rows:
        assert row["left_text"] == "void f1() {}"
        # Lines from 101 on are none of the benchmark's fragments.
        line = row["right_first_line"]
        assert (row["right_id"], row["right_text"]) == (
            (f"f{line}", f"void f{line}() {{}}") if line <= 100 else (None, None)
        )
        assert (row["pair"] is not None) == row["stratum"].startswith("in the benchmark")
    # The order of judging does not reveal the strata.
    strata = [row["stratum"] for row in rows]
    assert strata != sorted(strata)


@pytest.mark.parametrize(
    ("length", "name"),
    [(1, "below 10 lines"), (10, "10 to 29 lines"), (30, "30 lines or more"), (-5, "below 10 lines")],
)
def test_without_scores_the_size_makes_the_strata(benchmark: Benchmark, tmp_path: Path, length: int, name: str) -> None:
    table = reported(20, score=False, length=length)
    study = study_of_reported(benchmark, table.drop_columns(["score", "pair"]), tmp_path / "study")
    assert [one.name for one in study.plan.strata] == [f"not in the benchmark, {name}"]


def test_the_same_seed_gives_the_same_study_from_file_or_table(benchmark: Benchmark, tmp_path: Path) -> None:
    options = ReportedStudyOptions(size=30, seed=5)
    table = reported(300)
    pq.write_table(table, tmp_path / "reported.parquet")
    one = study_of_reported(benchmark, table, tmp_path / "one", options)
    two = study_of_reported(benchmark, tmp_path / "reported.parquet", tmp_path / "two", options)
    other = study_of_reported(benchmark, table, tmp_path / "other", ReportedStudyOptions(size=30, seed=6))
    assert one.subjects.equals(two.subjects)
    assert one.plan.manifest.inputs == two.plan.manifest.inputs
    assert one.plan.margin is None
    assert not one.subjects.equals(other.subjects)


def test_a_pair_that_is_reported_twice_can_be_drawn_twice(benchmark: Benchmark, tmp_path: Path) -> None:
    table = reported(5, score=False)
    study = study_of_reported(benchmark, pa.concat_tables([table, table]), tmp_path / "study")
    assert (study.plan.population_size, study.subjects.num_rows) == (10, 10)


def test_the_precision_of_a_judged_study(benchmark: Benchmark, tmp_path: Path) -> None:
    """Judged whole, it is counting; a part is weighted within its stratum."""
    study = study_of_reported(benchmark, reported(100, score=False), tmp_path / "all", ReportedStudyOptions(size=100))
    answers = {row["subject"]: row["pair"] is not None for row in study.subjects.to_pylist()}
    found = study_precision(study, answers)
    assert (found.value, found.low, found.high) == pytest.approx((0.48, 0.48, 0.48))
    half = {subject: clone for subject, clone in answers.items() if clone or subject % 2}
    weighted = study_precision(study, half)
    assert weighted.value == pytest.approx(0.48)
    assert weighted.n == len(half) < 100
    known = {subject: clone for subject, clone in answers.items() if clone}
    partial = study_precision(study, known)
    assert partial.note == "Does not cover 52 pairs in strata that nobody has judged."
    assert study_precision(study, {}).value is None
    with pytest.raises(InputError, match="no subject 100"):
        study_precision(study, {100: True})


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (reported(0), {}, "Nothing is reported"),
        (reported(5).drop_columns(["left_path"]), {}, "no column 'left_path'"),
        (reported(5), {"size": 6}, "cannot be drawn"),
        (reported(5), {"margin": 5.0}, "margin is 5"),
        (reported(5), {"criterion": "beauty"}, "no criterion 'beauty'"),
        (reported(5), {"criterion": "implements-functionality"}, "not a criterion for pairs"),
    ],
    ids=["empty", "column", "size", "margin", "criterion", "fragments"],
)
def test_a_refused_study_leaves_nothing_behind(
    benchmark: Benchmark, tmp_path: Path, table: pa.Table, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        study_of_reported(benchmark, table, tmp_path / "study", ReportedStudyOptions(**options))
    assert not list(tmp_path.iterdir())
