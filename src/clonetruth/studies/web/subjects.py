"""What a judge may see of a subject: texts, languages, the question, the functionality. Nothing else gets out of here.

Names of files and projects, strata, scores and claimed labels stay in the study's tables: a judge who saw them would
not be blind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.web.templating import CodeText


@dataclass(frozen=True)
class JudgeTask:
    """A functionality as a judge reads it: its name, what an implementation must do, and texts that show it."""

    name: str
    specification: str | None
    exemplars: tuple[str, ...] = ()


@dataclass(frozen=True)
class SubjectQuestion:
    """A subject as it is put before a judge.

    Attributes:
        text: the question.
        answers: the answers to choose from.
        codes: the fragment, or the two fragments from left to right.
        task: what they are said to do, where the study knows it.
        definition: what counts as what, in Markdown.
        has_tasks: whether the study knows what any of its subjects are said to do.
    """

    text: str
    answers: tuple[str, ...]
    codes: tuple[CodeText, ...]
    task: JudgeTask | None
    definition: str
    has_tasks: bool


class SubjectQuestions:
    """The subjects of a study as questions.

    Raises:
        InputError: the text of a subject is not in the study, so that nobody could judge it.
    """

    def __init__(self, study: Study) -> None:
        missing = max(study.subjects[side].null_count for side in ("left_text", "right_text"))
        if missing:
            raise InputError(
                f"{missing:,} subjects have no text, and cannot be judged on a page.",
                where=study.path,
                hint="Draw the study from a benchmark that has the texts of its fragments.",
            )
        self._study = study
        self._protocol = study.plan.protocol
        self._tasks = {
            row["id"]: JudgeTask(row["name"], row["specification"], tuple(row["exemplars"]))
            for row in study.functionalities.to_pylist()
        }

    def ask(self, item: ItemKey, swapped: bool) -> SubjectQuestion:
        """The question on an item, with its sides as the judge shall see them."""
        if item.kind is ItemKind.METHOD:
            return self._ask_method(_row(self._study.methods, item.number))
        if item.kind is ItemKind.CHECK:
            row = _row(self._study.checks, item.number)
            task = JudgeTask(row["functionality"], row["specification"]) if row["functionality"] else None
        else:
            row = _row(self._study.subjects, item.number)
            task = self._tasks.get(row["functionality"])
        codes = [CodeText(row[f"{side}_text"], row[f"{side}_language"] or "") for side in ("left", "right")]
        protocol = self._protocol
        return self._question(protocol.question, protocol.answers, codes[::-1] if swapped else codes, task)

    def check(self, number: int) -> tuple[str, str]:
        """The known answer of a check, and why that is so."""
        row = _row(self._study.checks, number)
        return row["expected"], row["feedback"]

    def _ask_method(self, row: dict[str, Any]) -> SubjectQuestion:
        task = self._tasks[row["functionality"]]
        text = f"{task.name}: {self._protocol.method_question}"
        return self._question(text, self._protocol.method_answers, [CodeText(row["text"], row["language"])], task)

    def _question(
        self, text: str, answers: tuple[str, ...], codes: Sequence[CodeText], task: JudgeTask | None
    ) -> SubjectQuestion:
        return SubjectQuestion(text, answers, tuple(codes), task, self._protocol.definition, bool(self._tasks))


def _row(table: pa.Table, number: int) -> dict[str, Any]:
    found: dict[str, Any] = table.slice(number, 1).to_pylist()[0]
    return found
