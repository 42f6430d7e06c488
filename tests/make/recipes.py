"""Small recipes and a model that answers them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clonetruth.model import Card, Fragment
from clonetruth.store import Benchmark, BenchmarkWriter, open_benchmark
from tests.judges.chat_server import SIMILAR, Reply, answer

JAVA_SEED = """static int total(int[] values) {
    int sum = 0;
    for (int value : values) {
        sum += value;
    }
    return sum;
}
"""
PYTHON_SEED = """def largest(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best
"""
OTHER_TOTAL = """static int addUp(int[] numbers) {
    if (numbers.length == 0) {
        return 0;
    }
    return java.util.Arrays.stream(numbers).sum();
}
"""
OTHER_LARGEST = """def biggest(items):
    ordered = sorted(items)
    return ordered[-1]
"""

GENERATE = """
[make]
name = "written"
description = "Clones that a model wrote."

[[stage]]
use = "seeds"
benchmark = "seeds"

[[stage]]
use = "ask"
models = ["tiny"]
base_url = "{url}"
concurrency = 2
{more}

[[stage.prompts]]
name = "other"
text = "Write the function in another way, as one {{language}} function: {{code}}"
runs = {runs}

[[stage]]
use = "parse"

[[stage]]
use = "similarity"

[[stage]]
use = "generated-pairs"

[[stage]]
use = "generated"
unknown = true
"""


JUDGED = """
[[stage]]
use = "llm-judge"
model = "judge"
base_url = "{url}"
canaries = 0
runs = 1
concurrency = 2

[[stage]]
use = "generated"
"""
"""The last stages of a generation whose pairs a model judges."""


def write_judged_recipe(folder: Path, url: str, *, runs: int = 1, more: str = "") -> Path:
    """The recipe of a generation whose pairs a model judges, with further stages."""
    path = write_recipe(folder, url, runs=runs)
    before = path.read_text(encoding="utf-8").partition('[[stage]]\nuse = "generated"\n')[0]
    path.write_text(before + JUDGED.format(url=url) + more, encoding="utf-8")
    return path


def judging_model(request: dict[str, Any], number: int) -> Reply:
    """A model that writes as `writing_model`, and judges every pair to be similar."""
    return answer(SIMILAR) if request["model"] == "judge" else writing_model(request, number)


def seed_benchmark(path: Path, count: int = 2) -> Benchmark:
    """A benchmark of seeds: a function in Java, one in Python, and renamed ones."""
    texts = [("java", JAVA_SEED), ("python", PYTHON_SEED)]
    texts += [("java", JAVA_SEED.replace("total", f"total{number}")) for number in range(count - 2)]
    card = Card("seeds", "1", "Seeds.", "MIT", "none", "functionally-similar", ("java", "python"))
    with BenchmarkWriter(path, card) as writer:
        writer.add("fragments", [Fragment(f"s{at}", name, text) for at, (name, text) in enumerate(texts[:count])])
    return open_benchmark(path)


def write_recipe(folder: Path, url: str, *, runs: int = 1, more: str = "") -> Path:
    """The recipe of a generation, next to its seeds."""
    path = folder / "recipe.toml"
    path.write_text(GENERATE.format(url=url, runs=runs, more=more), encoding="utf-8")
    return path


def writing_model(request: dict[str, Any], number: int) -> Reply:
    """A model that answers each seed with another implementation."""
    asked = request["messages"][-1]["content"]
    code, tag = (OTHER_LARGEST, "python") if "largest" in asked else (OTHER_TOTAL, "java")
    return answer(f"Here it is:\n\n```{tag}\n{code}```\n")
