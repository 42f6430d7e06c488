"""Asking many questions: several at a time, within the budget, and no longer than the answers can be read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RequestAccount, StoppedError, UnansweredError, UnreachableError
from clonetruth.judges.journal import AnswerKey
from clonetruth.judges.majority import Answer
from clonetruth.judges.prices import Account, BudgetExhaustedError
from clonetruth.judges.questions import LLMQuestion
from clonetruth.progress import Progress

_MAX_REJECTIONS = 3
"""Rejected questions, with none answered, after which the problem is not the questions."""
FEWEST_ANSWERS = 20
"""Answers before the share of unreadable ones says something."""


@dataclass(frozen=True)
class RequestSummary:
    """The outcome of a batch of requests.

    Attributes:
        answers: the questions that were answered, and paid for.
        unanswered: the server's reason for each question without an answer.
        stopped: why it ended early; None if everything was asked.
        unreachable: number of questions since the last answer for which the server could not be reached.
    """

    answers: tuple[AnswerKey, ...] = ()
    unanswered: tuple[str, ...] = ()
    stopped: str | None = None
    unreachable: int = 0


class LLMRequests:
    """Asks the open questions of a study and stores the answers.

    Args:
        chat: the server.
        account: notes every request.
        readable: whether an answer can be read.
        unreadable_share: stop when more than this share of at least `FEWEST_ANSWERS` answers cannot be read.
        concurrency: number of concurrent requests.
        progress: progress callback.
        repeat: ask again if a request that may have been billed got no answer.
        answered: whether the server has answered earlier questions: if it can no longer be reached, asking stops early
            without an error.
        unreachable: number of earlier questions, since the last answer, for which it could not be reached.
    """

    def __init__(
        self,
        chat: Chat,
        account: Account,
        readable: Callable[[Answer], bool],
        unreadable_share: float,
        concurrency: int,
        progress: Progress,
        *,
        repeat: bool = True,
        answered: bool = False,
        unreachable: int = 0,
    ) -> None:
        self._chat = chat
        self._account = account
        self._readable = readable
        self._unreadable_share = unreadable_share
        self._concurrency = concurrency
        self._progress = progress
        self._repeat = repeat
        self._answered = answered
        self._answers: list[AnswerKey] = []
        self._unreadable = 0
        self._unanswered: list[str] = []
        self._unreachable = unreachable
        self._stopped: str | None = None

    async def run(self, open_questions: Iterable[tuple[LLMQuestion, int]]) -> RequestSummary:
        """Ask questions, each with the number of its run. Requests in flight are completed when it stops early.

        Raises:
            InputError: the server rejects all requests, and has answered nothing.
        """
        waiting = deque(open_questions)
        total = len(waiting)
        await asyncio.gather(*(self._work(waiting, total) for _ in range(min(self._concurrency, total))))
        if self._stopped and not (self._answers or self._answered):
            raise InputError(
                f"The model cannot be asked: {self._stopped}.",
                hint="Check the key (OPENAI_API_KEY), the model, the server's address and the parameters.",
            )
        if waiting and self._stopped is None:
            self._stopped = f"the budget is exhausted, with {len(waiting):,} questions left"
        return RequestSummary(tuple(self._answers), tuple(self._unanswered), self._stopped, self._unreachable)

    async def _work(self, waiting: deque[tuple[LLMQuestion, int]], total: int) -> None:
        while waiting and self._stopped is None:
            question, run = waiting.popleft()
            try:
                await self._ask(question, run)
            except BudgetExhaustedError:
                # A request in flight may turn out cheaper than expected; its worker then goes on.
                waiting.appendleft((question, run))
                return
            self._progress("questions", 1, total)
            count = len(self._answers)
            if waiting and count >= FEWEST_ANSWERS and self._unreadable > self._unreadable_share * count:
                self._stopped = (
                    f"{self._unreadable:,} of {count:,} answers cannot be read, more than "
                    f"{self._unreadable_share:.0%} (--stop-after-unreadable), with {len(waiting):,} questions left"
                )

    async def _ask(self, question: LLMQuestion, run: int) -> None:
        key = AnswerKey(question.digest, question.order, run)
        try:
            account = _QuestionAccount(self._account, key, question.message, repeat=self._repeat)
            answer = await self._chat.ask(question.message, question.order, run, account)
        except StoppedError as error:
            self._stopped = str(error)
        except UnansweredError as error:
            self._unanswered.append(str(error))
            self._unreachable += isinstance(error, UnreachableError)
            if self._answered and self._unreachable >= _MAX_REJECTIONS:
                self._stopped = str(error)
            if len(self._unanswered) >= _MAX_REJECTIONS and not (self._answers or self._answered):
                self._stopped = str(error)
        else:
            self._account.answer(key, answer)
            self._unreachable = 0
            self._answers.append(key)
            self._unreadable += not self._readable(answer)


class _QuestionAccount(RequestAccount):
    """The account of the attempts at one question."""

    def __init__(self, account: Account, key: AnswerKey, message: str, *, repeat: bool) -> None:
        self.idempotency_key = account.idempotency_key(key)
        self._repeat = repeat
        self._account = account
        self._key = key
        self._message = message

    def send(self) -> None:
        self._account.send(self._key, self._message)

    def reject(self) -> None:
        self._account.reject(self._key)

    def cut_off(self) -> None:
        self._account.cut_off(self._key)
        if not self._repeat:
            raise UnansweredError("a request was cut off that may have been billed, and is not repeated")
