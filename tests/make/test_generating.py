"""A generation from seeds to a benchmark, with a real model server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.make import StageState
from clonetruth.model import Card, Fragment
from clonetruth.store import BenchmarkWriter, open_benchmark
from tests.execution.sandboxed import LACKING
from tests.judges.chat_server import Reply, answer, refusal, serving
from tests.make.recipes import (
    JAVA_SEED,
    OTHER_LARGEST,
    OTHER_TOTAL,
    PYTHON_SEED,
    seed_benchmark,
    write_recipe,
    writing_model,
)

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


TRANSLATION = """
[[stage.prompts]]
name = "to-java"
wants = "translation"
targets = ["java"]
text = "Translate it to {targets}: {code}"
"""
IN_JAVA = """static int largest(int[] values) {
    int best = values[0];
    for (int value : values) {
        best = Math.max(best, value);
    }
    return best;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(LACKING), reason=str(LACKING))
def test_execution_confirms_clones_and_proves_hard_negatives_different(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        asked = request["messages"][-1]["content"]
        if "Translate it" in asked:
            return answer(f"```java\n{IN_JAVA}```")
        return answer(f"```python\n{CHANGED}```") if "Change what" in asked else writing_model(request, number)

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        text = recipe.read_text().replace('benchmark = "seeds"', 'benchmark = "seeds"\nlanguages = ["python"]')
        text = text.replace('[[stage]]\nuse = "parse"', HARD_NEGATIVES + TRANSLATION + '\n[[stage]]\nuse = "parse"')
        execution = '[[stage]]\nuse = "execution"\nruns = 60\njobs = 1\n\n[[stage]]\nuse = "generated"'
        text = text.replace('[[stage]]\nuse = "generated"', execution).replace("unknown = true", "")
        recipe.write_text(text)
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("generated").report
    assert found is not None
    # One in the same language, and one in another, which ran on the same inputs.
    assert (found.given["clones"], found.given["hard negatives"]) == (2, 1)
    assert found.details["what became of the pairs"]["cross-language"] == {"kept": 1}
    assert found.details["effort per accepted pair"]["CPU seconds"] > 0
    errors = [one.code for one in audit_benchmark(tmp_path / "made" / "benchmark").findings if one.severity == "error"]
    assert errors == []


LONG = "int x = 0;\n" * 40_000  # about 100,000 tokens


@pytest.mark.slow
def test_what_a_model_does_wrong_is_counted_and_costs_no_pair(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds", 8)
    wrong = {
        "total0(": answer("I am sorry, I cannot help with that.", refusal="I cannot help."),
        "total1(": answer("```java\n" + OTHER_TOTAL * 30 + "```"),
        "total2(": answer("```java\n" + JAVA_SEED.replace("total", "total2") + "```"),
        "total3(": answer("```python\n" + OTHER_LARGEST + "```"),
        "total4(": answer("```java\nstatic int f() {\n" + LONG + "```", finish="length", tokens=100_000),
        "total5(": answer("```java\nstatic int f( {\n    return\n}\n```"),
    }

    def reply(request: dict[str, Any], number: int) -> Reply:
        asked = request["messages"][-1]["content"]
        return next((one for name, one in wrong.items() if name in asked), writing_model(request, number))

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    parsed = report.stage("parse").report
    assert parsed is not None
    assert parsed.taken == {"answers": 8}
    assert parsed.left_out == {
        "repeats another": 29,
        "copy of the seed": 1,
        "other language": 1,
        "too long": 1,
        "syntax error": 1,
        "prose": 1,
    }
    assert parsed.given == {"snippets": 3}
    (fates,) = parsed.details["answers"].values()
    assert fates["refused"] == 1
    assert "unexplained" not in fates


def test_seeds_that_do_not_parse_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "good.py").write_text("def good(a):\n    b = a\n    return b\n")
    (tmp_path / "tree" / "bad.py").write_text("def bad(a:\n    return (((\n")
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    recipe.write_text(recipe.read_text().replace('benchmark = "seeds"', 'paths = ["tree"]'))
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="seeds")
    seeds = report.stage("seeds").report
    assert seeds is not None
    assert seeds.given == {"seeds": 1}
    broken = Card("seeds", "1", "Seeds.", "MIT", "none", "functionally-similar", ("java",))
    with BenchmarkWriter(tmp_path / "seeds", broken) as writer:
        writer.add("fragments", [Fragment("a", "java", "static int f( {\n return\n}\n")])
    recipe.write_text(recipe.read_text().replace('paths = ["tree"]', 'benchmark = "seeds"'))
    with pytest.raises(InputError, match="There is no seed"):
        clonetruth.make_benchmark(recipe, output=tmp_path / "other", until="seeds")


BANDS = """
[[stage]]
use = "similarity"
bands = [[0.0, 0.5]]
diversity = 0.95
least_tokens = 5
"""


def test_bands_and_diversity_leave_pairs_out(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    near = JAVA_SEED.replace("int sum = 0;", "int sum = 0;\n    int unused = 1;\n    int more = 2;\n    int most = 3;")

    def reply(request: dict[str, Any], number: int) -> Reply:
        if "largest" in request["messages"][-1]["content"]:
            return writing_model(request, number)
        return answer(f"```java\n{near}```\n\n```java\n{OTHER_TOTAL}```\n")

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url, runs=2)
        text = recipe.read_text().replace('\n[[stage]]\nuse = "similarity"\n', BANDS)
        recipe.write_text(text)
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("similarity").report
    assert found is not None
    assert found.left_out == {"outside the bands": 2, "too similar to an earlier answer": 2}
    assert found.given["semantic pairs"] == 2
    asked = report.stage("ask").report
    assert asked is not None
    assert asked.notes[0].startswith("Written by tiny-2026, 20"), "a later model may have learned from it"


def test_keys_of_the_similarity_are_checked(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    text = recipe.read_text()
    for key, message in (
        ('renaming = "some"', "There is no renaming 'some'"),
        ("bands = [[0.6, 0.2]]", "not within 0 and 1"),
        ("dissimilarity = 1.5", "not within 0 and 1"),
    ):
        recipe.write_text(text.replace('use = "similarity"', f'use = "similarity"\n{key}'))
        with pytest.raises(InputError, match=message):
            clonetruth.plan_make(recipe)


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


@pytest.mark.slow
@pytest.mark.skipif(bool(LACKING), reason=str(LACKING))
def test_seeds_that_execution_cannot_judge_cost_no_question(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "runs.py").write_text(PYTHON_SEED + "\n\n" + PYTHON_SEED.replace("largest", "other").replace(">", "<"))
    (tree / "waits.py").write_text("def waits(queue):\n    while True:\n        queue = [queue]\n    return queue\n")
    (tree / "same.py").write_text("def same(a):\n    b = a\n    return 1\n")
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    text = recipe.read_text().replace('benchmark = "seeds"', 'paths = ["tree"]')
    seeds, _, rest = text.partition('[[stage]]\nuse = "ask"')
    keys = '[[stage]]\nuse = "runnable-seeds"\nseconds = 2.0\njobs = 1\n'
    recipe.write_text(f'{seeds}{keys}[[stage]]\nuse = "ask"{rest}')
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "all", until="runnable-seeds")
    found = report.stage("runnable-seeds").report
    assert found is not None
    assert (found.taken, found.given) == ({"seeds": 4}, {"seeds": 2})
    assert sum(found.left_out.values()) == 2
    assert all(reason.startswith("does not run: ") for reason in found.left_out)
    asked = clonetruth.plan_make(recipe, output=tmp_path / "all").stage("ask").estimate
    assert asked is not None
    assert asked.counts["questions"] == 2
    recipe.write_text(recipe.read_text().replace("seconds = 2.0", "seconds = 2.0\nlimit = 1"))
    limited = clonetruth.make_benchmark(recipe, output=tmp_path / "one", until="runnable-seeds")
    found = limited.stage("runnable-seeds").report
    assert found is not None
    assert found.given == {"seeds": 1}
    assert found.left_out["not needed"] >= 1
    (tree / "runs.py").unlink()
    with pytest.raises(InputError, match="No seed runs"):
        clonetruth.make_benchmark(recipe, output=tmp_path / "none", until="runnable-seeds")


def test_a_hard_negative_may_resemble_a_clone(tmp_path: Path) -> None:
    """Blind renaming makes no difference between `value` and `best`: what is changed there is the point of it."""
    seed_benchmark(tmp_path / "seeds")
    clone = PYTHON_SEED.replace("best = values[0]", "best = values[-1]")
    near = clone.replace("best = value\n", "value = best\n")

    def reply(request: dict[str, Any], number: int) -> Reply:
        return answer(f"```python\n{near if 'Change what' in request['messages'][-1]['content'] else clone}```")

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        text = recipe.read_text().replace('benchmark = "seeds"', 'benchmark = "seeds"\nlanguages = ["python"]')
        text = text.replace('[[stage]]\nuse = "parse"', f'{HARD_NEGATIVES}runs = 2\n\n[[stage]]\nuse = "parse"')
        recipe.write_text(text.replace('use = "similarity"', 'use = "similarity"\ndiversity = 0.95'))
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="similarity")
    found = report.stage("similarity").report
    assert found is not None
    assert found.given["different pairs"] == 1
    assert found.left_out == {"too similar to an earlier answer": 1}
