"""The cost of requests: the user's price table, token estimates, a budget, and the account of what was sent."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.judges.journal import AnswerKey, Journal, JournalContent, Tokens
from clonetruth.judges.majority import Answer
from clonetruth.parsing import parse_json, parse_toml
from clonetruth.store.records import WrongShapeError, build_record

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3  # code has closer to four; the estimate errs on the high side
ANSWER_TOKENS = 300  # GPT-4o's recorded answers have 1,000 characters on average, 1,929 at most
MOST_ANSWER_TOKENS = 4096  # what a request without a limit is taken to have cost if its answer never arrived
_FRAME_TOKENS = 16  # what a chat template adds to the messages
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
        text = read_text(file)
        table: Any = parse_json(text) if file.suffix == ".json" else parse_toml(text)
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


class BudgetExhaustedError(Exception):
    """The budget does not cover another request."""


class Budget:
    """A limit on the cost of all requests, including those of earlier calls.

    A request is sent only if its expected cost fits, together with that of the requests in flight. The length of an
    answer is known only afterwards: if the parameters do not limit it, the longest so far is expected.

    Args:
        price: the model's price.
        limit: the limit.
        answer_tokens: the limit that the parameters set on an answer.
        spent: what was spent already.
        paid: the answers that were paid for already.
    """

    def __init__(
        self, price: Price, limit: float, answer_tokens: int | None, spent: float, paid: Iterable[Answer] = ()
    ) -> None:
        self._price = price
        self._limit = limit
        self._answer_tokens = answer_tokens
        self._longest = max([ANSWER_TOKENS, *(answer.output_tokens or 0 for answer in paid)])
        self._spent = spent
        self._reserved = 0.0

    def reserve(self, input_tokens: int) -> float:
        """Reserve the expected cost of a request.

        Raises:
            BudgetExhaustedError: it does not fit.
        """
        cost = self._price.of(input_tokens, self._answer_tokens or self._longest)
        if self._spent + self._reserved + cost > self._limit:
            raise BudgetExhaustedError
        self._reserved += cost
        return cost

    def settle(self, reserved: float, tokens: Tokens | None, *, known: bool = True) -> None:
        """Replace the reserved cost of a request by the actual one.

        Args:
            reserved: what was reserved.
            tokens: what it cost; None if it cost nothing.
            known: whether the number of tokens is that of an answer, not an upper estimate.
        """
        self._reserved -= reserved
        if tokens is not None:
            self._spent += self._price.of(*tokens)
            self._longest = max(self._longest, tokens.output if known else 0)


class Account:
    """Keeps account of the requests of one respondent: in the journal, and against the budget.

    Args:
        journal: where every request is noted before it is sent.
        budget: what may be spent; None for no limit.
        system: the system message sent with every prompt.
        answer_tokens: the limit that the parameters set on an answer.
    """

    def __init__(self, journal: Journal, budget: Budget | None, system: str | None, answer_tokens: int | None) -> None:
        self._journal = journal
        self._budget = budget
        self._system_tokens = estimated_tokens(system or "") + _FRAME_TOKENS
        self._most_output = answer_tokens or MOST_ANSWER_TOKENS
        self._reserved: dict[AnswerKey, float] = {}

    def idempotency_key(self, key: AnswerKey) -> str:
        """Identifies the answer that a request is for."""
        return self._journal.idempotency_key(key)

    def send(self, key: AnswerKey, message: str) -> None:
        """Note a request that is about to be sent.

        Raises:
            BudgetExhaustedError: the budget does not cover it.
        """
        tokens = Tokens(estimated_tokens(message) + self._system_tokens, self._most_output)
        if self._budget is not None:
            self._reserved[key] = self._budget.reserve(tokens.input)
        self._journal.send(key, tokens)

    def answer(self, key: AnswerKey, answer: Answer) -> None:
        """Store the answer to a request."""
        self._settle(key, _tokens(answer))
        self._journal.add(key.question, answer)

    def reject(self, key: AnswerKey) -> None:
        """Note that a request was rejected, and costs nothing."""
        self._settle(key, None)
        self._journal.reject(key)

    def cut_off(self, key: AnswerKey) -> None:
        """Note that a request got no answer, although the server may have worked on it: the most it can have cost."""
        self._settle(key, self._journal.content.open[key], known=False)

    def _settle(self, key: AnswerKey, tokens: Tokens | None, *, known: bool = True) -> None:
        if self._budget is not None:
            self._budget.settle(self._reserved.pop(key), tokens, known=known)


def _tokens(answer: Answer) -> Tokens:
    return Tokens(answer.input_tokens or 0, answer.output_tokens or 0)


def cost_of(price: Price, answers: Iterable[Answer]) -> float:
    """The total cost of answers."""
    return sum(price.of(*_tokens(answer)) for answer in answers)


def cost_of_journal(price: Price, content: JournalContent) -> float:
    """The total cost of the requests in a journal, with the most that cut-off ones can have cost."""
    return cost_of(price, content.paid) + sum(price.of(*tokens) for tokens in content.cut_off)
