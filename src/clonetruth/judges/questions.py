"""The questions of a study: the messages that a model is asked about each subject."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clonetruth.code import LANGUAGES
from clonetruth.judges.protocol import LLMProtocol, Order
from clonetruth.model import Subject
from clonetruth.store.study import Study


@dataclass(frozen=True)
class LLMQuestion:
    """A message about a subject, as the model reads it."""

    subject: int
    order: Order
    message: str

    @cached_property
    def digest(self) -> str:
        """The hash of the message, and so of prompt, texts and order."""
        return hashlib.sha256(self.message.encode()).hexdigest()


def study_questions(study: Study, protocol: LLMProtocol) -> list[list[LLMQuestion]]:
    """The questions on each subject, in the order of judging; none if a text is missing."""
    render = _pairs if protocol.subject is Subject.PAIR else _methods
    return list(render(study, protocol))


def _pairs(study: Study, protocol: LLMProtocol) -> Iterator[list[LLMQuestion]]:
    columns = ("subject", "left_text", "right_text", "left_language", "right_language")
    for row in study.subjects.select(columns).to_pylist():
        questions = (pair_question(row, protocol, order) for order in protocol.orders)
        yield [one for one in questions if one is not None]


def _methods(study: Study, protocol: LLMProtocol) -> Iterator[list[LLMQuestion]]:
    known = {row["id"]: row for row in study.functionalities.to_pylist()}
    for row in study.methods.to_pylist():
        question = method_question(row, known.get(row["functionality"], {}), protocol)
        yield [question] if question is not None else []


def pair_question(row: Mapping[str, Any], protocol: LLMProtocol, order: Order) -> LLMQuestion | None:
    """The question on a pair, with the columns of a study's subjects; None if a text is missing."""
    sides = ("left", "right") if order is Order.GIVEN else ("right", "left")
    first, second = (_snippet(row[f"{side}_text"]) for side in sides)
    languages = dict.fromkeys(_title(row[f"{side}_language"]) for side in ("left", "right"))
    if not (first and second):
        return None
    values = {"left": first, "right": second, "language": " and ".join(filter(None, languages))}
    return LLMQuestion(row["subject"], order, protocol.render(values))


def method_question(
    row: Mapping[str, Any], functionality: Mapping[str, Any], protocol: LLMProtocol
) -> LLMQuestion | None:
    """The question on a method and its functionality; None if the text is missing."""
    values = {
        "text": _snippet(row["text"]),
        "language": _title(row["language"]),
        "functionality": functionality.get("name") or row["functionality"],
        "specification": functionality.get("specification") or "",
    }
    return LLMQuestion(row["method"], Order.GIVEN, protocol.render(values)) if values["text"] else None


def _snippet(text: str | None) -> str:
    """A text without trailing newlines, as in recorded logs."""
    return (text or "").rstrip("\n")


def _title(language: str | None) -> str:
    return LANGUAGES[language].title if language and language in LANGUAGES else language or ""
