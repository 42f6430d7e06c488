"""Canary questions: a few with known answers that a model gets before the bulk.

They show for a few requests whether the answers can be read, whether the server keeps to a JSON schema, and what the
rest will cost.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from clonetruth.judges.journal import AnswerKey
from clonetruth.judges.majority import Answer, AnswerState, answer_state, read_run
from clonetruth.judges.protocol import LLMProtocol
from clonetruth.judges.questions import LLMQuestion, method_question, pair_question
from clonetruth.model import CRITERIA, MemberValue, PairValue, RatingValue, Subject
from clonetruth.parsing import parse_json
from clonetruth.store.study import Study

_CANARY = -1
"""The subject of a canary question: none of the study."""

_TOTAL = """\
int total(int[] values) {
    int sum = 0;
    for (int value : values) {
        sum += value;
    }
    return sum;
}"""
_TOTAL_RENAMED = """\
int add(int[] numbers) {
    int all = 0;
    for (int number : numbers) {
        all += number;
    }
    return all;
}"""
_TOTAL_REWRITTEN = """\
int sumOf(int[] items) {
    return java.util.Arrays.stream(items).sum();
}"""
_GREET = """\
void greet(String name) {
    System.out.println("Hello, " + name + "!");
}"""
_BLANK = """\
boolean isBlank(String text) {
    return text == null || text.trim().isEmpty();
}"""
_STOP = """\
void stop(Thread worker) throws InterruptedException {
    worker.interrupt();
    worker.join();
}"""
_METHODS = (
    (_TOTAL, MemberValue.MAJOR),
    (_GREET, MemberValue.WRONG),
    (_TOTAL_REWRITTEN, MemberValue.MAJOR),
    (_STOP, MemberValue.WRONG),
)
_FUNCTIONALITY = ("Sum of an array", "Returns the sum of all elements of an array of integers.")
_RATINGS = {PairValue.CLONE: RatingValue.AGREE, PairValue.NOT_CLONE: RatingValue.DISAGREE}


@dataclass(frozen=True)
class Canary:
    """A question and its known answer, a value of the protocol's criterion."""

    question: LLMQuestion
    expected: str

    @property
    def key(self) -> AnswerKey:
        """Where its answer is stored: canaries are asked once."""
        return AnswerKey(self.question.digest, self.question.order, 1)


@dataclass(frozen=True)
class CanaryReport:
    """What the canary questions showed.

    Attributes:
        asked: number of canary questions.
        answered: how many of them have an answer.
        readable: how many of those can be read.
        right: how many of those are the known answer.
        structured: whether the server keeps to a JSON schema, and is asked to.
        questions_left: number of questions of the study that are asked next.
        cost_left: what these will cost, by the tokens of the canaries' answers; None if the price is unknown.
        affordable: how many of them the budget pays for; None without a budget.
    """

    asked: int
    answered: int
    readable: int
    right: int
    structured: bool
    questions_left: int
    cost_left: float | None
    affordable: int | None

    @property
    def passed(self) -> bool:
        """Whether more than half of the questions have a readable answer."""
        return 2 * self.readable > self.asked


def canaries(study: Study, protocol: LLMProtocol, number: int) -> list[Canary]:
    """A number of canary questions: pairs of the study whose answer is known, then built-in ones.

    Expected answers alternate, so that a model that always says the same is not right about all of them.
    """
    known = chain(_alternating(_checks(study, protocol)), _alternating(_own(protocol)))
    # A study may hold the same pair for two purposes.
    return list({one.key: one for one in known}.values())[:number]


def tally(questions: Iterable[Canary], answers: Mapping[AnswerKey, Answer], protocol: LLMProtocol) -> dict[str, int]:
    """The numbers of canary questions asked, answered, readable and right."""
    asked = list(questions)
    given = [(one.expected, answers[one.key]) for one in asked if one.key in answers]
    readable = [pair for pair in given if answer_state(pair[1], protocol.answers) is AnswerState.READABLE]
    right = [
        expected
        for expected, answer in readable
        if protocol.answers[read_run(answer, protocol.answers).word] == expected
    ]
    return {"asked": len(asked), "answered": len(given), "readable": len(readable), "right": len(right)}


def structured(protocol: LLMProtocol) -> LLMProtocol:
    """A protocol that asks the server for a JSON object with `answer` and `explanation`.

    The request parameters are part of the judge's identity: the two ways of asking are two judges.
    """
    schema = {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "enum": list(protocol.answers)},
            "explanation": {"type": "string"},
        },
        "required": ["answer", "explanation"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "judgement", "strict": True, "schema": schema}}
    return dataclasses.replace(protocol, parameters={**protocol.parameters, "response_format": form})


def is_structured(answer: Answer, protocol: LLMProtocol) -> bool:
    """Whether a server that was asked for a JSON object sent a readable one."""
    if answer_state(answer, protocol.answers) is not AnswerState.READABLE:
        return False
    try:
        content: Any = parse_json(answer.text)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("answer") in protocol.answers


def _alternating(questions: Iterable[Canary]) -> Iterator[Canary]:
    by_value: dict[str, list[Canary]] = {}
    for one in questions:
        by_value.setdefault(one.expected, []).append(one)
    for group in zip_longest(*by_value.values()):
        yield from (one for one in group if one is not None)


def _checks(study: Study, protocol: LLMProtocol) -> Iterator[Canary]:
    """The study's own pairs with a known answer."""
    if protocol.subject is Subject.PAIR and protocol.criterion == study.plan.criterion:
        for row in study.checks.to_pylist():
            question = pair_question({**row, "subject": _CANARY}, protocol, protocol.orders[0])
            if question is not None:
                yield Canary(question, row["expected"])


def _own(protocol: LLMProtocol) -> Iterator[Canary]:
    if protocol.subject is not Subject.PAIR:
        name, specification = _FUNCTIONALITY
        for text, value in _METHODS:
            method = {"method": _CANARY, "text": text, "language": "java", "functionality": name}
            question = method_question(method, {"name": name, "specification": specification}, protocol)
            if question is not None:
                yield Canary(question, value)
        return
    # Texts that differ only in names are textual clones; rewritten ones are clones under every other criterion.
    textual = protocol.criterion == "textual"
    semantic = protocol.criterion == "semantic-not-syntactic"
    pairs = (
        (_TOTAL, _TOTAL_RENAMED, PairValue.NOT_CLONE if semantic else PairValue.CLONE),
        (_TOTAL, _TOTAL_REWRITTEN, PairValue.NOT_CLONE if textual else PairValue.CLONE),
        (_TOTAL, _GREET, PairValue.NOT_CLONE),
        (_BLANK, _STOP, PairValue.NOT_CLONE),
    )
    rated = RatingValue.AGREE in CRITERIA[protocol.criterion].values
    for left, right, expected in pairs:
        languages = {"left_language": "java", "right_language": "java"}
        row = {"subject": _CANARY, "left_text": left, "right_text": right, **languages}
        question = pair_question(row, protocol, protocol.orders[0])
        if question is not None:
            yield Canary(question, _RATINGS[expected] if rated else expected)
