"""What a maker does with keys, models and archives that are no use: an error that says why, and nothing lost."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.arrow_files import read_parquet
from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.make import StageState
from clonetruth.make.recipe import parse_recipe
from clonetruth.make.registry import STAGES
from clonetruth.model import VerdictValue
from clonetruth.store import open_benchmark
from clonetruth.verdicts import judge_verdicts
from tests.judges.chat_server import DIFFERENT, Reply, answer, refusal, serving
from tests.make.recipes import (
    JAVA_SEED,
    OTHER_TOTAL,
    PYTHON_SEED,
    judging_model,
    seed_benchmark,
    write_judged_recipe,
    write_recipe,
    writing_model,
)
from tests.make.test_making import HEAD

CANDIDATES = '[[stage]]\nuse = "contest"\nbenchmark = "contest"\n'


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        (f'{CANDIDATES}[[stage]]\nuse = "execution"\nruns = 0', "The key 'runs' of the stage 'execution' is 0"),
        (f'{CANDIDATES}[[stage]]\nuse = "execution"\nseconds = 0.0', "'seconds' of the stage 'execution' is 0.0"),
        (f'{CANDIDATES}[[stage]]\nuse = "execution"\nlimit = -1', "'limit' of the stage 'execution' is -1"),
        (f'{CANDIDATES}[[stage]]\nuse = "execution"\nseconds = inf', "execution.seconds is inf"),
        (f'{CANDIDATES}[[stage]]\nuse = "study"\nn = 0', "'n' of the stage 'study' is 0"),
        (f'{CANDIDATES}[[stage]]\nuse = "llm-judge"\nmodel = "m"\nbudget = -1.0', "'budget' of the stage 'llm-judge'"),
        ('[[stage]]\nuse = "seeds"\nbenchmark = "b"\nlimit = 0', "'limit' of the stage 'seeds' is 0"),
        ('[[stage]]\nuse = "contest"\nbenchmark = "b"\nratio = nan', "contest.ratio is nan"),
        ('[[stage]]\nuse = "recorded"\npaths = []', "needs paths"),
        (
            '[[stage]]\nuse = "seeds"\nbenchmark = "b"\n[[stage]]\nuse = "ask"\nmodels = ["m"]\n'
            '[[stage.prompts]]\nname = "p"\ntext = "{code}"\nlimit = 0',
            "'limit' of the stage 'ask' is 0",
        ),
    ],
)
def test_numbers_that_cannot_be_followed_are_refused_before_anything_runs(stages: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_recipe(f"{HEAD}{stages}\n", Path())


LOOP = "```java\nstatic int f() {\n" + "    x = x + 1;\n" * 30_000
USELESS: dict[str, tuple[Callable[[str], Reply], str]] = {
    "refuses": (lambda asked: answer("I am sorry, but I cannot help with this.", refusal="I cannot."), "refused"),
    "repeats": (lambda asked: answer(PYTHON_SEED if "largest" in asked else JAVA_SEED), "no usable code"),
    "other-language": (lambda asked: answer("```ruby\ndef f(x)\n  x + 1\nend\n```"), "no usable code"),
    "loops": (lambda asked: answer(LOOP, finish="length", tokens=100_000), "no usable code"),
    "says-nothing": (lambda asked: answer(""), "empty"),
    "null": (lambda asked: answer(None), "empty"),
}


def test_models_that_are_of_no_use_end_the_making_with_what_became_of_their_answers(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        return USELESS[request["model"]][0](request["messages"][-1]["content"])

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url)
        recipe.write_text(recipe.read_text().replace('["tiny"]', str(list(USELESS)).replace("'", '"')))
        for _ in range(2):
            with pytest.raises(InputError, match=r"No pair is left of \d+ pieces of code in the answers"):
                clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert len(server.requests) == 2 * len(USELESS), "what was answered is not asked again"
    found = clonetruth.show_make(tmp_path / "made")
    parsed = found.stage("parse").report
    assert parsed is not None
    assert parsed.given == {"snippets": 0}
    assert parsed.details["answers"] == {f"{name}, other": {fate: 2} for name, (_, fate) in USELESS.items()}
    assert found.stage("generated-pairs").state is StageState.OPEN
    done = {path.name for path in (tmp_path / "made" / "stages").iterdir()}
    assert done == {"ask", "parse", "seeds", "similarity"}


TWO_PROMPTS = """
[[stage.prompts]]
name = "second"
text = "Second: {code}"
"""


def test_a_run_that_ends_early_has_answers_to_all_prompts_about_all_kinds_of_seeds(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds", 20)

    def reply(request: dict[str, Any], number: int) -> Reply:
        if number >= 9:
            return refusal(401, "your account is closed")
        return answer(f"```java\n{OTHER_TOTAL}```", model="/somewhere/tiny-q4.gguf")

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url, more="partial = true")
        text = recipe.read_text().replace("\nruns = 1\n", f"\nruns = 1\n{TWO_PROMPTS}")
        recipe.write_text(text.replace("concurrency = 2", "concurrency = 1"))
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="ask")
    asked = report.stage("ask").report
    assert asked is not None
    assert asked.details["answers"] == {"tiny, other": 5, "tiny, second": 4}
    assert asked.left_out == {"unanswered": 31}
    assert asked.notes[0].startswith("Written by tiny-q4.gguf, 20"), "a path says nothing to others"
    assert [one.startswith("Second") for one in server.prompts[:8]] == [False, False, True, True] * 2


def test_what_was_answered_can_be_used_when_the_server_has_gone(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        return writing_model(request, number) if number == 0 else refusal(401, "your account is closed")

    with serving(reply) as server:
        recipe = write_recipe(tmp_path, server.url, more="tries = 1")
        recipe.write_text(recipe.read_text().replace("\nruns = 1\n", f"\nruns = 1\n{TWO_PROMPTS}"))
        clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="ask")
    waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="ask")
    assert "3 of 4 questions have no answer: 1 attempts failed" in (waiting.waits_for or "")
    recipe.write_text(recipe.read_text().replace("concurrency = 2", "concurrency = 2\npartial = true"))
    assert clonetruth.make_benchmark(recipe, output=tmp_path / "made").finished


def test_seeds_that_are_drawn_come_from_all_languages_in_turn(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds", 6)
    recipe = write_recipe(tmp_path, "http://127.0.0.1:9")
    recipe.write_text(recipe.read_text().replace('benchmark = "seeds"', 'benchmark = "seeds"\nlimit = 3'))
    clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="seeds")
    drawn = read_parquet(tmp_path / "made" / "stages" / "seeds" / "seeds")
    assert drawn["language"].to_pylist() == ["java", "python", "java", "java"]


def _archive(path: Path) -> None:
    files = {
        **{
            f"true_semantic_clones/java/prompt_2/T4/Clone_{at}.java": f"{JAVA_SEED}\n\n{OTHER_TOTAL}// {at}\n"
            for at in range(4)
        },
        "true_semantic_clones/java/prompt_1/T4/Clone_9.java": f"{JAVA_SEED}\n\n{OTHER_TOTAL}",
        "false_semantic_clones/Gpt_false_pair_1.java": f"{JAVA_SEED}\n\n{JAVA_SEED.replace('sum', 'all')}",
        "true_semantic_clones/java/prompt_1/T4/Clone_10.java": JAVA_SEED,
        "README.md": "Nothing.",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def test_published_pairs_are_recorded_answers(tmp_path: Path) -> None:
    _archive(tmp_path / "pairs.zip")
    recipe = tmp_path / "recipe.toml"
    after = '[[stage]]\nuse = "parse"\n[[stage]]\nuse = "similarity"\n'
    recipe.write_text(f'{HEAD}[[stage]]\nuse = "recorded"\npaths = ["pairs.zip"]\nlimit = 3\n{after}')
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("recorded").report
    assert found is not None
    assert found.taken == {"files": 8}
    assert found.given == {"answers": 5, "seeds": 1}
    assert found.left_out == {"without exactly two functions": 1, "other files": 1, "not drawn": 1}
    assert found.details["answers"] == {"gpt-3, prompt-unknown": 1, "gpt-3, prompt-1": 1, "gpt-3, prompt-2": 3}
    answers = read_parquet(tmp_path / "made" / "stages" / "recorded" / "answers").to_pylist()
    assert sorted(row["run"] for row in answers if row["prompt"] == "prompt-2") == [1, 2, 3]
    filtered = report.stage("similarity").report
    assert filtered is not None
    assert filtered.details["sets by prompt"] == {
        "prompt-1": {"semantic": 1},
        "prompt-2": {"semantic": 3},
        "prompt-unknown": {"syntactic": 1},
    }


def test_the_datasheet_tells_how_it_was_made(tmp_path: Path) -> None:
    report = clonetruth.make_benchmark("example", output=tmp_path / "made")
    assert report.benchmark is not None
    text = (report.benchmark / "README.md").read_text(encoding="utf-8")
    made = text.split("## How it was made")[1].split("## Recipe")[0]
    for name in ("index", "search", "candidates", "rules", "tags", "mined"):
        assert f"| {name} | {STAGES[name].description} |" in made
    assert "functions 107" in made
    assert '"funnel"' not in text
    assert "Its pairs have no labels" in text
    assert "| greatest-common-divisor | 2 | 2 | 2 |" in made
    assert "How many it misses is unknown: no function that it does not match was judged." in text


def test_the_datasheet_says_what_became_of_the_answers_to_each_prompt(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    with serving(judging_model) as server:
        recipe = write_judged_recipe(tmp_path, server.url)
        text = recipe.read_text().replace('models = ["tiny"]', 'models = ["org/tiny", "org/small"]')
        recipe.write_text(text + '\n[[stage]]\nuse = "clonecognition"\ndetector = "tokens"\n')
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("generated").report
    assert found is not None
    table = found.details["by prompt and language of the seed"]
    assert set(table) == {f"org/{model}, other, {name}" for model in ("tiny", "small") for name in ("Java", "Python")}
    row = table["org/tiny, other, Java"]
    assert {name: row[name] for name in row if name != "mean similarity"} == {
        "answers": 1,
        "functions": 1,
        "pairs": 1,
        "no difference": 1,
        "different": 0,
        "undecided": 0,
        "accepted": 1,
    }
    assert report.benchmark is not None
    sheet = (report.benchmark / "README.md").read_text(encoding="utf-8")
    assert "### generated, by prompt and language of the seed" in sheet
    assert "| org/small, other, Python | 1 | 1 | 1 |" in sheet
    # The name of a model may have a slash in it; the prompt is found in the path all the same.
    checked = report.stage("clonecognition").report
    assert checked is not None
    (accepted,) = checked.details.values()
    assert set(accepted) == {"other, Java", "other, Python"}


def test_a_claimed_clone_that_is_refuted_can_be_kept_without_its_label(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")

    def reply(request: dict[str, Any], number: int) -> Reply:
        judged = request["model"] == "judge" and "largest" in request["messages"][-1]["content"]
        return answer(DIFFERENT) if judged else judging_model(request, number)

    with serving(reply) as server:
        recipe = write_judged_recipe(tmp_path, server.url, more="refuted = true\n")
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("generated").report
    assert found is not None
    assert (found.given["clones"], found.given["refuted"], dict(found.left_out)) == (1, 1, {})
    made = open_benchmark(tmp_path / "made" / "benchmark")
    claims = made.sql("SELECT value, reason FROM judgements WHERE judge = 'rule:generated' ORDER BY pair").to_pylist()
    assert claims == [
        {"value": "clone", "reason": "semantic"},
        {"value": "undecided", "reason": "semantic: the evidence refutes it"},
    ]
    counts = judge_verdicts(made, criterion="functionally-similar").counts
    assert (counts[VerdictValue.CLONE], counts[VerdictValue.NOT_CLONE]) == (1, 1)
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == []
