"""Asking all questions of a study that have no answer yet: several at a time, within the budget."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, StoppedError, UnansweredError
from clonetruth.judges.journal import Journal, Key
from clonetruth.judges.prices import Budget
from clonetruth.judges.questions import LLMQuestion

Progress = Callable[[str, int, int], None]

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
