"""Studies drawn from a benchmark: which pairs, how many, and what judges get to see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.model import Fragment, Judge, JudgeKind, Judgement, Membership, Role
from clonetruth.stats.sample_size import Allocation
from clonetruth.store import Benchmark
from clonetruth.store.study import read_study
from clonetruth.studies import PopulationDesign
from clonetruth.studies.population import COLUMNS, write_population
from tests.conftest import ROOT
from tests.studies.example_studies import SIZES, labelled_benchmark, sample_study


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return labelled_benchmark(tmp_path_factory.mktemp("labelled") / "benchmark")


def test_the_size_follows_from_confidence_and_margin(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(
        benchmark, tmp_path / "study", where="verdict = 'clone'", stratify=("functionality",), margin=0.2
    )
    plan = study.plan
    assert (plan.population_size, study.subjects.num_rows, plan.margin) == (56, 18, 0.2)
    assert {one.name: (one.population, one.drawn) for one in plan.strata} == {
        "copy": (45, 15),
        "hash": (10, 3),
        "sort": (1, 0),
    }
    assert set(study.subjects["label"].to_pylist()) == {"clone"}
    assert plan.criterion == "same-main-purpose"
    assert plan.benchmark is not None
    assert plan.benchmark.content_hash == benchmark.content_hash
    assert "policy origin" in plan.population


def test_every_stratum_is_covered_and_the_extra_ones_are_marked(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", stratify=("functionality",), size=8, cover=True)
    rows = study.subjects.select(["stratum", "extra", "weight"]).to_pylist()
    assert Counter(row["stratum"] for row in rows) == {"copy": 6, "hash": 1, "none": 1, "sort": 1}
    assert [row["stratum"] for row in rows if row["extra"]] == ["sort"]
    assert sum(row["weight"] for row in rows) == pytest.approx(60)
    assert study.plan.margin is None


def test_rounding_each_stratum_gives_another_number(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(
        benchmark, tmp_path / "study", stratify=("functionality",), size=8, allocation=Allocation.ROUND
    )
    # 6, 1.33, 0.13 and 0.53 of 8: rounded separately they give 6, 1, 0 and 1; 10 of 60 would be one in six.
    assert {one.name: one.drawn for one in study.plan.strata} == {"copy": 6, "hash": 1, "none": 1, "sort": 0}
    other = sample_study(
        benchmark, tmp_path / "other", stratify=("functionality",), size=10, allocation=Allocation.ROUND
    )
    assert other.subjects.num_rows == 11


def test_neyman_draws_where_earlier_judgements_differ(benchmark: Benchmark, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "where": "functionality IS NOT NULL",
        "stratify": ("functionality",),
        "size": 12,
        "allocation": Allocation.NEYMAN,
    }
    with pytest.raises(InputError, match="needs earlier judgements"):
        sample_study(benchmark, tmp_path / "nothing", **options)
    judged = labelled_benchmark(tmp_path / "judged")
    ann = Judge("ann", JudgeKind.PERSON, "Ann")
    # The first 40 (copy) are all clones; half of the next 10 (hash) are not.
    judgements = [
        Judgement("ann", "same-main-purpose", "clone" if pair < 40 or pair % 2 else "not-clone", pair=pair)
        for pair in (*range(40), *range(45, 55))
    ]
    judged.append_judgements([ann], judgements)
    drawn, even = (
        {
            one.name: one.drawn
            for one in sample_study(
                judged, tmp_path / str(allocation), **{**options, "allocation": allocation}
            ).plan.strata
        }
        for allocation in (Allocation.NEYMAN, Allocation.LARGEST_REMAINDER)
    )
    assert drawn["hash"] > even["hash"]
    assert sum(drawn.values()) == sum(even.values()) == 12


def test_the_sample_depends_on_the_seed_alone(benchmark: Benchmark, tmp_path: Path) -> None:
    one, two, other = (
        sample_study(benchmark, tmp_path / name, size=10, seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one.subjects.equals(two.subjects)
    assert one.subjects["pair"].to_pylist() != other.subjects["pair"].to_pylist()


def test_methods_come_once_per_functionality(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=60, methods=True)
    methods = study.methods.to_pylist()
    assert len(methods) == 17
    assert len({(row["fragment_id"], row["functionality"]) for row in methods}) == 17
    # Each of ten copies is a side of nine of 45 pairs.
    assert {row["weight"] for row in methods if row["functionality"] == "copy"} == {9.0}
    assert study.functionalities.to_pylist()[0] == {
        "id": "copy",
        "name": "Copy",
        "specification": "Must copy.",
        "exemplars": ["void copy0() { }", "void copy1() { }"],
    }
    assert read_study(study.path).methods.equals(study.methods)


def test_an_exemplar_that_the_source_repeats_is_shown_once(tmp_path: Path) -> None:
    """GPTCloneBench has a copy of the seed function for each pair that was made of it."""
    fragments = [
        Fragment(f"{name}-{number}", "java", f"void {name}{max(0, number - 1)}() {{ }}", project=name)
        for name, size in SIZES.items()
        for number in range(size)
    ]
    members = [Membership(one.id, str(one.project), Role.EXEMPLAR) for one in fragments]
    benchmark = labelled_benchmark(tmp_path / "benchmark", fragments=fragments, memberships=members)
    study = sample_study(benchmark, tmp_path / "study", size=60)
    exemplars = {row["id"]: row["exemplars"] for row in study.functionalities.to_pylist()}
    assert exemplars["copy"] == [f"void copy{number}() {{ }}" for number in range(9)]


def test_methods_need_a_functionality(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no functionality"):
        sample_study(benchmark, tmp_path / "study", where="functionality IS NULL", size=3, methods=True)
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"where": "verdict = 'unknown'"}, "No pair fulfils"),
        ({"where": "lable = 'clone'"}, "cannot be evaluated"),
        ({"where": "label = 'clone"}, "not valid SQL"),
        ({"where": "1 = 1; DROP TABLE pairs"}, "not valid SQL|more than a condition"),
        ({"where": "1 = 1) UNION ALL SELECT * FROM pairs WHERE (1 = 1"}, "more than a condition"),
        ({"where": " "}, "condition is empty"),
        ({"where": "clone_type = 'T1'"}, "measured under 0 rules"),
        ({"rule": "min"}, "no measures 'min'"),
        ({"stratify": ("colour",)}, "Unknown column 'colour'"),
        ({"size": 61}, "cannot be drawn"),
        ({"margin": 5.0}, "margin is 5"),
    ],
)
def test_a_failed_draw_leaves_nothing_behind(
    benchmark: Benchmark, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        sample_study(benchmark, tmp_path / "study", **options)
    assert not list(tmp_path.iterdir())


def test_every_documented_column_can_be_used(tmp_path: Path) -> None:
    measured = labelled_benchmark(tmp_path / "measured")
    measured.write_measures("mine", pa.table({"pair": range(60), "clone_type": ["T1", "T2"] * 30}))
    everything = " OR ".join(f"{name} IS NOT NULL" for name in COLUMNS)
    options = PopulationDesign(where=everything, stratify=tuple(COLUMNS))
    assert write_population(measured, options, tmp_path / "population.parquet") == 60
    options = PopulationDesign(where="clone_type = 'T1'")
    assert write_population(measured, options, tmp_path / "population.parquet") == 30


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_is_documented(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
