"""What a judge may see of a subject: texts, languages, the question, the functionality, and nothing else.

File and project names, strata, scores and claimed labels stay in the study's tables: a judge who saw them would not
be blind.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store.study import Study
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
        task: the functionality that they are said to have, if the study knows it.
        definition: the protocol's definition of the answers, in Markdown.
        has_tasks: whether the study knows the functionality of any subject.
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

    def ask(self, item: ItemKey, swapped: bool) -> SubjectQuestion:
        """The question on an item, with its sides in the order in which the judge sees them."""
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
        """The known answer of a check, and the reason for it."""
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
    row: dict[str, Any] = table.slice(number, 1).to_pylist()[0]
    return row
