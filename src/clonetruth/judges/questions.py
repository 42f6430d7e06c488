"""The questions of a study: the messages that a model is asked about each subject."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
        left, right = (_snippet(row[f"{side}_text"]) for side in ("left", "right"))
        languages = dict.fromkeys(_title(row[f"{side}_language"]) for side in ("left", "right"))
        language = " and ".join(filter(None, languages))
        sides = {Order.GIVEN: (left, right), Order.SWAPPED: (right, left)}
        yield [
            LLMQuestion(
                row["subject"],
                order,
                protocol.render({"left": sides[order][0], "right": sides[order][1], "language": language}),
            )
            for order in protocol.orders
            if left and right
        ]


def _methods(study: Study, protocol: LLMProtocol) -> Iterator[list[LLMQuestion]]:
    known = {row["id"]: row for row in study.functionalities.to_pylist()}
    for row in study.methods.to_pylist():
        functionality = known.get(row["functionality"], {})
        values = {
            "text": _snippet(row["text"]),
            "language": _title(row["language"]),
            "functionality": functionality.get("name") or row["functionality"],
            "specification": functionality.get("specification") or "",
        }
        yield [LLMQuestion(row["method"], Order.GIVEN, protocol.render(values))] if values["text"] else []


def _snippet(text: str | None) -> str:
    """A text without trailing newlines, as in recorded logs."""
    return (text or "").rstrip("\n")


def _title(language: str | None) -> str:
    return LANGUAGES[language].title if language and language in LANGUAGES else language or ""
