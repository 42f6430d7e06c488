"""A real, small model writes and the real sandbox judges: from a seed to a benchmark, nothing is in place of a part."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.arrow_files import read_parquet
from clonetruth.audit import audit_benchmark
from clonetruth.make import MakeReport, StageReport
from clonetruth.store import open_benchmark
from tests.execution.sandboxed import needs_sandbox
from tests.judges.small_model import serving_small_model
from tests.make.recipes import seed_benchmark

RECIPE = """
[make]
name = "written-by-a-small-model"
description = "What a model with 135 million parameters makes of a function."

[[stage]]
use = "seeds"
benchmark = "seeds"
languages = ["python"]

[[stage]]
use = "runnable-seeds"
jobs = 1

[[stage]]
use = "ask"
models = ["SmolLM2-135M-Instruct"]
base_url = "{url}"
parameters = {{ temperature = 0.0, max_tokens = 60 }}
concurrency = 1
timeout = 250.0

# As the model likes.
[[stage.prompts]]
name = "free"
text = "Write this {{language}} function in another way. Code only.\\n\\n{{code}}"

# The server keeps the model to code that parses; what the code does, the model chooses.
[[stage.prompts]]
name = "guided"
text = "Write this {{language}} function in another way: sort, then choose the right place.\\n\\n{{code}}"
[stage.prompts.parameters]
grammar = '''
root ::= head place "\\n    return ordered[place]\\n```"
head ::= "```python\\ndef biggest(items):\\n    ordered = sorted(items)\\n    place = "
place ::= "-1" | "0" | "len(items) - 1"
'''

[[stage.prompts]]
name = "changed"
wants = "different"
text = "Change the comparison in this {{language}} function, so that it finds the smallest.\\n\\n{{code}}"
[stage.prompts.parameters]
grammar = '''
root ::= head sign " best:\\n            best = value\\n    return best\\n```"
head ::= "```python\\ndef largest(values):\\n    best = values[0]\\n    for value in values:\\n        if value "
sign ::= "<" | "<=" | ">="
'''

[[stage]]
use = "parse"

[[stage]]
use = "similarity"
diversity = 0.95

[[stage]]
use = "generated-pairs"

[[stage]]
use = "execution"
runs = 60
jobs = 1

[[stage]]
use = "generated"
refuted = true
"""


def _report(made: MakeReport, name: str) -> StageReport:
    found = made.stage(name).report
    assert found is not None
    return found


@pytest.mark.slow
@needs_sandbox
def test_a_small_model_drives_the_whole_process(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds")
    with serving_small_model() as url:
        recipe = tmp_path / "recipe.toml"
        recipe.write_text(RECIPE.format(url=url), encoding="utf-8")
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    assert _report(report, "runnable-seeds").given == {"seeds": 1}
    asked = _report(report, "ask")
    assert asked.given == {"answers": 3}
    assert asked.notes[0].startswith("Written by SmolLM2-135M-Instruct, 20")
    assert asked.details["tokens"]["output"] > 60
    parsed = _report(report, "parse")
    fates = parsed.details["answers"]
    assert sum(count for one in fates.values() for count in one.values()) == 3
    stages = tmp_path / "made" / "stages"
    written = {row["prompt"]: row["text"] for row in read_parquet(stages / "parse" / "snippets").to_pylist()}
    table = _report(report, "generated").details["by prompt and language of the seed"]
    # What execution says is what the model's choice does.
    right = "place = 0\n" not in written["guided"]
    decided = table["guided, Python"]
    assert (decided["no difference"], decided["different"]) == ((1, 0) if right else (0, 1))
    assert decided["accepted"] == int(right)
    changed = table["changed, Python"]
    different = ">=" not in written["changed"]
    assert (changed["different"], changed["no difference"]) == ((1, 0) if different else (0, 1))
    made = open_benchmark(tmp_path / "made" / "benchmark")
    sheet = (made.path / "README.md").read_text(encoding="utf-8")
    assert "| guided, Python |" in sheet
    assert "SmolLM2-135M-Instruct" in sheet
    errors = {one.code for one in audit_benchmark(made).findings if one.severity == "error"}
    assert errors <= {"CT307"}, "a model that makes no mistake leaves clones only"
