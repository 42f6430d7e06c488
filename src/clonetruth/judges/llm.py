"""The LLM as one more judge of a study: asked by a protocol, its answers kept, its majority added."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, Patience, RateLimit, StoppedError, UnansweredError
from clonetruth.judges.journal import Journal, Key, open_journal, read_journal
from clonetruth.judges.majority import Answer, Conclusion, conclude
from clonetruth.judges.outcome import LLMOutcome, criterion_for, record
from clonetruth.judges.prices import ANSWER_TOKENS, Budget, Price, answer_limit, cost_of, estimated_tokens
from clonetruth.judges.protocol import LLMProtocol, llm_judge, respondent
from clonetruth.judges.questions import LLMQuestion, questions
from clonetruth.progress import Progress, no_progress
from clonetruth.store.study import Study, read_study

# Asking all questions of a study that have no answer yet: several at a time, within the budget.

_HOPELESS = 3
"""So many questions refused, and none answered: it is not the questions."""


@dataclass(frozen=True)
class LLMReply:
    """How the asking went.

    Attributes:
        answers: what was answered, and paid for.
        unanswered: questions without an answer, and why, in the words of the server.
        failures: attempts that failed; most were made good by a later one.
        stopped: why it ended before all was asked; None where it did not.
    """

    answers: tuple[Key, ...]
    unanswered: tuple[str, ...]
    failures: int
    stopped: str | None


class LLMRequests:
    """Puts questions to a server and keeps the answers.

    Args:
        chat: the server.
        journal: where answers are kept before anything else is done with them.
        budget: what may be spent; None for no limit.
        concurrency: how many questions are under way at once.
        progress: told (what, done since the last call, total).
    """

    def __init__(
        self, chat: Chat, journal: Journal, budget: Budget | None, concurrency: int, progress: Progress
    ) -> None:
        self._chat = chat
        self._journal = journal
        self._budget = budget
        self._concurrency = concurrency
        self._progress = progress
        self._answers: list[Key] = []
        self._unanswered: list[str] = []
        self._stopped: str | None = None

    async def run(self, open_questions: Iterable[tuple[LLMQuestion, int]]) -> LLMReply:
        """Ask questions, each with the number of its run. What is under way when a stop comes is still waited for.

        Raises:
            InputError: the server refuses us, and has answered nothing.
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
                hint="Is the key (OPENAI_API_KEY) right, and the model, the server's address, the parameters?",
            )
        if waiting and self._stopped is None:
            self._stopped = f"the budget allows no further question, and {len(waiting):,} are left"
        return LLMReply(tuple(self._answers), tuple(self._unanswered), self._chat.failures, self._stopped)

    async def _work(self, waiting: deque[tuple[LLMQuestion, int]], total: int) -> None:
        while waiting and self._stopped is None:
            question, run = waiting[0]
            reserved = self._budget.reserve(question.message) if self._budget else 0.0
            if reserved is None:
                # Another question under way may turn out cheaper than expected, and its worker goes on.
                return
            waiting.popleft()
            await self._ask(question, run, reserved)
            self._progress("questions", 1, total)

    async def _ask(self, question: LLMQuestion, run: int, reserved: float) -> None:
        answer = None
        try:
            answer = await self._chat.ask(question.message, question.order, run)
            self._journal.add(question.digest, answer)
            self._answers.append(Key(question.digest, question.order, run))
        except StoppedError as error:
            self._stopped = str(error)
        except UnansweredError as error:
            self._unanswered.append(str(error))
            if len(self._unanswered) >= _HOPELESS and not self._answers:
                self._stopped = str(error)
        finally:
            if self._budget:
                self._budget.settle(reserved, answer)


@dataclass(frozen=True)
class LLMOptions:
    """How a study is put before a model.

    Attributes:
        runs: how often each question is asked; as the protocol says unless told.
        limit: only so many of the first subjects.
        base_url: where the server is; OpenAI's unless told.
        price: what the model's tokens cost; None where that is not known.
        budget: what all answers together may cost.
        concurrency: how many questions are under way at once.
        rate: requests in a minute; None for no limit.
        patience: how long to wait and how often to try.
    """

    runs: int | None = None
    limit: int | None = None
    base_url: str | None = None
    price: Price | None = None
    budget: float | None = None
    concurrency: int = 8
    rate: float | None = None
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True)
class LLMEstimate:
    """What asking would take.

    Attributes:
        judge: the judge's id.
        subjects: subjects to be asked about.
        without_text: subjects that cannot be asked about, because a text is missing.
        questions: questions over all runs and orders.
        kept: how many of them have an answer already.
        input_tokens: estimate of the tokens of the prompts that are left to ask.
        output_tokens: estimate of the tokens of their answers.
        cost: what that would cost; None where the price is not known.
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
    """How asking went, and what the judge says.

    Attributes:
        outcome: the judge's answers.
        without_text: subjects that could not be asked about, because a text is missing.
        questions: questions over all runs and orders.
        kept: how many of them had an answer before.
        answered: how many were answered, and paid for, now.
        unanswered: questions that got no answer, and why.
        failures: attempts that failed; most were made good by a later one.
        input_tokens: tokens of the prompts that were paid for now.
        output_tokens: tokens of their answers.
        estimated: whether some of the tokens are estimates, because the server did not count.
        cost: what the answers of now cost; None where the price is not known.
        cost_of_all: the same with the answers of earlier calls.
        models: the models that the server says have answered.
        stopped: why it ended before all was asked; None where it did not.
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
    """A study, a model and a protocol: what is to be asked."""

    def __init__(self, folder: Path, model: str, protocol: LLMProtocol, options: LLMOptions) -> None:
        if options.budget is not None and options.price is None:
            raise InputError(
                f"A budget needs the price of '{model}'.",
                hint="Give a price table (--prices); docs/llm-judge.md has one.",
            )
        self.runs = protocol.runs if options.runs is None else options.runs
        if min(self.runs, options.concurrency, options.patience.tries) < 1:
            raise InputError("Runs, concurrency and tries are at least 1.")
        self.study: Study = read_study(folder)
        self.protocol = protocol
        self.options = options
        self.criterion = criterion_for(self.study, protocol)
        self.respondent = respondent(model, protocol)
        self.judge = llm_judge(model, protocol, self.runs)
        asked = questions(self.study, protocol)[: options.limit]
        self.subjects = [one for one in asked if one]
        self.without_text = len(asked) - len(self.subjects)

    def keys(self, subject: list[LLMQuestion]) -> dict[Key, LLMQuestion]:
        """All that is to be asked about one subject."""
        return {
            Key(question.digest, question.order, run): question
            for run, question in product(range(1, self.runs + 1), subject)
        }

    def everything(self) -> dict[Key, LLMQuestion]:
        """All that is to be asked. Subjects with the same texts are one question."""
        return {key: question for subject in self.subjects for key, question in self.keys(subject).items()}


def estimate_llm(folder: Path, model: str, protocol: LLMProtocol, options: LLMOptions | None = None) -> LLMEstimate:
    """What asking a model would take; nothing is asked, nothing is written.

    Raises:
        InputError: see `ask_llm`.
    """
    task = _Task(folder, model, protocol, options or LLMOptions())
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


def ask_llm(
    folder: Path,
    model: str,
    protocol: LLMProtocol,
    options: LLMOptions | None = None,
    progress: Progress = no_progress,
) -> LLMReport:
    """Ask a model about the subjects of a study, and add its judgements.

    Every answer is kept in the study folder before it is used; what is there is not asked again. A subject gets its
    judgement when all its runs have an answer.

    Args:
        folder: the study folder.
        model: the model's name, as the server knows it.
        protocol: how it is asked.
        options: where, how often, how fast, for how much.
        progress: told (what, done since the last call, total).

    Raises:
        InputError: the study or the options cannot be used, or another process asks the same.
        MissingExtraError: the client is not installed.
    """
    task = _Task(folder, model, protocol, options or LLMOptions())
    everything = task.everything()
    with open_journal(task.study.path, task.respondent) as journal:
        kept = journal.answers.keys() & everything.keys()
        asked = asyncio.run(_ask(task, journal, everything, progress))
        conclusions = _conclusions(task, journal.answers)
        outcome = record(task.study, task.judge, task.criterion, conclusions)
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


async def _ask(task: _Task, journal: Journal, everything: Mapping[Key, LLMQuestion], progress: Progress) -> LLMReply:
    """Ask what has no answer yet; where nothing is left, neither client nor key is needed."""
    left = [(question, key.run) for key, question in everything.items() if key not in journal.answers]
    if not left:
        return LLMReply((), (), 0, None)
    options = task.options
    chat = Chat(task.respondent, options.base_url, RateLimit(options.rate), options.patience)
    budget = None
    if options.price and options.budget is not None:
        limit = answer_limit(task.protocol.parameters)
        paid = journal.answers.values()
        budget = Budget(options.price, options.budget, paid, limit, task.protocol.system)
    return await LLMRequests(chat, journal, budget, options.concurrency, progress).run(left)


def _conclusions(task: _Task, answers: Mapping[Key, Answer]) -> dict[int, Conclusion]:
    """What the model says of each subject whose runs are complete."""
    found = {}
    for subject in task.subjects:
        keys = task.keys(subject)
        if all(key in answers for key in keys):
            found[subject[0].subject] = conclude([answers[key] for key in keys], task.protocol.answers)
    return found
