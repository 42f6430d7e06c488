"""The cost of answers: the user's price table, token estimates, and a budget."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.judges.majority import Answer
from clonetruth.store.records import WrongShapeError, build_record

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3  # code has closer to four; the estimate errs on the high side
ANSWER_TOKENS = 300  # GPT-4o's recorded answers have 1,000 characters on average, 1,929 at most
_LIMITS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class Price:
    """The price per million tokens of the prompt and of the answer."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """The cost of a number of tokens."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION


def read_price(path: str | os.PathLike[str], model: str) -> Price:
    """The price of a model in a TOML or JSON file with one table per model, each with `input` and `output`.

    Raises:
        InputError: the file cannot be read, or has no price for the model.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        table: Any = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"The prices cannot be read: {error}", where=path) from error
    if not isinstance(table, dict) or model not in table:
        known = ", ".join(table) if isinstance(table, dict) else ""
        raise InputError(f"There is no price for '{model}'.", where=path, hint=f"Known: {known or 'none'}.")
    try:
        price = build_record(Price, table[model], model)
    except WrongShapeError as error:
        raise InputError(
            f"Not a price: {error}.", where=path, hint="Give `input` and `output` per million tokens."
        ) from error
    if price.input < 0 or price.output < 0:
        raise InputError(f"The price of '{model}' is negative.", where=path)
    return price


def estimated_tokens(text: str) -> int:
    """The approximate number of tokens of a text, too many rather than too few."""
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def answer_limit(parameters: Mapping[str, Any]) -> int | None:
    """The maximum number of tokens of an answer, if the parameters set one."""
    return next((int(parameters[name]) for name in _LIMITS if name in parameters), None)


class Budget:
    """A limit on the cost of all answers in a journal, including those of earlier calls.

    A request is sent only if its expected cost fits, together with that of the requests in flight. The length of an
    answer is known only afterwards: if the parameters do not limit it, the longest so far is expected.

    Args:
        price: the model's price.
        limit: the limit.
        paid: the answers that were paid for already.
        answer_tokens: the limit that the parameters set on an answer.
        system: the system message sent with every prompt.
    """

    def __init__(
        self, price: Price, limit: float, paid: Iterable[Answer], answer_tokens: int | None, system: str | None = None
    ) -> None:
        self._price = price
        self._limit = limit
        self._answer_tokens = answer_tokens
        self._system_tokens = estimated_tokens(system or "")
        self._longest = ANSWER_TOKENS
        self._spent = 0.0
        self._reserved = 0.0
        for answer in paid:
            self._count(answer)

    def reserve(self, prompt: str) -> float | None:
        """Reserve the expected cost of a request; None if it does not fit."""
        tokens = self._system_tokens + estimated_tokens(prompt)
        cost = self._price.of(tokens, self._answer_tokens or self._longest)
        if self._spent + self._reserved + cost > self._limit:
            return None
        self._reserved += cost
        return cost

    def settle(self, reserved: float, answer: Answer | None) -> None:
        """Replace the reserved cost by the actual one."""
        self._reserved -= reserved
        if answer is not None:
            self._count(answer)

    def _count(self, answer: Answer) -> None:
        self._spent += cost_of(self._price, [answer])
        self._longest = max(self._longest, answer.output_tokens or 0)


def cost_of(price: Price, answers: Iterable[Answer]) -> float:
    """The total cost of answers."""
    return sum(price.of(answer.input_tokens or 0, answer.output_tokens or 0) for answer in answers)
