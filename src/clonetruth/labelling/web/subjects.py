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
from clonetruth.labelling.web.look import Code
from clonetruth.model import Functionality
from clonetruth.store.ballots import ItemKey, ItemKind
from clonetruth.store.study import Study


@dataclass(frozen=True)
class Question:
    """A subject as it is put before a judge.

    Attributes:
        text: the question.
        answers: the answers to choose from.
        codes: the fragment, or the two fragments from left to right.
        functionality: what they are said to do, where the study knows it.
        exemplars: texts that show the functionality.
        definition: what counts as what, in Markdown.
        has_functionalities: whether the study knows what any of its subjects are said to do.
    """

    text: str
    answers: tuple[str, ...]
    codes: tuple[Code, ...]
    functionality: Functionality | None
    exemplars: tuple[str, ...]
    definition: str
    has_functionalities: bool


class Questions:
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
        self._functionalities = {
            row["id"]: (Functionality(row["id"], row["name"], row["specification"]), tuple(row["exemplars"]))
            for row in study.functionalities.to_pylist()
        }

    def ask(self, item: ItemKey, swapped: bool) -> Question:
        """The question on an item, with its sides as the judge shall see them."""
        protocol = self._protocol
        if item.kind is ItemKind.METHOD:
            row = _row(self._study.methods, item.number)
            codes = [Code(row["text"], row["language"])]
            name = self._functionalities[row["functionality"]][0].name
            return self._question(f"{name}: {protocol.method_question}", protocol.method_answers, codes, row)
        row = _row(self._study.checks if item.kind is ItemKind.CHECK else self._study.subjects, item.number)
        codes = [Code(row[f"{side}_text"], row[f"{side}_language"] or "") for side in ("left", "right")]
        return self._question(protocol.question, protocol.answers, codes[::-1] if swapped else codes, row)

    def check(self, number: int) -> tuple[str, str]:
        """The known answer of a check, and why that is so."""
        row = _row(self._study.checks, number)
        return row["expected"], row["feedback"]

    def _question(self, text: str, answers: tuple[str, ...], codes: Sequence[Code], row: dict[str, Any]) -> Question:
        functionality, exemplars = self._functionalities.get(row.get("functionality"), (None, ()))
        return Question(
            text=text,
            answers=answers,
            codes=tuple(codes),
            functionality=functionality,
            exemplars=exemplars,
            definition=self._protocol.definition,
            has_functionalities=bool(self._functionalities),
        )


def _row(table: pa.Table, number: int) -> dict[str, Any]:
    found: dict[str, Any] = table.slice(number, 1).to_pylist()[0]
    return found
