"""A generation from seeds to a benchmark, with a real model server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.make import StageState
from clonetruth.store import open_benchmark
from tests.execution.sandboxed import LACKING
from tests.judges.chat_server import Reply, answer, refusal, serving
from tests.make.recipes import seed_benchmark, write_recipe, writing_model

PRICES = "[tiny]\ninput = 1.0\noutput = 2.0\n"


def test_from_seeds_to_a_benchmark(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    (tmp_path / "prices.toml").write_text(PRICES)
    with serving(writing_model) as server:
        recipe = write_recipe(tmp_path, server.url, runs=2, more='prices = "prices.toml"\nbudget = 1.0')
        planned = clonetruth.plan_make(recipe)
        assert planned.stage("ask").estimate is not None
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert report.finished
        again = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert again == report
    assert len(server.requests) == 4
    asked = report.stage("ask").report
    assert asked is not None
    assert asked.cost == pytest.approx(4 * (100 * 1.0 + 20 * 2.0) / 1e6)
    parsed = report.stage("parse").report
    assert parsed is not None
    assert parsed.notes[0] == "4 functions were expected, 4 obtained."
    filtered = report.stage("similarity").report
    assert filtered is not None
    assert filtered.given["semantic pairs"] == 4
    assert set(filtered.details["mean similarity in per cent"]) == {"Java", "Python"}
    made = open_benchmark(tmp_path / "made" / "benchmark")
    assert made.counts["pairs"] == 4
    recipe_text = (made.path / "README.md").read_text(encoding="utf-8")
    assert "Write the function in another way" in recipe_text
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == []
    said = made.sql("SELECT value, reason FROM judgements WHERE pair IS NOT NULL").to_pylist()
    assert {row["value"] for row in said} == {"undecided"}, "nobody has judged these pairs: they have no label"
    assert said[0]["reason"] == "semantic: no judge has decided on the pair"


def test_a_budget_of_nothing_asks_nothing(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    (tmp_path / "prices.toml").write_text(PRICES)
    with serving(writing_model) as server:
        recipe = write_recipe(tmp_path, server.url, more='prices = "prices.toml"\nbudget = 0.0')
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert server.requests == []
        assert report.stage("ask").state is StageState.WAITING
        assert "2 of 2 questions have no answer: the budget is exhausted" in (report.waits_for or "")
        # More money is not another recipe.
        recipe = write_recipe(tmp_path, server.url, more='prices = "prices.toml"\nbudget = 1.0')
        assert clonetruth.make_benchmark(recipe, output=tmp_path / "made").finished


def test_a_budget_needs_prices(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9", more="budget = 1.0")
    with pytest.raises(InputError, match="A budget needs prices"):
        clonetruth.make_benchmark(recipe, output=tmp_path / "made")


def test_a_question_that_the_server_rejects_is_waited_for_or_left_out(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        if "largest" in request["messages"][-1]["content"]:
            return refusal(400, "too long")
        return writing_model(request, number)

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert "1 of 2 questions have no answer: the server says 'Error code: 400 - too long'" in (
            waiting.waits_for or ""
        )
        recipe = write_recipe(tmp_path, server.url, more="partial = true")
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    asked = report.stage("ask").report
    assert report.finished
    assert asked is not None
    assert asked.left_out == {"unanswered": 1}


HARD_NEGATIVES = """
[[stage.prompts]]
name = "changed"
wants = "different"
text = "Change what the function returns for some inputs, as little as possible: {code}"
"""
CHANGED = """def largest(values):
    best = values[0]
    for value in values:
        if value < best:
            best = value
    return best
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(LACKING), reason=str(LACKING))
def test_execution_confirms_clones_and_proves_hard_negatives_different(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        asked = request["messages"][-1]["content"]
        return answer(f"```python\n{CHANGED}```") if "Change what" in asked else writing_model(request, number)

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        text = recipe.read_text().replace('benchmark = "seeds"', 'benchmark = "seeds"\nlanguages = ["python"]')
        text = text.replace('[[stage]]\nuse = "parse"', HARD_NEGATIVES + '\n[[stage]]\nuse = "parse"')
        execution = '[[stage]]\nuse = "execution"\nruns = 60\njobs = 1\n\n[[stage]]\nuse = "generated"'
        text = text.replace('[[stage]]\nuse = "generated"', execution).replace("unknown = true", "")
        recipe.write_text(text)
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("generated").report
    assert found is not None
    assert (found.given["clones"], found.given["hard negatives"]) == (1, 1)
    assert found.details["effort per accepted pair"]["CPU seconds"] > 0
    errors = [one.code for one in audit_benchmark(tmp_path / "made" / "benchmark").findings if one.severity == "error"]
    assert errors == []


def test_bad_prompts_are_refused(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    text = recipe.read_text()
    for old, new, message in (
        ("{code}", "", "lacks the placeholder {code}"),
        ("{language}", "{colour}", "unknown placeholder {colour}"),
        ("runs = 1", "runs = 0", "must be at least 1"),
        ("runs = 1", 'wants = "translation"', "has targets"),
        ("runs = 1", 'targets = ["c"]', "has targets"),
    ):
        recipe.write_text(text.replace(old, new))
        with pytest.raises(InputError, match=message.replace("{", r"\{")):
            clonetruth.plan_make(recipe)
