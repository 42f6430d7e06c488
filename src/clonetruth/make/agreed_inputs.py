"""Inputs for a contest whose source brings none: those on which several accepted solutions of a problem agree.

They are written as tests of the candidates (`tests/agreed-inputs`), without a result: the stage `execution` starts with
them for pairs of two problems, and a difference on one of them counts.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pyarrow as pa

from clonetruth.code import available_cores
from clonetruth.code.worker_pool import LostWorker, run_in_processes
from clonetruth.errors import InputError
from clonetruth.execution.agreed_inputs import find_agreed_inputs
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.harness import Code, Harnesses
from clonetruth.execution.sandbox.bubblewrap import require
from clonetruth.judges.line_file import LineFile
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.options.execution import SandboxOptions
from clonetruth.store import Benchmark, open_benchmark

TESTS = "agreed-inputs"
_HEADER = {"format": "clonetruth agreed inputs", "version": 1}

_NOTE = (
    "On these inputs a difference between programs of two problems counts. Which other values a problem permits is "
    "unknown, so that differences between two solutions of one problem stay undecided."
)

_SOLUTIONS = """
WITH paired AS (SELECT p.left AS fragment FROM pairs p UNION SELECT p.right AS fragment FROM pairs p)
SELECT m.functionality AS functionality, f.language AS language, f.text AS text, min(f.fragment) AS fragment,
    max(CASE WHEN q.fragment IS NULL THEN 0 ELSE 1 END) AS is_paired
FROM memberships m
JOIN fragments f ON m.fragment = f.fragment
LEFT JOIN paired q ON m.fragment = q.fragment
WHERE m.functionality IN (SELECT n.functionality FROM memberships n JOIN paired r ON n.fragment = r.fragment)
GROUP BY m.functionality, f.language, f.text
ORDER BY functionality, language, is_paired, fragment
"""


@dataclass(frozen=True)
class AgreedInputsOptions:
    """The keys of the stage.

    Attributes:
        count: number of inputs that are wanted for a problem.
        solutions: number of solutions of a problem that are asked; those that no pair has come first.
        least: minimum number of solutions that must agree.
        seconds: maximum number of seconds for a problem.
        seed: random seed of the inputs.
        jobs: number of worker processes.
    """

    count: int = 10
    solutions: int = 6
    least: int = 3
    seconds: float = 60.0
    seed: int = 0
    jobs: int | None = None


@dataclass(frozen=True)
class _Problem:
    functionality: int
    solutions: tuple[Code, ...]


def _find(work: StageWork) -> StageOutcome:
    options: AgreedInputsOptions = work.options
    require(open_sandbox(SandboxOptions()).layers())
    candidates = open_benchmark(work.artefact("candidates"))
    if set(candidates.names("tests")) - {TESTS}:
        return StageOutcome(notes=("The source brings tests; nothing was looked for.",))
    problems = _problems(candidates)
    found: dict[int, Mapping[str, Any]] = {}
    with LineFile(
        work.making / f"agreed-inputs-{work.key[:8]}.jsonl", _HEADER, "the journal of agreed inputs"
    ) as journal:
        found |= {record["functionality"]: record for _, record in journal.records()}
        left = [one for one in problems if one.functionality not in found]
        work.progress("problems", len(problems) - len(left), len(problems))
        for number, outcome in _ask(left, options):
            found[number] = {"functionality": number, **outcome}
            journal.append(found[number])
            work.progress("problems", 1, len(problems))
    kept = {one.functionality: found[one.functionality] for one in problems if found[one.functionality]["calls"]}
    rows = [
        {"functionality": number, "calls": json.dumps(kept[number]["calls"], ensure_ascii=False)} for number in kept
    ]
    if rows:
        schema = pa.schema([("functionality", pa.int64()), ("calls", pa.string())])
        candidates.write_table("tests", TESTS, pa.Table.from_pylist(rows, schema=schema), replace=True)
    reasons = Counter(found[one.functionality]["why_none"] for one in problems if one.functionality not in kept)
    return StageOutcome(
        taken={"problems": len(problems)},
        given={"problems with inputs": len(rows), "inputs": sum(len(kept[number]["calls"]) for number in kept)},
        left_out=dict(reasons.most_common()),
        notes=(_NOTE,) if rows else (),
        details={
            "solutions that agree on an input": {
                str(agreed): count
                for agreed, count in sorted(
                    Counter(call["agreed"] for record in kept.values() for call in record["calls"]).items()
                )
            }
        },
    )


def _problems(candidates: Benchmark) -> list[_Problem]:
    """The problems of the pairs with their solutions: those that no pair has first, languages in turn."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in candidates.sql(_SOLUTIONS).to_pylist():
        found.setdefault(row["functionality"], []).append(row)
    return [_Problem(number, tuple(_in_turn(rows))) for number, rows in found.items()]


def _in_turn(rows: Sequence[Mapping[str, Any]]) -> Iterator[Code]:
    for is_paired in (0, 1):
        by_language: dict[str, list[Code]] = {}
        for row in rows:
            if row["is_paired"] == is_paired:
                by_language.setdefault(row["language"], []).append(Code(row["text"], row["language"]))
        for several in zip_longest(*by_language.values()):
            yield from filter(None, several)


def _ask(problems: Sequence[_Problem], options: AgreedInputsOptions) -> Iterator[tuple[int, Mapping[str, Any]]]:
    processes = min(options.jobs or available_cores(), len(problems))
    if processes <= 1:
        try:
            for one in problems:
                yield one.functionality, _inputs_of(options, one)
        finally:
            _harnesses().close()
        return
    for finished in run_in_processes(functools.partial(_inputs_of, options), problems, processes):
        outcome = finished.outcome
        lost = {"calls": [], "why_none": f"the worker ended: {outcome}"}
        yield finished.task.functionality, lost if isinstance(outcome, LostWorker) else outcome


@functools.cache
def _harnesses() -> Harnesses:
    return Harnesses(open_sandbox(SandboxOptions()))


def _inputs_of(options: AgreedInputsOptions, problem: _Problem) -> Mapping[str, Any]:
    try:
        found = find_agreed_inputs(
            problem.solutions,
            _harnesses(),
            count=options.count,
            voters=options.solutions,
            least=options.least,
            seconds=options.seconds,
            seed=options.seed,
        )
    except Exception as error:  # of strange code that a harness did not expect
        _harnesses().close()
        return {"calls": [], "why_none": f"{type(error).__name__}: {error}"[:100]}
    calls = [{"stdin": one.stdin, "agreed": one.agreed} for one in found.inputs]
    return {"calls": calls, "why_none": found.why_none}


def _estimate(work: StageWork) -> StageEstimate:
    if not work.has("candidates"):
        return StageEstimate()
    problems = len(_problems(open_benchmark(work.artefact("candidates"))))
    seconds = problems * work.options.seconds
    return StageEstimate({"problems": problems}, note=f"at most {seconds / 3600:,.1f} hours of one process")


def _check(options: AgreedInputsOptions) -> None:
    if not 2 <= options.least <= options.solutions:
        raise InputError("'least' must be at least 2, and at most 'solutions'.")
    if options.count < 1 or options.seconds <= 0:
        raise InputError("'count' must be at least 1, and 'seconds' more than 0.")


STAGE = Stage(
    name="agreed-inputs",
    description="Find inputs on which several accepted solutions of a problem agree, where its source has none.",
    options=AgreedInputsOptions,
    run=_find,
    reads=("candidates",),
    appends_to=("candidates",),
    effort=("jobs",),
    estimate=_estimate,
    check=_check,
)
