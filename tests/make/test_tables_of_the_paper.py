"""Tables III to VI of GPTCloneBench's paper, as stages of a making."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.errors import InputError
from clonetruth.make import MakeReport, StageReport, StageState
from clonetruth.make.recipe import parse_recipe
from clonetruth.store import read_study
from tests.build.trees import tree
from tests.judges.chat_server import DIFFERENT, Reply, answer, serving
from tests.make.recipes import judging_model, seed_benchmark, write_judged_recipe, write_recipe, writing_model
from tests.make.test_making import HEAD
from tests.studies.example_studies import add_answers

CHANGED = """static int total(int[] values) {
    int sum = 1;
    for (int value : values) {
        sum += value;
    }
    return sum;
}
"""
TABLES = """
[[stage]]
use = "clonecognition"
detector = "tokens"

[[stage]]
use = "detectors"
detectors = ["tokens", "always-yes"]

[[stage]]
use = "inject"
system = "system"

[[stage]]
use = "injected-recall"
finders = ["tokens"]
min_tokens = 10
sample = 3
"""


def _reply(request: dict[str, Any], number: int) -> Reply:
    asked = request["messages"][-1]["content"]
    if request["model"] == "judge" and "sum = 1" in asked:
        return answer(DIFFERENT)
    return answer(f"```java\n{CHANGED}```") if "Change" in asked else judging_model(request, number)


def _report(made: MakeReport, name: str) -> StageReport:
    found = made.stage(name).report
    assert found is not None
    return found


@pytest.mark.slow
def test_tables_three_to_six(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    tree(tmp_path / "system", files=4)
    tree(tmp_path / "system", "python", files=3)
    with serving(_reply) as server:
        recipe = write_judged_recipe(tmp_path, server.url, more=TABLES)
        text = recipe.read_text().replace(
            '[[stage]]\nuse = "parse"',
            '[[stage.prompts]]\nname = "changed"\nwants = "different"\nseed_languages = ["java"]\n'
            'text = "Change it: {code}"\n\n[[stage]]\nuse = "parse"',
        )
        recipe.write_text(text)
        waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
        assert waiting.stage("injected-recall").state is StageState.WAITING, waiting
        (folder,) = (tmp_path / "made" / "studies").glob("injected-recall-*")
        study = read_study(folder)
        add_answers(study, "ada", dict.fromkeys(range(len(study.subjects)), "clone"))
        made = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert made.finished
    checked = _report(made, "clonecognition")
    (table,) = checked.details.values()
    assert set(table) == {"other, Java", "other, Python"}
    assert table["other, Java"] == {"threshold": 0.76, "clones": 1, "predicted": 0, "accuracy": 0.0}
    measured = _report(made, "detectors")
    recall = measured.details["recall (Table V)"]
    assert recall["always-yes, Java"]["share"] == 1.0
    assert recall["tokens, Java"] == {"granularity": "function", "found": 0, "of": 1, "share": 0.0} | {
        name: recall["tokens, Java"][name] for name in ("low", "high")
    }
    precision = measured.details["with false clones (Table VI)"]["always-yes"]
    assert precision == {"false clones": 1, "precision": 0.667, "recall": 1.0}
    assert "Only 1 pairs are known to be different" in measured.notes[1]
    injected = _report(made, "injected-recall")
    row = injected.details["finders on the injected system (Table VI)"]["tokens"]
    assert row["judged"] == row["right"] == min(3, row["reported"])
    assert row["precision"] == 1.0
    assert row["recall"] is not None


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ('use = "clonecognition"\ndetector = "x"\nthreshold = 1.5', "is not within 0 and 1"),
        ('use = "detectors"\ndetectors = []', "needs detectors"),
        ('use = "injected-recall"\nfinders = ["tokens"]', "needs injected, which no stage before it makes"),
    ],
)
def test_bad_keys_are_refused(stage: str, message: str) -> None:
    before = '[[stage]]\nuse = "recorded"\npaths = ["a"]\n[[stage]]\nuse = "parse"\n[[stage]]\nuse = "similarity"\n'
    before += '[[stage]]\nuse = "generated-pairs"\n[[stage]]\nuse = "generated"\n'
    with pytest.raises(InputError, match=message):
        parse_recipe(f"{HEAD}{before}[[stage]]\n{stage}\n", Path())


def test_pairs_that_nobody_judged_are_in_no_table(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    with serving(writing_model) as server:
        recipe = write_recipe(tmp_path, server.url)
        recipe.write_text(f'{recipe.read_text()}\n[[stage]]\nuse = "detectors"\ndetectors = ["tokens"]\n')
        with pytest.raises(InputError, match="No judge has decided on a pair"):
            clonetruth.make_benchmark(recipe, output=tmp_path / "made")
