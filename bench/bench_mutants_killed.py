"""How many seeded changes inputs notice: ``python -m bench.bench_mutants_killed [--mbxp FOLDER] [--quixbugs FILE]``.

A mutant is a Python function with one operator, constant or condition changed (`clonetruth.execution.mutants`); mutants
that parse to the same program are left out. Each is compared with its original by generated inputs; it is killed when a
difference is found and comes again, or when it no longer ends. Those that are not killed are printed, so that a person
can say which of them are equivalent.

Functions come from the embedded benchmark, and from MBXP's canonical Python solutions of tasks with an even number
(``--mbxp``; the odd half stays unseen unless ``--odd``). Their docstrings have examples, which are inputs as well;
``--without-docstrings`` takes them out. ``--quixbugs`` tells buggy programs from correct ones, with
and without the tests that come along.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import lzma
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from bench.measurement import machine
from clonetruth.execution import (
    BehaviourVerdict,
    CallInput,
    Code,
    Difference,
    DifferencePolicy,
    Harnesses,
    Reason,
    SearchBudget,
    compare_behaviour,
)
from clonetruth.execution.comparison import DEFAULT_COUNTED
from clonetruth.execution.literal_calls import calls_of_json
from clonetruth.execution.mutants import SeededChange, seeded_changes
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.stats.intervals import wilson

_POLICY = DifferencePolicy(counted=DEFAULT_COUNTED | {Difference.ENDLESS})
"""A program that runs for ever is told from one that does not."""
_NOTICED = DifferencePolicy(counted=frozenset(Difference) - {Difference.ORDER})
"""A change is noticed by whatever it does."""
_EMBEDDED = "clonetruth.sources.embedded_data"


def embedded_functions() -> Iterator[tuple[str, str]]:
    """The Python files of the embedded benchmark."""
    for folder in sorted(resources.files(_EMBEDDED).iterdir(), key=lambda one: one.name):
        if folder.is_dir():
            for file in sorted(folder.joinpath("python").iterdir(), key=lambda one: one.name):
                if file.name.endswith(".py"):
                    yield f"{folder.name}/{file.name}", file.read_text()


def mbxp_functions(folder: Path, parity: int) -> Iterator[tuple[str, str]]:
    """MBXP's canonical Python solutions of tasks with an even or odd number."""
    with lzma.open(folder / "mbpp_release_v1.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            number = int(row["task_id"].rpartition("/")[2])
            if row["canonical_solution"] and number % 2 == parity:
                yield row["task_id"], row["prompt"] + row["canonical_solution"]


def without_docstrings(text: str) -> str:
    """A program without the texts that document its functions; the lines keep their numbers."""
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            indent = lines[first.lineno - 1][: first.col_offset]
            lines[first.lineno - 1 : first.end_lineno] = [f"{indent}pass"] + [""] * (
                (first.end_lineno or first.lineno) - first.lineno
            )
    return "\n".join(lines)


def is_same_program(original: str, mutant: str) -> bool:
    """Whether both compile to the same code, apart from positions."""
    return ast.dump(ast.parse(original)) == ast.dump(ast.parse(mutant))


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def drawn(
    functions: Sequence[tuple[str, str]], per_function: int, seed: int
) -> Iterator[tuple[str, str, SeededChange]]:
    """Mutants of each function, drawn by the seed."""
    for name, text in functions:
        every = [one for one in seeded_changes(Code(text, "python")) if parses(one.text)]
        every = [one for one in every if not is_same_program(text, one.text)]
        for one in Random(f"{seed} {name}").sample(every, min(per_function, len(every))):
            yield name, text, one


def kill(functions: Sequence[tuple[str, str]], per_function: int, budget: SearchBudget) -> None:
    """Print how many mutants are killed, and those that are not."""
    verdicts: Counter[str] = Counter()
    survivors: list[str] = []
    with Harnesses(Bubblewrap()) as harnesses:
        for name, text, change in drawn(functions, per_function, budget.seed):
            found = compare_behaviour(
                Code(text, "python"), Code(change.text, "python"), harnesses, budget=budget, policy=_NOTICED
            )
            verdict = str(found.verdict)
            if found.verdict is BehaviourVerdict.UNDECIDED:
                verdict = f"undecided: {found.why_undecided}"
            same = Code(text, "python")
            if (
                found.why_undecided is Reason.NO_RUN
                and compare_behaviour(same, same, harnesses, budget=budget).strength.normal
            ):
                # The original runs with such inputs: the mutant fails on all of them.
                verdict = str(BehaviourVerdict.DIFFERENT)
            verdicts[verdict] += 1
            if verdict != BehaviourVerdict.DIFFERENT and found.verdict is not BehaviourVerdict.DIFFERENT:
                line = change.text.split("\n")[change.line - 1].strip()
                survivors.append(f"{name}:{change.line} {change.before} → {change.after}: `{line}` ({verdict})")
    total = sum(verdicts.values())
    killed = verdicts[BehaviourVerdict.DIFFERENT]
    interval = wilson(killed, total)
    said = f", 95 % interval {interval.low:.1%} to {interval.high:.1%}" if interval else ""
    print(f"{killed} of {total} mutants killed ({killed / max(total, 1):.1%}{said})\n")
    print("\n".join(f"- {verdict}: {count}" for verdict, count in verdicts.most_common()))
    print("\nNot killed:\n" + "\n".join(f"- {one}" for one in survivors))


def quixbugs(path: Path, budget: SearchBudget) -> None:
    """Print which buggy programs are told from the correct ones, without and with the tests."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["python_buggy"] and row["python_correct"] and row["program"] != "node"]
    for with_tests in (False, True):
        missed = []
        with Harnesses(Bubblewrap()) as harnesses:
            for row in rows:
                inputs: list[CallInput] = []
                if with_tests and row["testcases"]:
                    inputs = [CallInput(tuple(arguments)) for arguments, _ in calls_of_json(row["testcases"])]
                left, right = (Code(row[name], "python", row["program"]) for name in ("python_correct", "python_buggy"))
                found = compare_behaviour(left, right, harnesses, budget=budget, inputs=inputs, policy=_POLICY)
                if found.verdict is not BehaviourVerdict.DIFFERENT:
                    missed.append(f"{row['program']} ({found.why_undecided or found.verdict} {found.detail})")
        told = len(rows) - len(missed)
        print(f"QuixBugs, {'with' if with_tests else 'without'} tests: {told} of {len(rows)} told apart. Not: {missed}")


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mbxp", type=Path)
    parser.add_argument("--quixbugs", type=Path)
    parser.add_argument("--odd", action="store_true", help="MBXP tasks with an odd number, for the final number")
    parser.add_argument("--functions", type=int, default=60, help="functions of MBXP at most")
    parser.add_argument("--per-function", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-embedded", action="store_true")
    parser.add_argument("--without-docstrings", action="store_true")
    arguments = parser.parse_args()
    budget = SearchBudget(seed=arguments.seed, seconds=6.0)
    print(f"seed {arguments.seed} ({machine()})\n")
    started = time.monotonic()
    if arguments.quixbugs:
        quixbugs(arguments.quixbugs, budget)
    functions = [] if arguments.no_embedded else list(embedded_functions())
    if arguments.mbxp:
        every = list(mbxp_functions(arguments.mbxp, 1 if arguments.odd else 0))
        functions += Random(arguments.seed).sample(every, min(arguments.functions, len(every)))
    if arguments.without_docstrings:
        functions = [(name, without_docstrings(text)) for name, text in functions if parses(text)]
    if functions:
        kill(functions, arguments.per_function, budget)
    print(f"\n{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
