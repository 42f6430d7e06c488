"""MBXP: one programming task in up to ten languages, with test programs, canonical solutions and a model's samples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.execution.literal_calls import calls_of_asserts, write_calls
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    FunctionalityTest,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    PairValue,
    Role,
)
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import language_name
from clonetruth.sources.json_rows import as_text, first_object, json_rows
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard

_CRITERION = "equivalent-behaviour"
_TASK = re.compile(r"MB[A-Z]{1,6}/\d{1,9}")
_TASK_COLUMNS = ("task_id", "prompt", "test", "entry_point", "language")
_SAMPLE_COLUMNS = ("task_id", "completion", "language")
_CSHARP_CLASS = re.compile(r"\A.*?\bclass\s+\w+\s*\{[ \t]*\n", re.DOTALL)
"""What surrounds a method of C#: the test program closes it, so that it belongs to the test."""

_RULE = Judge(
    id="rule:mbxp",
    kind=JudgeKind.RULE,
    name="Canonical solutions of one task",
    description=(
        "The dataset calls one solution of a task in each language canonical: two of them should do the same. It says "
        "nothing about a model's samples."
    ),
)


@dataclass
class _Task:
    """A task in one language.

    Attributes:
        id: as published, such as MBJP/2.
        number: of the task, the same in all languages.
        before: the part of the test program before the fragment.
        prompt: the beginning of every solution.
        solutions: texts by the last part of the fragment's id.
    """

    id: str
    number: str
    language: str
    entry: str
    description: str
    before: str
    prompt: str
    test: str
    solutions: dict[str, str] = field(default_factory=dict)

    @property
    def functionality(self) -> str:
        return f"MBXP/{self.number}"

    def ids(self, *, canonical: bool) -> list[str]:
        """The ids of the canonical solution, or of the samples."""
        return [f"{self.id}/{name}" for name in self.solutions if (name == _CANONICAL) is canonical]


_CANONICAL = "canonical"
_Tasks = dict[str, _Task]
_PairRow = tuple[str, str, str, bool]
"""Left, right, functionality, and whether both are canonical."""


def _columns(path: Path) -> dict[str, Any]:
    if inner_suffix(path) not in (".jsonl", ".ndjson"):
        return {}
    first = first_object(head(path, 1024 * 1024))
    return first if _TASK.fullmatch(str(first.get("task_id"))) else {}


def _is_table(path: Path) -> bool:
    columns = _columns(path).keys()
    return set(_TASK_COLUMNS) <= columns or set(_SAMPLE_COLUMNS) <= columns


_LAYOUT = Layout(table=_is_table)


class Mbxp:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="mbxp",
            version="1.2",
            description=(
                "Basic programming tasks, each in up to ten languages (Python, Java, C++, C#, JavaScript, TypeScript, "
                "Go, Kotlin, PHP, Ruby) with a test program, a canonical solution and a completion by a model. "
                "Canonical solutions of one task are clones across languages; many completions are near misses."
            ),
            licence="CC BY 4.0",
            citation=(
                "B. Athiwaratkun et al. Multi-lingual Evaluation of Code Generation Models. ICLR 2023. The tasks are "
                "those of J. Austin et al. Program Synthesis with Large Language Models. 2021."
            ),
            criterion=_CRITERION,
            languages=(
                *("python", "java", "cpp", "csharp", "javascript"),
                *("typescript", "go", "kotlin", "php", "ruby"),
            ),
            url="https://github.com/amazon-science/mxeval",
            known_flaws=(
                "Canonical does not mean right: most were written by a model, and some fail their own tests.",
                "Go has no canonical solutions, and other languages lack some.",
                "Tests have about three inputs: a solution that passes can still be wrong, and some only return the "
                "expected results of the tests.",
                "Every solution begins with a comment that states the task in the same words: a detector that reads "
                "comments sees the answer.",
                "Some tasks ask for the same thing in other words, so solutions of different tasks may be clones.",
                "Languages translate types and edge cases differently (integers, None, tuples), so right solutions can "
                "differ outside of the tests.",
            ),
        ),
        claimed_by=_RULE,
        label_means=(
            "Clone: the canonical solutions of a task in two languages. Pairs of a canonical solution and a sample "
            "have no label: nothing says which samples are right."
        ),
        accepts=(
            "mb*_release_*.jsonl (task_id, prompt, test, entry_point, language, canonical_solution) and "
            "mb*_samples.jsonl (task_id, completion, language), also compressed, or the folder that holds them"
        ),
        published={"tasks": 974, "languages": 10},
        references=("The repository's read-me.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "tasks with test programs, or completions of tasks" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        tables = require_files(paths, _LAYOUT, self.card, log).tables
        releases = [path for path in tables if set(_TASK_COLUMNS) <= _columns(path).keys()]
        tasks: _Tasks = {}
        for path in releases:
            _read_tasks(path, tasks, log)
        for path in tables:
            if path not in releases:
                _read_samples(path, tasks, log)
        if not any(task.solutions for task in tasks.values()):
            raise InputError(
                "No solution of a task was found in the files.",
                where=tables[0],
                hint="Name the files with the tasks (mb*_release_*) beside those with the samples.",
            )
        numbered: dict[str, list[_Task]] = {}
        for task in tasks.values():
            numbered.setdefault(task.functionality, []).append(task)
        pairs = list(_pairs(numbered))
        return Dataset(
            card=self.card.card,
            fragments=(
                Fragment(f"{task.id}/{name}", task.language, text, name=task.entry)
                for task in tasks.values()
                for name, text in task.solutions.items()
            ),
            functionalities=(
                Functionality(name, task.entry, task.description)
                for name, group in numbered.items()
                # The tasks were written for Python first.
                for task in sorted(group, key=lambda one: one.language != "python")[:1]
            ),
            memberships=(
                Membership(
                    f"{task.id}/{name}",
                    task.functionality,
                    Role.TAGGED_TRUE if name == _CANONICAL else Role.UNDECIDED,
                )
                for task in tasks.values()
                for name in task.solutions
            ),
            pairs=(Pair(left, right, functionality) for left, right, functionality, _ in pairs),
            judges=(_RULE,),
            judgements=(
                Judgement(_RULE.id, _CRITERION, PairValue.CLONE, pair=row)
                for row, (*_, claimed) in enumerate(pairs)
                if claimed
            ),
            tests=_tests(numbered),
        )


SOURCE = Mbxp()


def _read_tasks(path: Path, tasks: _Tasks, log: ImportLog) -> None:
    for row in json_rows(path, log, text=_TASK_COLUMNS):
        name, prompt, test, entry, language = (row.values[column] for column in _TASK_COLUMNS)
        if not _TASK.fullmatch(name):
            log.skip(path, row.line, "the task's id is not of the form MBJP/2")
            continue
        if name in tasks:
            log.skip(path, row.line, "the task occurs twice in one language")
            continue
        language = language_name(language)
        around = _CSHARP_CLASS.match(prompt) if language == "csharp" else None
        before = around[0] if around else ""
        if language == "python":
            test += f"\ncheck({entry})\n"
        task = _Task(
            id=name,
            number=name.partition("/")[2],
            language=language,
            entry=entry,
            description=as_text(row.values.get("description")) or "",
            before=before,
            prompt=prompt.removeprefix(before),
            test=test,
        )
        canonical = as_text(row.values.get("canonical_solution"))
        if canonical is None:
            log.read("tasks without a canonical solution")
        else:
            task.solutions[_CANONICAL] = task.prompt + canonical
        tasks[name] = task
        log.read("tasks in a language")


def _read_samples(path: Path, tasks: _Tasks, log: ImportLog) -> None:
    for row in json_rows(path, log, text=_SAMPLE_COLUMNS):
        task = tasks.get(row.values["task_id"])
        if task is None:
            log.skip(path, row.line, "the sample's task is in none of the files")
            continue
        number = len(task.solutions) + (_CANONICAL not in task.solutions)
        task.solutions[f"sample-{number}"] = task.prompt + row.values["completion"]
        log.read("samples")


def _pairs(tasks: Mapping[str, Sequence[_Task]]) -> Iterator[_PairRow]:
    """Canonical solutions in two languages; a canonical solution and a sample in the same or another language."""
    for functionality, group in tasks.items():
        canonical = [name for task in group for name in task.ids(canonical=True)]
        samples = [name for task in group for name in task.ids(canonical=False)]
        yield from ((left, right, functionality, True) for left, right in combinations(canonical, 2))
        yield from ((left, right, functionality, False) for left in canonical for right in samples)


def _tests(tasks: Mapping[str, Sequence[_Task]]) -> Iterator[FunctionalityTest]:
    for functionality, group in tasks.items():
        for task in group:
            yield FunctionalityTest(functionality, task.language, task.before, task.test)
        literal = [call for task in group if task.language == "python" for call in calls_of_asserts(task.test)]
        if calls := write_calls(literal):
            yield FunctionalityTest(functionality, calls=calls)
