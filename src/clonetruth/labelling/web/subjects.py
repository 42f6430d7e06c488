"""What a judge may see of a subject: texts, languages, the question, the functionality. Nothing else gets out of here.

Names of files and projects, strata, scores and claimed labels stay in the study's tables: a judge who saw them would
not be blind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

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
        about: the functionality that the question is about; empty where it is about the fragments alone.
        answers: the answers to choose from.
        codes: the fragment, or the two fragments from left to right.
        functionality: what they are said to do, where the study knows it.
        exemplars: texts that show the functionality.
        has_functionalities: whether the study knows what any of its subjects are said to do.
        definition: what counts as what, in Markdown.
    """

    text: str
    about: str
    answers: tuple[str, ...]
    codes: tuple[Code, ...]
    functionality: Functionality | None
    exemplars: tuple[Code, ...]
    has_functionalities: bool
    definition: str


class Questions:
    """The subjects of a study as questions.

    Raises:
        InputError: the text of a subject is not in the study, so that nobody could judge it.
    """

    def __init__(self, study: Study) -> None:
        for side in ("left_text", "right_text"):
            missing = study.subjects[side].null_count
            if missing:
                raise InputError(
                    f"{missing:,} subjects have no text, and cannot be judged on a page.",
                    where=study.path,
                    hint="Draw the study from a benchmark that has the texts of its fragments.",
                )
        self._study = study
        self._protocol = study.plan.protocol

    def ask(self, item: ItemKey, swapped: bool) -> Question:
        """The question on an item, with its sides as the judge shall see them."""
        if item.kind is ItemKind.METHOD:
            return self._ask_method(item.number)
        return self._ask_pair(
            self._study.checks if item.kind is ItemKind.CHECK else self._study.subjects, item, swapped
        )

    def check(self, number: int) -> tuple[str, str]:
        """The known answer of a check, and why that is so."""
        row = _row(self._study.checks, number)
        return row["expected"], row["feedback"]

    def stratum(self, item: ItemKey) -> str | None:
        """The name of the functionality of a subject, for whoever runs the study; None where it has none."""
        functionality = self._functionality(_row(self._table(item), item.number).get("functionality"))
        return functionality.name if functionality else None

    def _table(self, item: ItemKey) -> pa.Table:
        return self._study.methods if item.kind is ItemKind.METHOD else self._study.subjects

    def _ask_pair(self, table: pa.Table, item: ItemKey, swapped: bool) -> Question:
        row = _row(table, item.number)
        codes = [Code(row[f"{side}_text"], row[f"{side}_language"] or "") for side in ("left", "right")]
        return self._question(
            self._protocol.question,
            self._protocol.answers,
            codes[::-1] if swapped else codes,
            row.get("functionality"),
        )

    def _ask_method(self, number: int) -> Question:
        row = _row(self._study.methods, number)
        return self._question(
            self._protocol.method_question,
            self._protocol.method_answers,
            [Code(row["text"], row["language"])],
            row["functionality"],
        )

    def _question(
        self, text: str, answers: tuple[str, ...], codes: Iterable[Code], functionality: str | None
    ) -> Question:
        shown = tuple(codes)
        found = self._functionality(functionality)
        exemplars = self._exemplars(functionality)
        return Question(
            text,
            answers,
            shown,
            found,
            tuple(Code(exemplar, shown[0].language) for exemplar in exemplars),
            self._study.functionalities.num_rows > 0,
            self._protocol.definition,
        )

    def _functionality(self, functionality: str | None) -> Functionality | None:
        row = self._functionality_row(functionality)
        return Functionality(row["id"], row["name"], row["specification"]) if row else None

    def _exemplars(self, functionality: str | None) -> list[str]:
        row = self._functionality_row(functionality)
        return row["exemplars"] if row else []

    def _functionality_row(self, functionality: str | None) -> dict[str, Any] | None:
        if functionality is None:
            return None
        table = self._study.functionalities
        place = pc.index(table["id"], functionality).as_py()
        return None if place < 0 else _row(table, place)


def _row(table: pa.Table, number: int) -> dict[str, Any]:
    found: dict[str, Any] = table.slice(number, 1).to_pylist()[0]
    return found
