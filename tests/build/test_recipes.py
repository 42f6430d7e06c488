"""What every recipe keeps to: choices with defaults, a lineage, a report, a chapter."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clonetruth.audit import audit_benchmark, fix_plan
from clonetruth.build import RECIPES, read_options
from clonetruth.build.confidence_bcb import Capped, ConfidenceBcbParameters
from clonetruth.build.mutants import MutantParameters, derive_mutants
from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from tests.build.contests import contest, solutions
from tests.build.drafts import Draft, flawed
from tests.build.trees import imported, tree
from tests.conftest import ROOT

Case = tuple[Benchmark, dict[str, Any]]


def _roles(folder: Path) -> Case:
    return Draft().functionality("f", 2, 3, 2).functionality("g", 1, 2, 1).create(folder), {}


def _members(folder: Path) -> Case:
    parent, _ = _roles(folder)
    return parent, {"train": 4, "valid": 2, "test": 2}


def _contest(folder: Path) -> Case:
    return contest(folder, {"a": solutions("a", 3), "b": solutions("b", 2)}), {"solutions": 2}


def _flawed(folder: Path) -> Case:
    benchmark = flawed(folder)
    return benchmark, {"plan": fix_plan(audit_benchmark(benchmark, select=("CT110",)))}


def _tree(folder: Path) -> Case:
    return imported(folder, tree(folder.with_name("source"))), {"operators": ("mSRI", "mDL")}


def _mutants(folder: Path) -> Case:
    parent = imported(folder.with_name("functions"), tree(folder.with_name("source")))
    report = derive_mutants(parent, folder, MutantParameters(operators=("T1",)))
    return Benchmark.open(report.path), {"system": tree(folder.with_name("system"), first=100)}


CASES: dict[str, Callable[[Path], Case]] = {
    "bcb-pairs": _roles,
    "confidence-bcb": _roles,
    "assumed-negatives": _members,
    "contest": _contest,
    "apply": _flawed,
    "mutants": _tree,
    "inject": _mutants,
}


@pytest.mark.parametrize("name", CASES)
def test_a_recipe_makes_a_benchmark_with_a_lineage_and_a_report(tmp_path: Path, name: str) -> None:
    parent, values = CASES[name](tmp_path / "parent")
    before = {path: path.read_bytes() for path in parent.path.rglob("*") if path.is_file()}
    recipe = RECIPES[name]
    options = read_options(recipe.options, values)
    report = recipe.build(parent, tmp_path / "made", options)
    again = recipe.build(parent, tmp_path / "again", options)
    made = Benchmark.open(report.path)
    made.verify()
    assert made.recipe is not None
    assert (made.recipe.operation, made.recipe.parents) == (recipe.operation, (parent.content_hash,))
    assert made.content_hash == Benchmark.open(again.path).content_hash, "the same choices give the same benchmark"
    assert made.judgements_hash == Benchmark.open(again.path).judgements_hash
    written = json.loads((report.path / "results" / "build.json").read_text(encoding="utf-8"))
    assert written["schema"] == "clonetruth-build"
    assert written["parameters"] == dict(made.recipe.parameters)
    assert written["counts"] == dict(made.counts)
    assert len(report.functionalities) + len(report.lost) == parent.counts["functionalities"]
    after = {path: path.read_bytes() for path in parent.path.rglob("*") if path.is_file()}
    assert after == before, "the parent is not touched"
    with pytest.raises(InputError, match="exists already"):
        recipe.build(parent, tmp_path / "made", options)


@pytest.mark.parametrize("name", CASES)
def test_a_recipe_is_documented_with_its_choices(name: str) -> None:
    text = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    chapter = text.partition(f"## {name}")[2].partition("\n## ")[0]
    assert chapter, "the recipe has no chapter"
    for field in dataclasses.fields(RECIPES[name].options):
        assert f"`{field.name}`" in chapter


def test_strings_become_enumerations() -> None:
    options = read_options(ConfidenceBcbParameters, {"capped": "sides", "evidence": None, "judges": 3})
    assert options == ConfidenceBcbParameters(capped=Capped.SIDES, judges=3)
