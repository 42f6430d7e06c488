"""A pilot: prompts side by side, tagged by people, and a choice that is recorded; judges in groups of two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.make import StageState, read_recipe
from clonetruth.make.generation import AskOptions
from clonetruth.make.similarity_filter import SimilarityOptions
from clonetruth.store import open_benchmark, read_study
from tests.judges.chat_server import serving
from tests.make.recipes import seed_benchmark, write_recipe, writing_model
from tests.studies.example_studies import add_answers

PILOT = """
[[stage.prompts]]
name = "unlike"
text = "Write it unlike this one: {code}"

[[stage]]
use = "parse"

[[stage]]
use = "similarity"

[[stage]]
use = "generated-pairs"

[[stage]]
use = "study"
protocol = "semantic-not-syntactic"

[[stage]]
use = "prompt-choice"
"""


@pytest.mark.slow
def test_the_choice_of_prompts_waits_for_people_and_is_recorded(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    with serving(writing_model) as server:
        recipe = write_recipe(tmp_path, server.url)
        text = recipe.read_text().partition('[[stage]]\nuse = "parse"')[0] + PILOT
        recipe.write_text(text)
        waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert waiting.stage("study").state is StageState.WAITING
        (folder,) = (tmp_path / "made" / "studies").iterdir()
        study = read_study(folder)
        for judge in ("ada", "bob"):
            add_answers(study, judge, dict.fromkeys(range(len(study.subjects)), "clone"))
        waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert "Choose prompts with keep" in (waiting.waits_for or "")
        assert "unlike, Java: similarity" in (waiting.waits_for or "")
        recipe.write_text(text + 'keep = ["unlikely"]\n')
        with pytest.raises(UnknownNameError, match="unlikely"):
            clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        recipe.write_text(text + 'keep = ["unlike"]\nbecause = "The least similar."\n')
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    recorded = json.loads((tmp_path / "made" / "stages" / "prompt-choice" / "prompt-choice").read_text())
    assert (recorded["kept"], recorded["because"]) == (["unlike"], "The least similar.")
    assert recorded["pilot"]["unlike, Python"] == {
        "seeds": 1,
        "functions": 1,
        "mean similarity": recorded["pilot"]["unlike, Python"]["mean similarity"],
        "tagged true": 1,
        "tagged false": 0,
    }


@pytest.mark.slow
def test_one_yes_and_one_undecided_are_no_clone_under_the_papers_protocol(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    with serving(writing_model) as server:
        recipe = write_recipe(tmp_path, server.url)
        judged = 'use = "study"\n\n[[stage]]\nuse = "generated"\npolicies = {functionally-similar = "adjudicated"}'
        text = recipe.read_text().replace('use = "generated"\nunknown = true', judged)
        recipe.write_text(text.replace('use = "study"', 'use = "study"\nprotocol = "functionally-similar"'))
        clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        (folder,) = (tmp_path / "made" / "studies").iterdir()
        study = read_study(folder)
        add_answers(study, "ada", {0: "clone", 1: "clone"})
        add_answers(study, "bob", {0: "clone", 1: "undecided"})
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("generated").report
    assert found is not None
    assert (found.given["clones"], found.left_out) == (1, {"undecided": 1})
    assert open_benchmark(tmp_path / "made" / "benchmark").counts["pairs"] == 1


def test_the_papers_values_are_keys_of_the_shipped_recipes() -> None:
    recipe, pilot = read_recipe("generate"), read_recipe("generate-pilot")
    asked = next(one.options for one in recipe.steps if isinstance(one.options, AskOptions))
    runs = {one.name: (one.count, one.runs) for one in asked.prompts}
    assert (runs["type-3-4"], runs["distinctive"]) == ((1, 4), (10, 2))
    filtered = next(one.options for one in recipe.steps if isinstance(one.options, SimilarityOptions))
    assert (filtered.threshold, filtered.dissimilarity, filtered.least_lines) == (0.75, 0.99, 3)
    assert (filtered.least_tokens, filtered.renaming) == (0, "blind")
    assert next(one.options for one in recipe.steps if one.name == "study").protocol == "gptclonebench"
    assert pilot.steps[0].options.limit == 20
    assert len(next(one.options for one in pilot.steps if isinstance(one.options, AskOptions)).prompts) == 6
    assert [one.stage.name for one in pilot.steps][-2:] == ["prompt-choice", "generated"]


def test_a_policy_of_a_criterion_that_does_not_count_is_refused(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    recipe.write_text(recipe.read_text().replace("unknown = true", 'policies = {textual = "default"}'))
    with pytest.raises(InputError, match="The policy of 'textual' is given"):
        clonetruth.plan_make(recipe)
