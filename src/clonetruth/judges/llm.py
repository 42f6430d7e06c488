"""The LLM as a judge of a study: asked by a protocol, with stored answers, its majority added as judgements."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RateLimit, RetryPolicy, StoppedError, UnansweredError
from clonetruth.judges.journal import AnswerKey, Journal, open_journal, read_journal
from clonetruth.judges.majority import Answer, Conclusion, conclude
from clonetruth.judges.outcome import LLMOutcome, criterion_for, record_judgements
from clonetruth.judges.prices import ANSWER_TOKENS, Budget, Price, answer_limit, cost_of, estimated_tokens
from clonetruth.judges.protocol import LLMProtocol, llm_judge, respondent
from clonetruth.judges.questions import LLMQuestion, study_questions
from clonetruth.progress import Progress, no_progress
from clonetruth.store.study import Study, read_study

_MAX_REJECTIONS = 3
"""Rejected questions, with none answered, after which the problem is not the questions."""


@dataclass(frozen=True)
class RequestSummary:
    """The outcome of a batch of requests.

    Attributes:
        answers: the questions that were answered, and paid for.
        unanswered: the server's reason for each question without an answer.
        failures: number of failed attempts; most were followed by a successful one.
        stopped: why it ended early; None if everything was asked.
    """

    answers: tuple[AnswerKey, ...]
    unanswered: tuple[str, ...]
    failures: int
    stopped: str | None


class LLMRequests:
    """Asks the open questions of a study, several at a time and within the budget, and stores the answers.

    Args:
        chat: the server.
        journal: where answers are stored before they are used.
        budget: what may be spent; None for no limit.
        concurrency: number of concurrent requests.
        progress: progress callback.
    """

    def __init__(
        self, chat: Chat, journal: Journal, budget: Budget | None, concurrency: int, progress: Progress
    ) -> None:
        self._chat = chat
        self._journal = journal
        self._budget = budget
        self._concurrency = concurrency
        self._progress = progress
        self._answers: list[AnswerKey] = []
        self._unanswered: list[str] = []
        self._stopped: str | None = None

    async def run(self, open_questions: Iterable[tuple[LLMQuestion, int]]) -> RequestSummary:
        """Ask questions, each with the number of its run. Requests in flight are completed when it stops early.

        Raises:
            InputError: the server rejects all requests, and has answered nothing.
        """
        waiting = deque(open_questions)
        total = len(waiting)
        try:
            await asyncio.gather(*(self._work(waiting, total) for _ in range(min(self._concurrency, total))))
        finally:
            await self._chat.close()
        if self._stopped and not self._answers:
            raise InputError(
                f"The model cannot be asked: {self._stopped}.",
                hint="Check the key (OPENAI_API_KEY), the model, the server's address and the parameters.",
            )
        if waiting and self._stopped is None:
            self._stopped = f"the budget is exhausted, with {len(waiting):,} questions left"
        return RequestSummary(tuple(self._answers), tuple(self._unanswered), self._chat.failures, self._stopped)

    async def _work(self, waiting: deque[tuple[LLMQuestion, int]], total: int) -> None:
        while waiting and self._stopped is None:
            question, run = waiting[0]
            reserved = self._budget.reserve(question.message) if self._budget else 0.0
            if reserved is None:
                # A request in flight may turn out cheaper than expected; its worker then goes on.
                return
            waiting.popleft()
            await self._ask(question, run, reserved)
            self._progress("questions", 1, total)

    async def _ask(self, question: LLMQuestion, run: int, reserved: float) -> None:
        answer = None
        try:
            answer = await self._chat.ask(question.message, question.order, run)
            self._journal.add(question.digest, answer)
            self._answers.append(AnswerKey(question.digest, question.order, run))
        except StoppedError as error:
            self._stopped = str(error)
        except UnansweredError as error:
            self._unanswered.append(str(error))
            if len(self._unanswered) >= _MAX_REJECTIONS and not self._answers:
                self._stopped = str(error)
        finally:
            if self._budget:
                self._budget.settle(reserved, answer)


@dataclass(frozen=True)
class LLMSettings:
    """How a model is asked about a study, once prices and retries are read.

    Attributes:
        runs: how often each question is asked; None for the protocol's number.
        limit: maximum number of subjects, from the first; None for all.
        base_url: address of the server; None for OpenAI.
        price: the price of the model's tokens; None if unknown.
        budget: maximum total cost of all answers; None for no limit.
        concurrency: number of concurrent requests.
        rate: maximum number of requests per minute; None for no limit.
        retry: timeout and retries.
    """

    runs: int | None = None
    limit: int | None = None
    base_url: str | None = None
    price: Price | None = None
    budget: float | None = None
    concurrency: int = 8
    rate: float | None = None
    retry: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(frozen=True)
class LLMEstimate:
    """The estimated effort of asking a model.

    Attributes:
        judge: the judge's id.
        subjects: number of subjects to ask about.
        without_text: number of subjects that cannot be asked about, because a text is missing.
        questions: number of questions over all runs and orders.
        kept: how many of them are answered already.
        input_tokens: estimated tokens of the remaining prompts.
        output_tokens: estimated tokens of their answers.
        cost: estimated cost; None if the price is unknown.
    """

    judge: str
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
        input_tokens: tokens of the prompts paid for this time.
        output_tokens: tokens of their answers.
        estimated: whether some token counts are estimates, because the server did not report them.
        cost: cost of this time's answers; None if the price is unknown.
        cost_of_all: cost including the answers of earlier calls.
        models: the models that answered, as the server reports them.
        stopped: why it ended early; None if everything was asked.
    """

    outcome: LLMOutcome
    without_text: int
    questions: int
    kept: int
    answered: int
    unanswered: tuple[str, ...]
    failures: int
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost: float | None
    cost_of_all: float | None
    models: tuple[str, ...]
    stopped: str | None

    @property
    def complete(self) -> bool:
        """Whether every question has an answer."""
        return self.stopped is None and not self.unanswered


class _Task:
    """Everything to ask: a study, a model and a protocol."""

    def __init__(self, folder: str | os.PathLike[str], model: str, protocol: LLMProtocol, options: LLMSettings) -> None:
        if options.budget is not None and options.price is None:
            raise InputError(
                f"A budget needs the price of '{model}'.",
                hint="Give a price table (--prices); docs/llm-judge.md has one.",
            )
        self.runs = protocol.runs if options.runs is None else options.runs
        if min(self.runs, options.concurrency, options.retry.tries) < 1:
            raise InputError("Runs, concurrency and tries must be at least 1.")
        self.study: Study = read_study(folder)
        self.protocol = protocol
        self.options = options
        self.criterion = criterion_for(self.study, protocol)
        self.respondent = respondent(model, protocol)
        self.judge = llm_judge(model, protocol, self.runs)
        asked = study_questions(self.study, protocol)[: options.limit]
        self.subjects = [one for one in asked if one]
        self.without_text = len(asked) - len(self.subjects)

    def keys(self, subject: list[LLMQuestion]) -> dict[AnswerKey, LLMQuestion]:
        """All questions about one subject."""
        return {
            AnswerKey(question.digest, question.order, run): question
            for run, question in product(range(1, self.runs + 1), subject)
        }

    def everything(self) -> dict[AnswerKey, LLMQuestion]:
        """All questions. Subjects with the same texts share a question."""
        return {key: question for subject in self.subjects for key, question in self.keys(subject).items()}


def estimate_llm(
    folder: str | os.PathLike[str], model: str, protocol: LLMProtocol, options: LLMSettings | None = None
) -> LLMEstimate:
    """Estimate the effort of asking a model. Nothing is asked, and nothing is written.

    Raises:
        InputError: see `ask_model`.
    """
    task = _Task(folder, model, protocol, options or LLMSettings())
    everything = task.everything()
    kept = read_journal(task.study.path, task.respondent).keys() & everything.keys()
    left = [question for key, question in everything.items() if key not in kept]
    system = estimated_tokens(protocol.system or "")
    input_tokens = sum(estimated_tokens(question.message) + system for question in left)
    output_tokens = len(left) * min(ANSWER_TOKENS, answer_limit(protocol.parameters) or ANSWER_TOKENS)
    price = task.options.price
    return LLMEstimate(
        judge=task.judge.id,
        subjects=len(task.subjects),
        without_text=task.without_text,
        questions=len(everything),
        kept=len(kept),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=price.of(input_tokens, output_tokens) if price else None,
    )


def ask_model(
    folder: str | os.PathLike[str],
    model: str,
    protocol: LLMProtocol,
    options: LLMSettings | None = None,
    progress: Progress = no_progress,
) -> LLMReport:
    """Ask a model about the subjects of a study, and add its judgements.

    Every answer is stored in the study folder before it is used; stored answers are not asked for again. A subject gets
    its judgement when all its runs are answered.

    Args:
        folder: the study folder.
        model: the model's name on the server.
        protocol: how it is asked.
        options: server, runs, rate and budget.
        progress: progress callback.

    Raises:
        InputError: the study or the options are invalid, or another process is asking the same.
        MissingExtraError: the client is not installed.
    """
    task = _Task(folder, model, protocol, options or LLMSettings())
    everything = task.everything()
    with open_journal(task.study.path, task.respondent) as journal:
        kept = journal.answers.keys() & everything.keys()
        asked = asyncio.run(_ask(task, journal, everything, progress))
        conclusions = _conclusions(task, journal.answers)
        outcome = record_judgements(task.study, task.judge, task.criterion, conclusions)
        price = task.options.price
        new = [journal.answers[key] for key in asked.answers]
        used = [journal.answers[key] for key in everything if key in journal.answers]
        return LLMReport(
            outcome=outcome,
            without_text=task.without_text,
            questions=len(everything),
            kept=len(kept),
            answered=len(new),
            unanswered=asked.unanswered,
            failures=asked.failures,
            input_tokens=sum(answer.input_tokens or 0 for answer in new),
            output_tokens=sum(answer.output_tokens or 0 for answer in new),
            estimated=any(answer.estimated for answer in new),
            cost=cost_of(price, new) if price else None,
            cost_of_all=cost_of(price, journal.answers.values()) if price else None,
            models=tuple(sorted({answer.model for answer in used if answer.model})),
            stopped=asked.stopped,
        )


async def _ask(
    task: _Task, journal: Journal, everything: Mapping[AnswerKey, LLMQuestion], progress: Progress
) -> RequestSummary:
    """Ask the open questions; if there are none, neither client nor key is needed."""
    left = [(question, key.run) for key, question in everything.items() if key not in journal.answers]
    if not left:
        return RequestSummary((), (), 0, None)
    options = task.options
    chat = Chat(task.respondent, options.base_url, RateLimit(options.rate), options.retry)
    budget = None
    if options.price and options.budget is not None:
        limit = answer_limit(task.protocol.parameters)
        paid = journal.answers.values()
        budget = Budget(options.price, options.budget, paid, limit, task.protocol.system)
    return await LLMRequests(chat, journal, budget, options.concurrency, progress).run(left)


def _conclusions(task: _Task, answers: Mapping[AnswerKey, Answer]) -> dict[int, Conclusion]:
    """The model's conclusion on each subject whose runs are complete."""
    conclusions = {}
    for subject in task.subjects:
        keys = task.keys(subject)
        if all(key in answers for key in keys):
            conclusions[subject[0].subject] = conclude([answers[key] for key in keys], task.protocol.answers)
    return conclusions
