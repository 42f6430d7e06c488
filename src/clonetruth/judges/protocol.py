"""Protocols of an LLM judge: what is asked, in which words and order, how often, and what an answer means."""

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

# Who an LLM judge is: model, prompt and parameters, hashed. Another wording is another judge.


def respondent(model: str, protocol: LLMProtocol) -> Mapping[str, Any]:
    """What an answer depends on, apart from the subject: judges that ask the same more or less often share answers."""
    return {
        "model": model,
        "system": protocol.system,
        "prompt": protocol.prompt,
        "parameters": dict(protocol.parameters),
    }


def llm_judge(model: str, protocol: LLMProtocol, runs: int) -> Judge:
    """The judge that asks a model by a protocol, in so many runs."""
    settings = {
        **respondent(model, protocol),
        "criterion": protocol.criterion,
        "answers": dict(protocol.answers),
        "orders": list(protocol.orders),
        "runs": runs,
        "prompt_sha256": hashlib.sha256(protocol.prompt.encode()).hexdigest(),
    }
    times = f"{runs} times" + (" in each order" if len(protocol.orders) > 1 else "")
    # Nothing but the settings may enter: one id has one definition, whatever a protocol's file is called.
    return Judge(
        id=f"llm:{model}-{hash_json(settings)[:12]}",
        kind=JudgeKind.LLM,
        name=f"{model}, asked '{protocol.criterion}'",
        description=f"Asked {times} about each subject; the majority is the answer.",
        settings=settings,
    )


_PLACE = re.compile(r"\{(\w+)\}")
_PLACES = {
    Subject.PAIR: ({"left", "right"}, {"language"}),
    Subject.FRAGMENT: ({"text", "functionality"}, {"language", "specification"}),
}
_OURS = ("model", "messages", "n", "stream")


class Order(StrEnum):
    """Which side of a pair the model reads first: the study's left, or its right."""

    GIVEN = "given"
    SWAPPED = "swapped"


@dataclass(frozen=True)
class LLMProtocol:
    """How a model is asked.

    Attributes:
        name: how it is asked for.
        criterion: what it asks, a name in `CRITERIA`.
        prompt: the message, with `{left}`, `{right}` and perhaps `{language}` in it; where the criterion is asked of a
            method, with `{text}`, `{functionality}` and perhaps `{language}` and `{specification}`.
        answers: the words that the model may answer after `ANSWER:`, and the criterion's value that each one means.
        system: the system message, if there is one.
        orders: the orders in which a pair is shown; each subject is asked `runs` times in each of them.
        runs: how often the same is asked.
        parameters: what else is sent with every request (temperature, top_p, seed …).
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
        """What the criterion is asked of."""
        return CRITERIA[self.criterion].subject

    def render(self, places: Mapping[str, str]) -> str:
        """The message with its places filled, in one go: what stands in a text is never taken for a place."""
        return _PLACE.sub(lambda found: places.get(found[1], found[0]), self.prompt)


def check_protocol(protocol: LLMProtocol, where: object = None) -> None:
    """Refuse a protocol that cannot be followed.

    Raises:
        InputError: saying what does not fit.
    """
    if protocol.criterion not in CRITERIA:
        raise InputError(
            f"There is no criterion '{protocol.criterion}'.", where=where, hint=f"Known: {', '.join(CRITERIA)}."
        )
    needed, permitted = _PLACES[protocol.subject]
    places = set(_PLACE.findall(protocol.prompt))
    if needed - places:
        raise InputError(f"The prompt has no place for {{{min(needed - places)}}}.", where=where)
    known = needed | permitted
    if strange := places - known:
        raise InputError(
            f"The prompt has a place {{{min(strange)}}} that nothing fills.",
            where=where,
            hint=f"Known: {', '.join(sorted(known))}.",
        )
    values = CRITERIA[protocol.criterion].values
    for word, value in protocol.answers.items():
        if not is_answer_word(word) or value not in values:
            raise InputError(
                f"The answer '{word}' = '{value}' cannot be read.",
                where=where,
                hint=f"A word is capitals and hyphens; a value is one of {', '.join(values)}.",
            )
    if len(set(protocol.answers.values())) < 2:
        raise InputError("The answers leave no choice.", where=where)
    if protocol.runs < 1:
        raise InputError("The runs are below 1.", where=where)
    repeated = len(set(protocol.orders)) != len(protocol.orders)
    if not protocol.orders or repeated or (protocol.subject is Subject.FRAGMENT and Order.SWAPPED in protocol.orders):
        raise InputError("The orders are none, repeated, or those of a pair for a method.", where=where)
    if taken := [name for name in _OURS if name in protocol.parameters]:
        raise InputError(f"The parameter '{taken[0]}' cannot be set by a protocol.", where=where)
    try:
        json.dumps(protocol.parameters, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"The parameters cannot be sent as JSON: {error}.", where=where) from error
