"""What answers cost: the user's price table, estimates of tokens, and a limit that is kept."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.judges.majority import Answer
from clonetruth.store.records import WrongShapeError, build_record

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3  # code has nearer to four: an estimate should rather be too high
ANSWER_TOKENS = 300  # the logs of GPT-4o's answers to `krinke` have 1,000 characters on average, and 1,929 at most
_LIMITS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class Price:
    """The price of a million tokens: of the prompt, and of the answer."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION


def read_price(path: Path, model: str) -> Price:
    """The price of a model in a TOML or JSON file: a table for each model, with `input` and `output`.

    Raises:
        InputError: the file cannot be read, or has no price of the model.
    """
    try:
        text = path.read_text(encoding="utf-8")
        table: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"The prices cannot be read: {error}", where=path) from error
    if not isinstance(table, dict) or model not in table:
        known = ", ".join(table) if isinstance(table, dict) else ""
        raise InputError(f"There is no price of '{model}'.", where=path, hint=f"Known: {known or 'none'}.")
    try:
        price = build_record(Price, table[model], model)
    except WrongShapeError as error:
        raise InputError(
            f"This is no price: {error}.", where=path, hint="Give `input` and `output` for a million tokens."
        ) from error
    if price.input < 0 or price.output < 0:
        raise InputError(f"The price of '{model}' is negative.", where=path)
    return price


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def answer_limit(parameters: Mapping[str, Any]) -> int | None:
    """How many tokens an answer may have, where the parameters say it."""
    return next((int(parameters[name]) for name in _LIMITS if name in parameters), None)


class Budget:
    """A limit on what all answers of a journal cost, those of earlier calls included.

    A request is made only while the expected cost of it, and of those under way, fits. The answer's length is known
    only afterwards: unless the parameters limit it, the longest so far is expected.

    Args:
        price: the model's price.
        limit: the limit.
        paid: the answers that were paid for already.
        answer_tokens: what the parameters limit an answer to.
        system: the system message that goes with every prompt.
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
        """Set the expected cost of a request aside; None where it does not fit."""
        tokens = self._system_tokens + estimated_tokens(prompt)
        cost = self._price.of(tokens, self._answer_tokens or self._longest)
        if self._spent + self._reserved + cost > self._limit:
            return None
        self._reserved += cost
        return cost

    def settle(self, reserved: float, answer: Answer | None) -> None:
        """Put what it really cost in the place of what was set aside."""
        self._reserved -= reserved
        if answer is not None:
            self._count(answer)

    def _count(self, answer: Answer) -> None:
        self._spent += cost_of(self._price, [answer])
        self._longest = max(self._longest, answer.output_tokens or 0)


def cost_of(price: Price, answers: Iterable[Answer]) -> float:
    """What answers cost."""
    return sum(price.of(answer.input_tokens or 0, answer.output_tokens or 0) for answer in answers)
