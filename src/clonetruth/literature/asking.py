"""Asking a model about papers: every answer is in the journal before it is used, and is never paid for twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RateLimit, RetryPolicy
from clonetruth.judges.journal import AnswerKey, open_journal, read_journal
from clonetruth.judges.prices import Account, Budget, answer_limit, cost_of_journal, read_price
from clonetruth.judges.protocol import Order
from clonetruth.judges.questions import LLMQuestion
from clonetruth.judges.requests import LLMRequests, RequestSummary
from clonetruth.literature.answers import ReadAnswers, is_readable, read_answers
from clonetruth.literature.documents import PaperText, find_papers, read_paper
from clonetruth.literature.protocol import PaperProtocol
from clonetruth.options.literature import AskingOptions
from clonetruth.options.study import requests_per_minute
from clonetruth.progress import Progress


@dataclass(frozen=True)
class PaperReplies:
    """What a model said about papers.

    Attributes:
        read: the replies, by paper and run.
        missing: the number of questions without a reply.
        stopped: why asking ended early; empty if it did not.
        cost: what all requests of this model and protocol have cost; None if prices are unknown.
    """

    read: tuple[ReadAnswers, ...]
    missing: int
    stopped: str
    cost: float | None


def read_papers(paths: Sequence[Path]) -> tuple[list[PaperText], dict[str, str]]:
    """The papers that can be read, and why the others cannot.

    Raises:
        InputError: there are none, or two have the same name.
        MissingExtraError: a PDF file needs the extra `pdf`.
    """
    papers: dict[str, PaperText] = {}
    errors: dict[str, str] = {}
    for path in find_papers(paths):
        try:
            paper = read_paper(path)
        except InputError as error:
            errors[str(path)] = str(error)
            continue
        if paper.name in papers:
            raise InputError(f"Two papers are called '{paper.name}'.", where=path, hint="Rename one of the files.")
        papers[paper.name] = paper
    if not papers:
        raise InputError("None of the papers can be read.", hint=next(iter(errors.values())))
    return list(papers.values()), errors


def ask_about(
    folder: Path,
    papers: Sequence[PaperText],
    protocol: PaperProtocol,
    options: AskingOptions,
    runs: int,
    progress: Progress,
) -> PaperReplies:
    """Ask about papers what has no stored answer yet.

    Raises:
        InputError: a budget without prices, the server rejects everything, or another process asks the same.
        MissingExtraError: the extra `llm` is not installed.
    """
    if options.budget is not None and options.prices is None:
        raise InputError("A budget needs prices.", hint="Name a file of prices (--prices).")
    respondent = protocol.respondent(options.model)
    price = None if options.prices is None else read_price(options.prices, options.model)
    asked = [(LLMQuestion(number, Order.GIVEN, protocol.message(paper)), paper) for number, paper in enumerate(papers)]
    # Two files with the same text share a question.
    wanted = [
        (AnswerKey(question.digest, question.order, run), question, paper)
        for run, (question, paper) in product(range(1, runs + 1), asked)
    ]
    stopped = ""
    if not options.replay:
        with open_journal(folder, respondent) as journal:
            left = {key: question for key, question, _ in wanted if key not in journal.answers}
            limit = answer_limit(protocol.parameters)
            budget = None
            if price is not None and options.budget is not None:
                spent = cost_of_journal(price, journal.content)
                budget = Budget(price, options.budget, limit, spent, journal.content.paid)
            account = Account(journal, budget, protocol.system, limit)
            summary = asyncio.run(_request(respondent, options, account, left, progress)) if left else RequestSummary()
            stopped = summary.stopped or next(iter(summary.unanswered), "")
    stored = read_journal(folder, respondent)
    read = tuple(
        read_answers(paper, protocol, stored.answers[key].text, key.run)
        for key, _, paper in wanted
        if key in stored.answers
    )
    cost = None if price is None else cost_of_journal(price, stored)
    return PaperReplies(read, len(wanted) - len(read), stopped, cost)


async def _request(
    respondent: Mapping[str, object],
    options: AskingOptions,
    account: Account,
    left: Mapping[AnswerKey, LLMQuestion],
    progress: Progress,
) -> RequestSummary:
    retry = RetryPolicy(timeout=options.timeout, tries=options.tries)
    chat = Chat(respondent, options.base_url, RateLimit(requests_per_minute(options.rate)), retry)
    try:
        requests = LLMRequests(chat, account, lambda one: is_readable(one.text), 0.5, options.concurrency, progress)
        return await requests.run((question, key.run) for key, question in left.items())
    finally:
        await chat.close()
