"""TrueClones checked from outside: ``python -m bench.bench_trueclones_mbxp FOLDER --cards CARDS [--limit N]``.

FOLDER holds MBXP. Of its tasks with odd numbers, the test programs are run around the canonical solutions and around a
model's samples, in the sandbox. Pairs with a canonical solution that passes:

- in one language, with the sample of the same task: a clone if it passes, not a clone if it runs and fails;
- across languages, with the canonical solution, and with the sample, in the other one: the same.

Solutions that do not compile, do not come to their end or end before their tests are in no pair. All detectors are
measured on these pairs, and their order is compared with that on TrueClones. CARDS holds a file of ``clonetruth
benchmark DETECTOR -o FILE`` for each; without it they are computed, which takes minutes. ``--journal FILE`` keeps what
the tests showed, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from scipy.stats import kendalltau

import clonetruth
from bench.bench_mbxp import Task, read_tasks
from bench.bench_trueclones import DETECTORS, group, text
from bench.measurement import machine
from clonetruth.detectors import DETECTORS as REGISTERED
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.execution.brought_tests import BroughtVerdict, run_brought_test
from clonetruth.execution.harness import ProgramRunner
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    PairValue,
    Role,
)
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement, Result, read_result

CRITERION = "equivalent-behaviour"
JUDGE = Judge(
    id="execution:mbxp-tests",
    kind=JudgeKind.EXECUTION,
    name="The tests of the task",
    description="Runs the test program of the task around a solution: about three inputs.",
)


@dataclass(frozen=True)
class Solution:
    """A solution that ran: whether it is the canonical one, and whether it passes its tests."""

    task: str
    fragment: str
    language: str
    text: str
    canonical: bool
    passed: bool


def number(task: Task) -> str:
    """The number of a task, the same in all languages."""
    return task.fragment.split("/")[1]


def solutions(folder: Path, languages: Sequence[str], limit: int | None, journal: Path | None) -> Iterator[Solution]:
    """The solutions of odd tasks that compile and come to their end, with what their tests show."""
    known: dict[str, str] = {}
    for line in journal.read_text().splitlines() if journal is not None and journal.exists() else ():
        entry = json.loads(line)
        known[entry["key"]] = entry["verdict"]
    tasks = [
        (canonical, one)
        for canonical in (True, False)
        for one in read_tasks(folder, languages, canonical=canonical)
        if int(number(one)) % 2
    ]
    order = sorted({number(one) for _, one in tasks}, key=lambda one: hashlib.md5(one.encode()).hexdigest())
    chosen = set(order[:limit])
    with ProgramRunner(Bubblewrap()) as runner:
        for canonical, one in tasks:
            if number(one) not in chosen:
                continue
            key = hashlib.sha256(f"{one.fragment}\n{one.test.around(one.text)}".encode()).hexdigest()
            if key not in known:
                outcome = run_brought_test(one.text, one.test, one.language, runner)
                ran = outcome.passed or (outcome.verdict is BroughtVerdict.FAILED and not outcome.messages)
                known[key] = str(outcome.verdict) if ran else "did not run"
                if journal is not None:
                    with journal.open("a") as file:
                        file.write(json.dumps({"key": key, "verdict": known[key]}) + "\n")
            if known[key] != "did not run":
                passed = known[key] == str(BroughtVerdict.PASSED)
                yield Solution(number(one), one.fragment, one.language, one.text, canonical, passed)


def labelled(found: Sequence[Solution], *, across: bool) -> Iterator[tuple[Solution, Solution, bool]]:
    """Pairs with a canonical solution that passes, and whether they are clones; each pair once."""
    by_task: dict[str, list[Solution]] = {}
    for one in found:
        by_task.setdefault(one.task, []).append(one)
    seen = set()
    for group_of_task in by_task.values():
        for left, right in permutations(group_of_task, 2):
            key = frozenset((left.fragment, right.fragment))
            same = left.language == right.language
            if left.canonical and left.passed and same is not across and key not in seen:
                seen.add(key)
                yield left, right, right.passed


def dataset(pairs: Sequence[tuple[Solution, Solution, bool]]) -> Dataset:
    """A benchmark of pairs."""
    fragments = {one.fragment: one for left, right, _ in pairs for one in (left, right)}
    card = Card(
        name="mbxp-odd-tasks",
        version="1",
        description="Solutions of MBXP's tasks with odd numbers, labelled by the tests of the task.",
        licence="CC BY 4.0",
        citation="MBXP",
        criterion=CRITERION,
        languages=tuple(sorted({one.language for one in fragments.values()})),
    )
    return Dataset(
        card=card,
        fragments=tuple(Fragment(one.fragment, one.language, one.text) for one in fragments.values()),
        functionalities=tuple(Functionality(task, task) for task in sorted({one.task for one in fragments.values()})),
        memberships=tuple(
            Membership(one.fragment, one.task, Role.TAGGED_TRUE if one.passed else Role.TAGGED_FALSE)
            for one in fragments.values()
        ),
        pairs=tuple(Pair(left.fragment, right.fragment, left.task) for left, right, _ in pairs),
        judges=(JUDGE,),
        judgements=tuple(
            Judgement(JUDGE.id, CRITERION, PairValue.CLONE if clone else PairValue.NOT_CLONE, pair=row)
            for row, (_, _, clone) in enumerate(pairs)
        ),
    )


def measured(pairs: Sequence[tuple[Solution, Solution, bool]], detectors: Sequence[str]) -> dict[str, Measurement]:
    """The ROC AUC of detectors; one that scores no pair is left out."""
    options = PairsOptions(missing=Missing.NOT_CLONE, baselines=())
    found = {}
    with tempfile.TemporaryDirectory(prefix="clonetruth-mbxp-") as folder:
        benchmark = Benchmark.create(Path(folder, "mbxp"), dataset(pairs))
        for name in detectors:
            auc = evaluate_pairs(benchmark, REGISTERED[name], options).measurement("roc-auc")
            if auc is not None and auc.value is not None:
                found[name] = auc
    return found


def cards(folder: Path | None, detectors: Sequence[str]) -> dict[str, Result]:
    """The cards of detectors on TrueClones: those of a folder, or computed."""
    if folder is None:
        return {one: clonetruth.benchmark_detector(one) for one in detectors}
    return {one: read_result(folder / f"{one}.json") for one in detectors if (folder / f"{one}.json").exists()}


def numbers(results: Mapping[str, Result], name: str, *, across: bool) -> dict[str, Measurement]:
    """A number of the core set, or of pairs across languages, for each detector that has it."""
    found: dict[str, Measurement] = {}
    for detector, result in results.items():
        if across:
            of = group(result, "stratum", "cross-language")
            one = next((one for one in of.measurements if one.name == name), None) if of else None
        else:
            one = result.measurement(name)
        if one is not None and one.value is not None:
            found[detector] = one
    return found


def correlation(ours: Mapping[str, Measurement], theirs: Mapping[str, Measurement]) -> str:
    """Kendall's tau of the detectors that both have, and what becomes of those that both tell apart."""
    both = [one for one in ours if one in theirs]
    if len(both) < 3:
        return f"{len(both)} detectors: too few"
    tau = kendalltau([ours[one].value for one in both], [theirs[one].value for one in both])
    return f"Kendall's tau-b {tau.statistic:.2f} (p = {tau.pvalue:.2f}, {len(both)} detectors)"


def main() -> None:
    """Print a table and the correlations, in one language and across languages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--detector", action="append", default=[])
    parser.add_argument("--limit", type=int, help="number of tasks")
    parser.add_argument("--cards", type=Path)
    parser.add_argument("--journal", type=Path)
    arguments = parser.parse_args()
    languages = arguments.language or ["python", "javascript"]
    detectors = arguments.detector or list(DETECTORS)
    found = list(solutions(arguments.folder, languages, arguments.limit, arguments.journal))
    results = cards(arguments.cards, detectors)
    print(f"MBXP, tasks with odd numbers, {', '.join(languages)} ({machine()})")
    for across in (False, True):
        pairs = list(labelled(found, across=across))
        clones = sum(clone for *_, clone in pairs)
        where = "across languages" if across else "in one language"
        print(f"\n{len(pairs)} pairs {where}: {clones} clones, {len(pairs) - clones} non-clones\n")
        if not 0 < clones < len(pairs):
            continue
        theirs = measured(pairs, detectors)
        auc, matched = (numbers(results, name, across=across) for name in ("roc-auc", "matched-accuracy"))
        print("| detector | MBXP ROC AUC | TrueClones ROC AUC | TrueClones matched |")
        print("| --- | --- | --- | --- |")
        for name in detectors:
            print(f"| `{name}` | {text(theirs.get(name))} | {text(auc.get(name))} | {text(matched.get(name))} |")
        print(f"\nMBXP against TrueClones' ROC AUC: {correlation(auc, theirs)}")
        print(f"MBXP against TrueClones' matched: {correlation(matched, theirs)}")


if __name__ == "__main__":
    main()
