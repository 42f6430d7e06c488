"""MBXP's pass@1: ``python -m bench.bench_mbxp FOLDER --language java [--language python …]``.

Runs the test program of every task around the model's sample, in the sandbox, and prints the share that passes beside
the published one. Published shares are of all tasks; FOLDER may hold a part of them, so the table has the 95 % interval
in which the share of a random part of that size lies (normal approximation with finite-population correction).
A sample that does not compile, takes too long, or ends before its tests has not passed. Failures that a newer compiler
would not have are counted too: the message names something that came later (`OLD_COMPILER`), or it is about syntax that
the grammar of the language as it is today accepts. ``--canonical`` runs the canonical solutions; ``--limit`` takes a
random part of the tasks; ``--output FILE`` writes each outcome as a line of JSON.

What explains the published number of TypeScript is a compiler that goes on after errors: code that is cut off in the
middle swallows its tests, and passes. ``--compiler typescript.js`` (of the npm package) compiles the samples that did
not pass in that way, inside the sandbox, and counts those that then end without an error, and those of them that ran no
test.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench.measurement import machine
from clonetruth.code import language as code_language
from clonetruth.execution.brought_tests import BroughtOutcome, BroughtTest, run_brought_test
from clonetruth.execution.harness import PROGRAM_LANGUAGES, ProgramRunner, ProgramSource
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.sources.mbxp import SOURCE
from clonetruth.sources.source import ImportLog

PUBLISHED: Mapping[str, tuple[float, int]] = {
    "python": (82.24, 974),
    "java": (85.30, 966),
    "cpp": (79.60, 848),
    "javascript": (78.67, 966),
    "typescript": (87.29, 968),
    "csharp": (63.63, 968),
    "php": (72.77, 966),
    "ruby": (58.90, 966),
    "go": (39.19, 939),
}
"""Pass@1 in per cent, and how many tasks there are, by language. The files do not say the number: it is assumed."""

OLD_COMPILER: Mapping[str, tuple[str, str]] = {
    "csharp": (
        r"CS1644|CS8025|(?:CS1061|CS0117|CS1501|CS1503|CS0103).*(?:TakeLast|SkipLast|ToHashSet|Append|Prepend|"
        r"GetValueOrDefault|MaxBy|MinBy|DistinctBy|Chunk|TryAdd|Deconstruct|MathF|Math.Clamp|AsSpan|PriorityQueue)",
        r"error CS(?:1525|1519|1002|1026|1513|1022|1514|1001|1003)\b",
    ),
    "go": (r"requires go1\.|package (?:slices|maps|cmp) is not in GOROOT", r"syntax error"),
}
"""Messages that only a newer library or language explains, and messages about syntax, which count where the grammar of
the language as it is today accepts the program. Grammars accept more than compilers, and the list has gaps."""


@dataclass(frozen=True)
class Task:
    """A solution with the program that tests it."""

    fragment: str
    language: str
    text: str
    test: BroughtTest


def read_tasks(folder: Path, languages: Sequence[str], *, canonical: bool) -> list[Task]:
    """The solutions of MBXP in some languages."""
    dataset = SOURCE.read([folder], {}, ImportLog())
    tests = {
        (one.functionality, one.language): BroughtTest(one.before or "", one.after or "")
        for one in dataset.tests
        if one.language is not None
    }
    return [
        Task(one.id, one.language, one.text or "", tests[f"MBXP/{one.id.split('/')[1]}", one.language])
        for one in dataset.fragments
        if one.language in languages and one.id.endswith("/canonical") is canonical
    ]


_runner: list[ProgramRunner] = []


def start_worker() -> None:
    """In a new process: the sandbox that all its programs use."""
    _runner.append(ProgramRunner(Bubblewrap()))


def run_task(task: Task) -> tuple[Task, BroughtOutcome]:
    """Run one test program in this process's sandbox."""
    return task, run_brought_test(task.text, task.test, task.language, _runner[0])


def is_old_compiler(task: Task, outcome: BroughtOutcome) -> bool:
    """Whether a failure is the fault of an old compiler."""
    newer, syntax = OLD_COMPILER.get(task.language, ("", ""))
    if not newer or not outcome.messages:
        return False
    if re.search(newer, outcome.messages):
        return True
    program = task.test.around(task.text).encode()
    return (
        bool(re.search(syntax, outcome.messages))
        and not code_language(task.language).parser.parse(program).root_node.has_error
    )


_TRANSPILE = b"""
const compiler = require('./typescript.js'), fs = require('fs')
const options = { compilerOptions: { target: 'es5', module: 'commonjs' } }
fs.writeFileSync('main.js', compiler.transpileModule(fs.readFileSync('main.ts', 'utf8'), options).outputText)
fs.unlinkSync('typescript.js')
"""
_COMPILED = replace(
    PROGRAM_LANGUAGES["javascript"], compile="node --max-old-space-size=512 transpile.js", run="node main.js"
)


def run_compiled(task: Task, compiler: bytes) -> tuple[bool, bool]:
    """Whether a program of TypeScript ends without an error when a compiler has closed what is open, and whether it
    then came to its end."""
    text = f"{task.test.around(task.text)}\nrequire('fs').writeSync(3, 'end')\n"
    files = {"main.ts": text.encode(), "typescript.js": compiler, "transpile.js": _TRANSPILE}
    run = _runner[0].run(ProgramSource("javascript", files, "main.ts"), [""], 10, language=_COMPILED)
    outcome = run.outcomes[0] if run.outcomes else None
    return outcome is not None and outcome.succeeded, outcome is not None and outcome.channel == b"end"


def report_compiled(done: Sequence[tuple[Task, BroughtOutcome]], compiler: bytes) -> str:
    """What the published procedure counts beyond ours."""
    start_worker()
    again = [run_compiled(task, compiler) for task, outcome in done if not outcome.passed]
    passed = sum(outcome.passed for _, outcome in done) + sum(one for one, _ in again)
    untested = sum(one and not came_to_end for one, came_to_end in again)
    share = 100 * passed / max(len(done), 1)
    return f"  compiled as published: {passed} of {len(done)}, {share:.2f} %; {untested} of them ran no test"


def expected_interval(language: str, count: int) -> tuple[float, float]:
    """Where the share of a random part of the tasks lies in 95 of 100 cases, in per cent."""
    published, population = PUBLISHED[language]
    share = published / 100
    correction = max(0, population - count) / max(population - 1, 1)
    half = 1.96 * math.sqrt(share * (1 - share) / max(count, 1) * correction) * 100
    return published - half, published + half


def report(language: str, done: Sequence[tuple[Task, BroughtOutcome]], seconds: float) -> Iterator[str]:
    """A row of the table, and why samples did not pass."""
    count = len(done)
    passed = sum(outcome.passed for _, outcome in done)
    old = sum(is_old_compiler(task, outcome) for task, outcome in done)
    low, high = expected_interval(language, count)
    share = 100 * passed / max(count, 1)
    inside = "yes" if low <= share <= high else "no"
    yield (
        f"| {language} | {passed} of {count} | {share:.2f} | {PUBLISHED[language][0]:.2f} | {low:.1f} to {high:.1f} | "
        f"{inside} | {old} | {seconds:.0f} |"
    )
    others = Counter(
        str(outcome.reason or f"{outcome.verdict}: {outcome.detail}") for _, outcome in done if not outcome.passed
    )
    yield "  " + ", ".join(f"{reason} {number}" for reason, number in others.most_common(8))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", action="append", choices=list(PUBLISHED), default=[])
    parser.add_argument("--canonical", action="store_true", help="run the canonical solutions, not the samples")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--compiler", type=Path, help="typescript.js, to count as the published number does")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    print(f"MBXP ({machine()})\n", flush=True)
    print("| language | passed | per cent | published | 95 % interval | inside | old compiler | seconds |", flush=True)
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for language in arguments.language or PUBLISHED:
        tasks = read_tasks(arguments.folder, [language], canonical=arguments.canonical)
        tasks = sorted(tasks, key=lambda one: hashlib.md5(one.fragment.encode()).hexdigest())[: arguments.limit]
        started = time.monotonic()
        with multiprocessing.Pool(arguments.workers, start_worker) as pool:
            done = list(pool.imap_unordered(run_task, tasks))
        print("\n".join(report(language, done, time.monotonic() - started)), flush=True)
        if language == "typescript" and arguments.compiler:
            print(report_compiled(done, arguments.compiler.read_bytes()), flush=True)
        if arguments.output:
            with arguments.output.open("a") as file:
                for task, outcome in sorted(done, key=lambda one: one[0].fragment):
                    file.write(json.dumps({"fragment": task.fragment, **asdict(outcome)}) + "\n")


if __name__ == "__main__":
    main()
