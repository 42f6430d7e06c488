"""What a judge may see of a subject: texts, languages, the question, the functionality, and nothing else.

File and project names, strata, scores and claimed labels stay in the study's tables: a judge who saw them would not
be blind. What only some of the pairs have is shown for none: datasets often name a functionality for the pairs that
they claim to be clones, and for no others. Fragments are laid out alike, wherever they were cut out.
"""

from __future__ import annotations

import hmac
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code import LANGUAGES
from clonetruth.errors import InputError
from clonetruth.store.study import Study
from clonetruth.store.study_tables import CheckKind
from clonetruth.store.votes import ItemKey, ItemKind

# Item tokens. A judge's pages name an item by a token that does not reveal whether the item is a check, and that
# cannot be guessed.
#
# A token is the item itself, encrypted for one judge: nothing is stored or searched, however large the study, and a
# form that was open while the server restarted remains valid. The encryption follows SIV (RFC 5297), with HMAC: a tag
# over judge and item authenticates the token, and yields the pad that hides the item.

_KINDS = tuple(ItemKind)
_ITEM = struct.Struct(">BQ")
_TAG_BYTES = 16

_LINE_END = re.compile(r"\r\n|\r|\n")


class ItemTokens:
    """Encrypts items for judges' pages, and decrypts them.

    Args:
        secret: the key.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, judge: str, item: ItemKey) -> str:
        """The token of an item on a judge's pages: always the same for one judge, different for every judge."""
        plain = _ITEM.pack(_KINDS.index(item.kind), item.number)
        tag = self._tag(judge, plain)
        return (tag + self._mask(judge, tag, plain)).hex()

    def item(self, judge: str, token: str) -> ItemKey | None:
        """The item of a token on a judge's pages; None for a token that we did not issue."""
        try:
            sealed = bytes.fromhex(token)
        except ValueError:
            return None
        tag, hidden = sealed[:_TAG_BYTES], sealed[_TAG_BYTES:]
        if len(hidden) != _ITEM.size:
            return None
        plain = self._mask(judge, tag, hidden)
        if not hmac.compare_digest(tag, self._tag(judge, plain)):
            return None
        kind, number = _ITEM.unpack(plain)
        return ItemKey(_KINDS[kind], number)

    def _tag(self, judge: str, plain: bytes) -> bytes:
        return self._digest("tag", judge, plain)[:_TAG_BYTES]

    def _mask(self, judge: str, tag: bytes, text: bytes) -> bytes:
        return bytes(a ^ b for a, b in zip(text, self._digest("pad", judge, tag), strict=False))

    def _digest(self, use: str, judge: str, about: bytes) -> bytes:
        return hmac.digest(self._secret, f"{use} {judge} ".encode() + about, "sha256")


@dataclass(frozen=True)
class CodeText:
    """A text and the name of its language."""

    text: str
    language: str


@dataclass(frozen=True)
class JudgeTask:
    """A functionality as a judge reads it: its name, what an implementation must do, and example implementations."""

    name: str
    specification: str | None
    exemplars: tuple[str, ...] = ()


@dataclass(frozen=True)
class SubjectQuestion:
    """A subject as it is put to a judge.

    Attributes:
        text: the question.
        answers: the answers to choose from.
        codes: the fragment, or the two fragments from left to right.
        focus: which of the two fragments is asked about, 0 or 1; None for both.
        task: the functionality that they are said to have, if the page shows it.
        definition: the protocol's definition of the answers, in Markdown.
        has_forms: whether the study has code in a language with normal forms.
    """

    text: str
    answers: tuple[str, ...]
    codes: tuple[CodeText, ...]
    task: JudgeTask | None
    definition: str
    has_forms: bool
    focus: int | None = None

    @property
    def is_about_method(self) -> bool:
        """Whether one method is asked about, not a pair."""
        return self.focus is not None or len(self.codes) == 1


class SubjectQuestions:
    """The subjects of a study as questions.

    Raises:
        InputError: the study lacks the text of a subject, so that nobody could judge it.
    """

    def __init__(self, study: Study) -> None:
        missing = max(study.subjects[side].null_count for side in ("left_text", "right_text"))
        if missing:
            raise InputError(
                f"{missing:,} subjects have no text, so they cannot be judged in a browser.",
                where=study.path,
                hint="Draw the study from a benchmark that contains the texts of its fragments.",
            )
        self._study = study
        self._protocol = study.plan.protocol
        self._tasks = {
            row["id"]: JudgeTask(row["name"], row["specification"], tuple(row["exemplars"]))
            for row in study.functionalities.to_pylist()
        }
        self._has_forms = any(name.lower() in LANGUAGES for name in _languages(study))
        # Only what is known of every pair, of checks too, is shown: anything else would tell pairs apart.
        tasks = {self._tasks.get(name) for name in study.subjects["functionality"].unique().to_pylist()}
        checks = study.checks.filter(pc.equal(study.checks["kind"], str(CheckKind.ATTENTION)))
        tasks |= {self._task_of_check(row) for row in checks.to_pylist()}
        self._shows_task = None not in tasks and study.plan.protocol.show_functionality
        self._shows_specification = all(task is not None and task.specification for task in tasks)
        self._shows_exemplars = all(task is not None and task.exemplars for task in tasks)

    def ask(self, item: ItemKey, swapped: bool, focus: int | None = None) -> SubjectQuestion:
        """The question on an item, with its sides in the order in which the judge sees them.

        Args:
            item: a pair, a method, or a check.
            swapped: whether the judge sees the sides swapped.
            focus: ask about one method of the pair or check: 0 for the one on the left, 1 for the one on the right.
        """
        if item.kind is ItemKind.METHOD:
            row = _row(self._study.methods, item.number)
            return self._ask_method([_code(row["text"], row["language"])], self._tasks[row["functionality"]], None)
        if item.kind is ItemKind.CHECK:
            row = _row(self._study.checks, item.number)
            task = self._task_of_check(row)
        else:
            row = _row(self._study.subjects, item.number)
            task = self._tasks.get(row["functionality"])
        codes = [
            _code(row[f"{side}_text"], row[f"{side}_language"] or "")
            for side in ("left", "right")
            if row[f"{side}_text"]
        ]
        if focus is not None or len(codes) == 1:
            return self._ask_method(codes[::-1] if swapped else codes, task, focus)
        protocol = self._protocol
        return self._question(protocol.question, protocol.answers, codes[::-1] if swapped else codes, self._shown(task))

    def check(self, number: int) -> tuple[Mapping[ItemKind, str | None], str]:
        """The known answers of a check and of its sides, and the reason for them."""
        row = _row(self._study.checks, number)
        expected = {
            ItemKind.CHECK: row["expected"],
            ItemKind.CHECK_LEFT: row["left_label"],
            ItemKind.CHECK_RIGHT: row["right_label"],
        }
        return expected, row["feedback"]

    def _ask_method(self, codes: Sequence[CodeText], task: JudgeTask | None, focus: int | None) -> SubjectQuestion:
        question, answers = self._study.plan.method_question
        text = f"{task.name}: {question}" if task else question
        return self._question(text, answers, codes, task, focus)

    def _task_of_check(self, row: dict[str, Any]) -> JudgeTask | None:
        if row["functionality_id"] is not None:
            return self._tasks.get(row["functionality_id"])
        return JudgeTask(row["functionality"], row["specification"]) if row["functionality"] else None

    def _shown(self, task: JudgeTask | None) -> JudgeTask | None:
        """The part of a pair's functionality that the study's pages show for every pair."""
        if task is None or not self._shows_task:
            return None
        return JudgeTask(
            task.name,
            task.specification if self._shows_specification else None,
            task.exemplars if self._shows_exemplars else (),
        )

    def _question(
        self,
        text: str,
        answers: tuple[str, ...],
        codes: Sequence[CodeText],
        task: JudgeTask | None,
        focus: int | None = None,
    ) -> SubjectQuestion:
        return SubjectQuestion(text, answers, tuple(codes), task, self._protocol.instructions, self._has_forms, focus)


def _row(table: pa.Table, number: int) -> dict[str, Any]:
    row: dict[str, Any] = table.slice(number, 1).to_pylist()[0]
    return row


def _languages(study: Study) -> set[str]:
    columns = [study.subjects["left_language"], study.subjects["right_language"], study.methods["language"]]
    return {name for column in columns for name in column.unique().to_pylist() if name}


def _code(text: str, language: str) -> CodeText:
    return CodeText(uniform_layout(text), language)


def uniform_layout(text: str) -> str:
    """A fragment without traces of where it was cut out: line ends, outer blank lines and outer indentation.

    Tabs become four spaces, and spaces at the end of a line are removed. The lines between the first and the last are
    otherwise kept as they are.
    """
    lines = [line.rstrip(" \t\f").replace("\t", "    ") for line in _LINE_END.split(text)]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    first, others = [_indent(line) for line in lines[:1]], [_indent(line) for line in lines[1:] if line]
    outer = min([*first, *others], default=0)
    lines = [line[outer:] for line in lines]
    # A method cut out from its first character: the closing bracket still stands where the method stood.
    if (
        others
        and lines[-1].startswith(" ")
        and lines[-1].lstrip().startswith(("}", "end"))
        and not lines[0].startswith(" ")
    ):
        inner = _indent(lines[-1])
        if inner == min(_indent(line) for line in lines[1:] if line):
            lines = [lines[0], *(line[inner:] for line in lines[1:])]
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
