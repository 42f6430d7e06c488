"""From runs to one judgement: the majority, its share, and every run as evidence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clonetruth.formats.answers import LabelledAnswer, read_answer
from clonetruth.judges.protocol import Order
from clonetruth.model import PairValue

UNDECIDED = PairValue.UNDECIDED.value
_CUT, _FILTERED = "length", "content_filter"


@dataclass(frozen=True)
class Answer:
    """A model's answer in one run.

    Attributes:
        order: the order in which it read the sides.
        run: number of the run, from 1.
        text: the answer.
        model: the model that answered, as the server reports it.
        finish: why it ended, as the server reports it (`stop`, `length` …).
        input_tokens: tokens of the prompt; None if unknown.
        output_tokens: tokens of the answer.
        estimated: whether the token counts are estimates, because the server did not report them.
        time: when it arrived, in ISO 8601.
        reasoning: what the model thought before it answered, if the server sends that separately.
        refused: whether the server says that the model, or a filter, refused to answer.
        first_token: the most probable first tokens of the answer, with their probabilities, if the server gave them.
    """

    order: Order
    run: int
    text: str
    model: str | None = None
    finish: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    estimated: bool = False
    time: str | None = None
    reasoning: str | None = None
    refused: bool = False
    first_token: Mapping[str, float] | None = None


class AnswerState(StrEnum):
    """Whether an answer can be read, and if not, why."""

    READABLE = "readable"
    MALFORMED = "malformed"
    CUT_OFF = "cut-off"
    REFUSED = "refused"


UNREADABLE = tuple(state for state in AnswerState if state is not AnswerState.READABLE)


def read_run(answer: Answer, words: Collection[str]) -> LabelledAnswer:
    """What an answer says, in one of these words."""
    text = answer.text
    if answer.reasoning and not text.strip():
        # A server that takes everything for reasoning: the same as a block that was not closed.
        text = f"<think>{answer.reasoning}"
    return read_answer(text, words, complete=answer.finish != _CUT)


def answer_state(answer: Answer, words: Collection[str]) -> AnswerState:
    """Whether an answer can be read as one of these words."""
    if read_run(answer, words).word:
        return AnswerState.READABLE
    if answer.refused or answer.finish == _FILTERED:
        return AnswerState.REFUSED
    return AnswerState.CUT_OFF if answer.finish == _CUT else AnswerState.MALFORMED


@dataclass(frozen=True)
class Conclusion:
    """What follows from the runs on one subject.

    Attributes:
        value: the answer of more than half of the runs, otherwise undecided; None if no answer could be parsed.
        confidence: the share of all runs with this answer.
        reason: the explanation in the first of them; otherwise how the runs are divided.
        evidence: every run, as JSON.
        malformed: number of runs whose answer could not be parsed. They count as runs, but for no answer.
        by_order: the majority of the runs in each order alone; undecided if there is none.
        time: when the last answer arrived, in ISO 8601; None if unknown.
    """

    value: str | None
    confidence: float
    reason: str
    evidence: str
    malformed: int
    by_order: Mapping[Order, str]
    time: str | None


def conclude(answers: Sequence[Answer], meanings: Mapping[str, str]) -> Conclusion:
    """The majority of the runs.

    Args:
        answers: all runs on one subject; at least one.
        meanings: the value that each answer word stands for.
    """
    read = [read_run(answer, meanings) for answer in answers]
    values = [meanings.get(one.word) for one in read]
    value = _majority(values) if any(values) else None
    agreeing = [one.explanation for one, given in zip(read, values, strict=True) if given == value]
    counts = Counter(given or "malformed" for given in values)
    division = ", ".join(f"{given} {count}" for given, count in counts.most_common())
    return Conclusion(
        value=value,
        confidence=counts[value] / len(answers) if value else 0.0,
        reason=agreeing[0] if value and agreeing else f"The runs are divided: {division}.",
        evidence=_evidence(answers, values),
        malformed=counts["malformed"],
        by_order={
            order: _majority([given for given, answer in zip(values, answers, strict=True) if answer.order is order])
            for order in dict.fromkeys(answer.order for answer in answers)
        },
        time=max((answer.time for answer in answers if answer.time), default=None),
    )


def _majority(values: Sequence[str | None]) -> str:
    value, count = Counter(values).most_common(1)[0]
    return value if value and 2 * count > len(values) else UNDECIDED


def _evidence(answers: Sequence[Answer], values: Sequence[str | None]) -> str:
    runs = [
        {
            "order": answer.order,
            "run": answer.run,
            "value": value,
            "answer": answer.text,
            "model": answer.model,
            "finish": answer.finish,
            "time": answer.time,
        }
        for answer, value in zip(answers, values, strict=True)
    ]
    return json.dumps({"runs": runs}, ensure_ascii=False)


@dataclass(frozen=True)
class PositionBias:
    """How the order of the sides changes the answer.

    Attributes:
        compared: number of subjects on which the runs of both orders have a decided majority.
        differ: how many of them are answered differently.
        share: the same as a share; None if none was compared.
        given: the answers in the given order, counted over the compared subjects.
        swapped: the answers in the swapped order.
    """

    compared: int
    differ: int
    share: float | None
    given: Mapping[str, int]
    swapped: Mapping[str, int]


def position_bias(conclusions: Sequence[Conclusion]) -> PositionBias | None:
    """The bias over the subjects that were asked in both orders; None if there are none."""
    both = [one.by_order for one in conclusions if len(one.by_order) == len(Order)]
    decided = [one for one in both if UNDECIDED not in one.values()]
    differ = sum(one[Order.GIVEN] != one[Order.SWAPPED] for one in decided)
    if not both:
        return None
    return PositionBias(
        compared=len(decided),
        differ=differ,
        share=differ / len(decided) if decided else None,
        given=Counter(one[Order.GIVEN] for one in decided),
        swapped=Counter(one[Order.SWAPPED] for one in decided),
    )
