"""Protocols of an LLM judge: what is asked, in which words and order, how often, and what an answer means.

An LLM judge is identified by model, prompt and parameters, hashed: another wording is another judge.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.answers import is_answer_word
from clonetruth.model import CRITERIA, Judge, JudgeKind, Subject
from clonetruth.store import hash_json


def respondent(model: str, protocol: LLMProtocol) -> Mapping[str, Any]:
    """What an answer depends on apart from the subject. Judges that differ only in the number of runs share answers."""
    return {
        "model": model,
        "system": protocol.system,
        "prompt": protocol.prompt,
        "parameters": dict(protocol.parameters),
    }


def llm_judge(model: str, protocol: LLMProtocol, runs: int) -> Judge:
    """The judge that asks a model by a protocol, with a number of runs."""
    settings = {
        **respondent(model, protocol),
        "criterion": protocol.criterion,
        "answers": dict(protocol.answers),
        "orders": list(protocol.orders),
        "runs": runs,
        "prompt_sha256": hashlib.sha256(protocol.prompt.encode()).hexdigest(),
    }
    times = f"{runs} times" + (" in each order" if len(protocol.orders) > 1 else "")
    # Only the settings may enter: one id has one definition, whatever the protocol's file is called.
    return Judge(
        id=f"llm:{model}-{hash_json(settings)[:12]}",
        kind=JudgeKind.LLM,
        name=f"{model}, asked '{protocol.criterion}'",
        description=f"Asked {times} about each subject; the majority is the answer.",
        settings=settings,
    )


_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PLACEHOLDERS = {
    Subject.PAIR: ({"left", "right"}, {"language"}),
    Subject.FRAGMENT: ({"text", "functionality"}, {"language", "specification"}),
}
_RESERVED = ("model", "messages", "n", "stream")


class Order(StrEnum):
    """Which side of a pair the model reads first: the study's left, or its right."""

    GIVEN = "given"
    SWAPPED = "swapped"


@dataclass(frozen=True)
class LLMProtocol:
    """How a model is asked.

    Attributes:
        name: its name in `PROTOCOLS`.
        criterion: what it asks, a name in `CRITERIA`.
        prompt: the message, with `{left}`, `{right}` and optionally `{language}`; for a criterion on methods, with
            `{text}`, `{functionality}` and optionally `{language}` and `{specification}`.
        answers: the words that the model may answer after `ANSWER:`, and the value of the criterion for each.
        system: the system message, if any.
        orders: the orders in which a pair is shown; each subject is asked `runs` times in each of them.
        runs: how often each question is asked.
        parameters: further request parameters (temperature, top_p, seed …).
    """

    name: str
    criterion: str
    prompt: str
    answers: Mapping[str, str]
    system: str | None = None
    orders: tuple[Order, ...] = (Order.GIVEN,)
    runs: int = 5
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        """What the criterion is asked about."""
        return CRITERIA[self.criterion].subject

    def render(self, values: Mapping[str, str]) -> str:
        """The message with its placeholders filled in one pass: braces within a value are left alone."""
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), self.prompt)


def check_protocol(protocol: LLMProtocol, where: object = None) -> None:
    """Refuse a protocol that cannot be followed.

    Raises:
        InputError: the message says what is wrong.
    """
    if protocol.criterion not in CRITERIA:
        raise InputError(
            f"There is no criterion '{protocol.criterion}'.", where=where, hint=f"Known: {', '.join(CRITERIA)}."
        )
    needed, permitted = _PLACEHOLDERS[protocol.subject]
    placeholders = set(_PLACEHOLDER.findall(protocol.prompt))
    if needed - placeholders:
        raise InputError(f"The prompt lacks the placeholder {{{min(needed - placeholders)}}}.", where=where)
    known = needed | permitted
    if unknown := placeholders - known:
        raise InputError(
            f"The prompt has an unknown placeholder {{{min(unknown)}}}.",
            where=where,
            hint=f"Known: {', '.join(sorted(known))}.",
        )
    values = CRITERIA[protocol.criterion].values
    for word, value in protocol.answers.items():
        if not is_answer_word(word) or value not in values:
            raise InputError(
                f"The answer '{word}' = '{value}' is invalid.",
                where=where,
                hint=f"A word consists of capitals and hyphens; a value is one of {', '.join(values)}.",
            )
    if len(set(protocol.answers.values())) < 2:
        raise InputError("A protocol needs at least two different answers.", where=where)
    if protocol.runs < 1:
        raise InputError("The number of runs must be at least 1.", where=where)
    repeated = len(set(protocol.orders)) != len(protocol.orders)
    if not protocol.orders or repeated or (protocol.subject is Subject.FRAGMENT and Order.SWAPPED in protocol.orders):
        raise InputError("The orders are empty, repeated, or do not apply to methods.", where=where)
    if taken := [name for name in _RESERVED if name in protocol.parameters]:
        raise InputError(f"The parameter '{taken[0]}' cannot be set by a protocol.", where=where)
    try:
        json.dumps(protocol.parameters, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"The parameters cannot be sent as JSON: {error}.", where=where) from error
