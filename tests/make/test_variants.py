"""Fresh draws of TrueClones: seeded, executed, and recorded with their seed."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

import clonetruth
from clonetruth.code import language
from clonetruth.code.mutation import EditSites
from clonetruth.errors import InputError
from clonetruth.make.recipe import parse_recipe, read_recipe, with_seed
from clonetruth.make.trueclones import REWRITES, rewritten, variants
from clonetruth.make.trueclones.evidence import ExaminedFolder, examine_folder
from clonetruth.make.trueclones.variants import _toml
from clonetruth.sources import embedded
from clonetruth.sources.functionality_folders import FunctionalityFolder
from clonetruth.sources.trueclones import data_folder
from tests.execution.sandboxed import needs_sandbox
from tests.make.functionality_samples import SORTED, write_sample

RECIPE = """
[make]
name = "draw"
description = "A draw."
criterion = "equivalent-behaviour"

[[stage]]
use = "variants"
source = "data"

[[stage]]
use = "executed"
generated = 60

[[stage]]
use = "trueclones"
"""
JAVA = """static int weigh(int[] values, int limit) {
    int total = 0;
    // what is small counts twice
    for (int i = 0; i < values.length; i++) {
        if (values[i] < limit && values[i] > 10) {
            total += 2 * values[i];
        } else {
            total += values[i];
        }
    }
    if (total < 0) {
        return 0;
    }
    return Math.abs(total);
}
"""
EXPECTED = {
    "mirrored comparison": ("limit > values[i]", "values.length > i", "0 > total", "10 < values[i]"),
    "spelt-out assignment": ("total = total + (",),
    "counting by assignment": ("i += 1",),
    "named result": ("= Math.abs(total);\n    return ", "= 0;\n        return "),
    "De Morgan": ("!(!(values[i] < limit) || !(values[i] > 10))",),
    "else after a guard": ("} else {\n        return Math.abs(total);\n    }",),
    "while instead of for": ("while (i < values.length) {",),
    "named constant": ("final int ",),
    "helper": ("(int[] values, int limit) {\n    return ",),
    "swapped branches": ("!(",),
    "without a comment": ("int total = 0;\n    for",),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_rewrites_do_what_they_say(name: str) -> None:
    sites = EditSites.of(JAVA, language("java"))
    found = sites.edited(REWRITES[name](sites, Random(1)))
    assert found != JAVA
    assert EditSites.of(found, language("java")).sound
    assert any(piece in found for piece in EXPECTED[name]), found


@pytest.mark.parametrize(
    ("name", "own", "piece"),
    [
        ("named result", "cpp", "const auto "),
        ("named constant", "cpp", "const int "),
        ("named result", "csharp", "var "),
        ("named constant", "csharp", "const int "),
        ("while instead of for", "cpp", "while (i < limit) {"),
        ("while instead of for", "csharp", "while (i < limit) {"),
    ],
)
def test_rewrites_declare_as_the_language_does(name: str, own: str, piece: str) -> None:
    text = (
        "static int total(int limit) {\n    int sum = 0;\n    for (int i = 0; i < limit; i++) {\n"
        "        sum += i * 7;\n    }\n    return sum + limit;\n}\n"
    )
    sites = EditSites.of(text, language(own))
    found = sites.edited(REWRITES[name](sites, Random(1)))
    assert piece in found
    assert EditSites.of(found, language(own)).sound


def test_a_key_of_an_object_is_not_named() -> None:
    sites = EditSites.of("function f(x) {\n  return { 7: x, 8: x }[9];\n}\n", language("javascript"))
    for seed in range(9):
        found = sites.edited(REWRITES["named constant"](sites, Random(seed)))
        assert " = 9;\n  return { 7: x, 8: x }[" in found


def test_a_declaration_is_not_moved_before_a_function_that_it_calls() -> None:
    text = "function f(x) {\n  const g = (y) => y + 1;\n  const z = g(x);\n  return z;\n}\n"
    assert not REWRITES["reordered declarations"](EditSites.of(text, language("javascript")), Random(0))


def test_rewritten_texts_parse_and_are_the_same_for_a_seed() -> None:
    changed = 0
    for folder in embedded.folders()[::3]:
        for source in folder.implementations():
            text, done = rewritten(source.text, source.language, Random(source.id), 4)
            assert (text, done) == rewritten(source.text, source.language, Random(source.id), 4)
            assert EditSites.of(text, language(source.language)).sound, source.id
            assert len(set(done)) == len(done) <= 5
            changed += text != source.text
    assert changed >= 40


def test_the_seed_is_part_of_the_recipe_and_of_every_stage_that_draws(tmp_path: Path) -> None:
    recipe = with_seed(parse_recipe(RECIPE, tmp_path), 11)
    assert recipe.card.seed == 11
    assert [step.options.seed for step in recipe.steps] == [11, 11, 11]
    assert parse_recipe(recipe.text, tmp_path).steps == recipe.steps
    other = with_seed(recipe, 12)
    assert other.text.count("seed =") == 1
    assert [one.key for one in other.steps] != [one.key for one in recipe.steps]
    stated = parse_recipe(RECIPE.replace("generated = 60", "generated = 60\nseed = 3"), tmp_path)
    assert [step.options.seed for step in with_seed(stated, 5).steps] == [5, 3, 5]
    index = '[make]\nname = "x"\ndescription = "x"\n[[stage]]\nuse = "index"\npaths = ["@embedded"]\n'
    with pytest.raises(InputError, match="No stage of this recipe takes a random seed"):
        with_seed(parse_recipe(index, tmp_path), 1)
    assert [step.name for step in read_recipe("trueclones").steps] == ["variants", "executed", "trueclones"]


def draw(folder: Path, seed: int, output: str, until: str | None = None) -> clonetruth.Benchmark | None:
    recipe = folder / "recipe.toml"
    recipe.write_text(RECIPE, encoding="utf-8")
    report = clonetruth.make_benchmark(recipe, output=folder / output, seed=seed, until=until)
    return clonetruth.Benchmark.open(report.benchmark) if report.benchmark else None


def texts(folder: Path) -> dict[str, str]:
    root = folder / "stages" / "variants" / "variants"
    return {str(one.relative_to(root)): one.read_text() for one in sorted(root.rglob("*.py"))}


def test_variants_depend_on_the_seed_only(tmp_path: Path) -> None:
    write_sample(tmp_path / "data", {"python/sorted.py": SORTED})
    for seed, output in ((1, "one"), (1, "again"), (2, "other")):
        draw(tmp_path, seed, output, until="variants")
    assert texts(tmp_path / "one") == texts(tmp_path / "again")
    assert set(texts(tmp_path / "one").values()).isdisjoint(texts(tmp_path / "other").values())
    assert all("seed-1" in name for name in texts(tmp_path / "one"))


@pytest.mark.parametrize("text", ["\U0001f600 \x7f", 'a "b" \\ \t\n\r\x00\x1f', "é \u2028 \ufffe", "[x]\n#"])
def test_what_a_draw_writes_of_a_functionality_can_be_read_again(text: str) -> None:
    value = {"alphabet": text, text: [1, -2.5, True, [text]]}
    assert tomllib.loads(f"value = {_toml(value)}") == {"value": value}


def test_the_domains_of_all_functionalities_can_be_written_and_read_again() -> None:
    described = [tomllib.loads(one.read_text("utf-8")) for one in data_folder().glob("*/functionality.toml")]
    assert len(described) > 60
    for one in described:
        assert tomllib.loads(f"value = {_toml(one['parameters'])}")["value"] == one["parameters"]


@pytest.mark.slow
@needs_sandbox
def test_a_draw_is_a_benchmark_with_executed_labels_and_its_seed(tmp_path: Path) -> None:
    write_sample(tmp_path / "data", {"python/sorted.py": SORTED})
    benchmark = draw(tmp_path, 5, "made")
    assert benchmark is not None
    assert benchmark.card.version == "1-seed-5"
    assert benchmark.recipe is not None
    assert benchmark.recipe.parameters["seed"] == 5
    values = set(benchmark.table("judgements")["value"].to_pylist())
    assert values >= {"clone", "not-clone", "major", "wrong"}
    again = draw(tmp_path, 5, "again")
    assert again is not None
    assert again.content_hash == benchmark.content_hash
    clonetruth.describe_benchmark(benchmark.path, verify=True)


@pytest.mark.slow
@needs_sandbox
def test_a_killed_draw_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = write_sample(tmp_path / "data", {"python/sorted.py": SORTED})
    shutil.copytree(sample, sample.with_name("other-sum"))
    seen: list[str] = []

    def examine(folder: FunctionalityFolder, *given: Any, **more: Any) -> ExaminedFolder:
        seen.append(folder.id)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return examine_folder(folder, *given, **more)

    monkeypatch.setattr(variants, "examine_folder", examine)
    with pytest.raises(KeyboardInterrupt):
        draw(tmp_path, 5, "killed")
    killed = draw(tmp_path, 5, "killed")
    assert seen == ["clamped-sum", "other-sum", "other-sum"]
    whole = draw(tmp_path, 5, "whole")
    assert killed is not None
    assert whole is not None
    assert killed.content_hash == whole.content_hash
    assert not (tmp_path / "killed" / "parts").exists()
