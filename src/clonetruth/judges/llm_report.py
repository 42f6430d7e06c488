"""How a model is asked about a study, and what came of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from clonetruth.judges.canaries import CanaryReport
from clonetruth.judges.chat import RetryPolicy
from clonetruth.judges.majority import AnswerState
from clonetruth.judges.outcome import LLMOutcome
from clonetruth.judges.prices import Price


@dataclass(frozen=True)
class LLMSettings:
    """How a model is asked about a study, once prices and retries are read.

    Attributes:
        runs: how often each question is asked; None for the protocol's number.
        limit: maximum number of subjects, from the first; None for all.
        base_url: address of the server; None for OpenAI.
        price: the price of the model's tokens; None if unknown.
        budget: maximum total cost of all requests; None for no limit.
        concurrency: number of concurrent requests.
        rate: maximum number of requests per minute; None for no limit.
        retry: timeout and retries.
        canaries: number of canary questions asked first; 0 for none.
        stop_after_unreadable: stop when more than this share of the answers cannot be read.
        ask_again: the stored answers that are asked for again, by their state.
        structured: whether the server is asked for a JSON object; None to let the canaries find out whether it can.
    """

    runs: int | None = None
    limit: int | None = None
    base_url: str | None = None
    price: Price | None = None
    budget: float | None = None
    concurrency: int = 8
    rate: float | None = None
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    canaries: int = 4
    stop_after_unreadable: float = 0.2
    ask_again: Collection[AnswerState] = ()
    structured: bool | None = None


@dataclass(frozen=True)
class LLMEstimate:
    """The estimated effort of asking a model.

    Attributes:
        judge: the judge's id; None if the canary questions are still to show whether the server can be asked for JSON.
        canaries: number of canary questions that are still to be asked.
        subjects: number of subjects to ask about.
        without_text: number of subjects that cannot be asked about, because a text is missing.
        questions: number of questions over all runs and orders.
        kept: how many of them are answered already, and are not asked again.
        input_tokens: estimated tokens of the remaining prompts.
        output_tokens: estimated tokens of their answers.
        cost: estimated cost; None if the price is unknown.
    """

    judge: str | None
    canaries: int
    subjects: int
    without_text: int
    questions: int
    kept: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True)
class LLMReport:
    """The result of asking a model.

    Attributes:
        outcome: the judge's answers.
        without_text: number of subjects that could not be asked about, because a text is missing.
        questions: number of questions over all runs and orders.
        kept: how many of them were answered before.
        answered: how many were answered, and paid for, this time.
        unanswered: the server's reason for each question without an answer.
        failures: number of failed attempts; most were followed by a successful one.
        cut_off: number of requests, over all calls, that got no answer although the server may have billed them.
        input_tokens: tokens of the prompts paid for this time, canary questions included.
        output_tokens: tokens of their answers.
        estimated: whether some token counts are estimates, because the server did not report them.
        cost: cost of this time's requests, with the most that cut-off ones can have cost; None if the price is unknown.
        cost_of_all: cost including the requests of earlier calls.
        models: the models that answered, as the server reports them.
        stopped: why it ended early; None if everything was asked.
        canaries: what the canary questions showed; None if there were none.
    """

    outcome: LLMOutcome
    without_text: int
    questions: int
    kept: int
    answered: int
    unanswered: tuple[str, ...]
    failures: int
    cut_off: int
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost: float | None
    cost_of_all: float | None
    models: tuple[str, ...]
    stopped: str | None
    canaries: CanaryReport | None = None

    @property
    def complete(self) -> bool:
        """Whether every question has an answer."""
        return self.stopped is None and not self.unanswered
