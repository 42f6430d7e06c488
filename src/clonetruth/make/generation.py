"""Asking models for code: every answer is in the journal before it is used, and is never paid for twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import read_parquet, write_parquet
from clonetruth.code import language
from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RateLimit, RetryPolicy
from clonetruth.judges.journal import AnswerKey, JournalContent, open_journal, read_journal
from clonetruth.judges.majority import Answer
from clonetruth.judges.prices import (
    ANSWER_TOKENS,
    Account,
    Budget,
    Price,
    answer_limit,
    cost_of_journal,
    estimated_tokens,
    read_price,
)
from clonetruth.judges.protocol import Order
from clonetruth.judges.questions import LLMQuestion
from clonetruth.judges.requests import LLMRequests, RequestSummary
from clonetruth.make.prompts import GenerationPrompt, check_prompts
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork, WaitingError
from clonetruth.options.study import requests_per_minute
from clonetruth.store import hash_json

_PARTS = 10
"""Every prompt is asked about a tenth of its seeds before the next tenth: a run that ends early is balanced."""
ANSWERS = pa.schema(
    [
        pa.field("seed", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("wants", pa.string(), nullable=False),
        pa.field("languages", pa.string(), nullable=False),
        pa.field("expected", pa.int32(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("answered_by", pa.string()),
        pa.field("run", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("finish", pa.string()),
        pa.field("refused", pa.bool_(), nullable=False),
        pa.field("input_tokens", pa.int64()),
        pa.field("output_tokens", pa.int64()),
        pa.field("time", pa.string()),
    ]
)


class CutOffRequests(StrEnum):
    """What happens to a question whose request may have been billed, and got no answer."""

    REPEAT = "repeat"
    LEAVE = "leave"


@dataclass(frozen=True)
class AskOptions:
    """The keys of the stage.

    Attributes:
        models: the models' names on the server, side by side.
        prompts: the prompts.
        system: the system message.
        parameters: further request parameters (temperature, max_tokens …).
        base_url: a server with OpenAI's chat API (default: OpenAI).
        prices: file of prices per million tokens.
        budget: maximum total cost; needs prices.
        rate: maximum request rate, such as `120/min`.
        concurrency: number of concurrent requests.
        timeout: seconds to wait for an answer.
        tries: attempts per question.
        partial: go on with the answers that there are, instead of waiting for the rest.
        cut_off: what happens to a question whose request was sent and got no answer, by a timeout or because the maker
            was killed, and which may have been billed: `repeat` it, or `leave` it unanswered, so that nothing can be
            billed twice.
    """

    models: tuple[str, ...]
    prompts: tuple[GenerationPrompt, ...]
    system: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    base_url: str | None = None
    prices: str | None = None
    budget: float | None = None
    rate: str | None = None
    concurrency: int = 4
    timeout: float = 300.0
    tries: int = 6
    partial: bool = False
    cut_off: CutOffRequests = CutOffRequests.REPEAT


@dataclass(frozen=True)
class _Respondent:
    """A model with one prompt, and all questions to it."""

    model: str
    prompt: GenerationPrompt
    identity: Mapping[str, Any]
    price: Price | None
    questions: Mapping[AnswerKey, tuple[LLMQuestion, Mapping[str, str]]]


def _respondents(work: StageWork) -> Iterator[_Respondent]:
    options: AskOptions = work.options
    seeds = read_parquet(work.artefact("seeds")).to_pylist()
    prices = None if options.prices is None else work.path(options.prices)
    for model in options.models:
        price = None if prices is None else read_price(prices, model)
        for prompt in options.prompts:
            wanted = {language(name).name for name in prompt.seed_languages}
            own = _limited([one for one in seeds if not wanted or one["language"] in wanted], prompt.limit)
            questions: dict[AnswerKey, tuple[LLMQuestion, Mapping[str, str]]] = {}
            for number, seed in enumerate(own):
                question = LLMQuestion(number, Order.GIVEN, prompt.message(seed["text"], seed["language"]))
                for run in range(1, prompt.runs + 1):
                    questions[AnswerKey(question.digest, question.order, run)] = (question, seed)
            identity = {
                "model": model,
                "system": options.system,
                "prompt": prompt.text,
                "parameters": {**options.parameters, **prompt.parameters},
            }
            yield _Respondent(model, prompt, identity, price, questions)


def _limited(seeds: Sequence[Mapping[str, str]], limit: int | None) -> list[Mapping[str, str]]:
    """The first seeds of each language."""
    counts = Counter[str]()
    kept = []
    for one in seeds:
        counts[one["language"]] += 1
        if limit is None or counts[one["language"]] <= limit:
            kept.append(one)
    return kept


def _spent(work: StageWork, respondents: Sequence[_Respondent]) -> float | None:
    """What all requests have cost so far, each journal once; None if the prices are unknown."""
    journals = {str(sorted(one.identity.items(), key=str)): one for one in respondents}
    if any(one.price is None for one in journals.values()):
        return None
    return sum(
        cost_of_journal(one.price, read_journal(work.making, one.identity)) for one in journals.values() if one.price
    )


def _ask_all(work: StageWork, respondents: Sequence[_Respondent]) -> list[str]:
    """Ask every model by every prompt what has no answer yet; why some questions have none."""
    reasons: list[str] = []
    going = list(range(len(respondents)))
    # A model that has answered, now or earlier, can be asked: a problem with it is one to wait for.
    answered = {one.model for one in respondents if read_journal(work.making, one.identity).answers}
    unreachable = Counter[str]()
    for part in range(_PARTS):
        for at in list(going):
            own = respondents[at]
            keys = list(own.questions)[part * len(own.questions) // _PARTS : (part + 1) * len(own.questions) // _PARTS]
            asked = _ask(
                work, own, keys, respondents, answered=own.model in answered, unreachable=unreachable[own.model]
            )
            answered |= {own.model} if asked.answers else set()
            unreachable[own.model] = asked.unreachable
            reasons += [asked.stopped] if asked.stopped else list(asked.unanswered[:1])
            if asked.stopped:
                going.remove(at)
    return reasons


def _ask(
    work: StageWork,
    one: _Respondent,
    keys: Sequence[AnswerKey],
    respondents: Sequence[_Respondent],
    *,
    answered: bool,
    unreachable: int,
) -> RequestSummary:
    """Ask those of some questions that have no answer yet."""
    options: AskOptions = work.options
    with open_journal(work.making, one.identity) as journal:
        repeat = options.cut_off is CutOffRequests.REPEAT
        done = journal.answers.keys() | (set() if repeat else journal.content.open.keys())
        left = [(one.questions[key][0], key.run) for key in keys if key not in done]
        if not left:
            return RequestSummary(unreachable=unreachable)
        limit = answer_limit(one.identity["parameters"])
        budget = None
        if options.budget is not None and one.price is not None:
            budget = Budget(one.price, options.budget, limit, _spent(work, respondents) or 0.0, journal.content.paid)
        account = Account(journal, budget, options.system, limit)

        async def run() -> RequestSummary:
            retry = RetryPolicy(timeout=options.timeout, tries=options.tries)
            chat = Chat(one.identity, options.base_url, RateLimit(requests_per_minute(options.rate)), retry)
            try:
                # What an answer is worth is for the next stage to say.
                requests = LLMRequests(
                    chat,
                    account,
                    lambda answer: True,
                    1.0,
                    options.concurrency,
                    work.progress,
                    repeat=repeat,
                    answered=answered,
                    unreachable=unreachable,
                )
                return await requests.run(left)
            finally:
                await chat.close()

        return asyncio.run(run())


def _run(work: StageWork) -> StageOutcome:
    options: AskOptions = work.options
    if options.budget is not None and options.prices is None:
        raise InputError("A budget needs prices.", hint="Name a file of prices: prices = …")
    respondents = list(_respondents(work))
    stopped = _ask_all(work, respondents)
    rows: list[dict[str, Any]] = []
    missing, unsure, contents = 0, 0, dict[str, JournalContent]()
    for one in respondents:
        content = read_journal(work.making, one.identity)
        contents[hash_json(one.identity)] = content
        for key, (_, seed) in one.questions.items():
            answer = content.answers.get(key)
            missing += answer is None
            unsure += answer is None and key in content.open
            rows += [_row(one, seed, key, answer)] if answer is not None else []
    cost = _spent(work, respondents)
    total = len(rows) + missing
    if missing and not (options.partial and rows):
        why = stopped[0] if stopped else "they were not asked"
        if unsure and options.cut_off is CutOffRequests.LEAVE:
            why = (
                f"the requests of {unsure:,} were cut off and may have been billed; cut_off = 'repeat' asks them "
                "again, partial = true goes on without them"
            )
        raise WaitingError(f"{missing:,} of {total:,} questions have no answer: {why}.", cost)
    write_parquet(pa.Table.from_pylist(rows, schema=ANSWERS), work.output / "answers")
    return StageOutcome(
        taken={"questions": total},
        given={"answers": len(rows)},
        left_out={
            name: count
            for name, count in (("unanswered", missing - unsure), ("possibly paid, without an answer", unsure))
            if count
        },
        cost=cost,
        notes=_contamination(rows),
        details={
            "answers": dict(Counter(f"{row['model']}, {row['prompt']}" for row in rows)),
            "tokens": {
                "input": sum(row["input_tokens"] or 0 for row in rows),
                "output": sum(row["output_tokens"] or 0 for row in rows),
                "cut-off requests, possibly paid": sum(len(one.cut_off) for one in contents.values()),
            },
        },
    )


def _row(one: _Respondent, seed: Mapping[str, str], key: AnswerKey, answer: Answer) -> dict[str, Any]:
    return {
        "seed": seed["seed"],
        "prompt": one.prompt.name,
        "wants": str(one.prompt.wants),
        "languages": ",".join(one.prompt.languages(seed["language"])),
        "expected": max(one.prompt.count, len(one.prompt.targets)),
        "model": one.model,
        "answered_by": answer.model,
        "run": key.run,
        "text": answer.text,
        "finish": answer.finish,
        "refused": answer.refused,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "time": answer.time,
    }


def _contamination(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Which models wrote the answers, and when: a later model may have learned from them."""
    times: dict[str, list[str]] = {}
    for row in rows:
        name = row["answered_by"] or row["model"]
        # Some servers name the file of the model, with its path on their machine.
        name = PurePath(name).name if PurePath(name).is_absolute() else name
        times.setdefault(name, []).append((row["time"] or "")[:10])
    return tuple(f"Written by {model}, {min(days)} to {max(days)}." for model, days in sorted(times.items()))


def _estimate(work: StageWork) -> StageEstimate:
    questions, answered, cost, known = 0, 0, 0.0, True
    for one in _respondents(work):
        answers = read_journal(work.making, one.identity).answers
        left = [question for key, (question, _) in one.questions.items() if key not in answers]
        questions += len(one.questions)
        answered += len(one.questions) - len(left)
        if one.price is None:
            known = False
        else:
            limit = answer_limit(one.identity["parameters"]) or ANSWER_TOKENS
            output = min(limit, ANSWER_TOKENS * one.prompt.count)
            cost += one.price.of(sum(estimated_tokens(each.message) for each in left), output * len(left))
    return StageEstimate({"questions": questions, "answered": answered}, cost if known else None)


def _check(options: AskOptions) -> None:
    check_prompts(options.prompts)
    if not options.models:
        raise InputError("The stage 'ask' needs models.")
    if options.concurrency < 1 or options.tries < 1 or (options.budget is not None and options.budget < 0):
        raise InputError("concurrency and tries must be at least 1, and the budget not negative.")


STAGE = Stage(
    name="ask",
    description="Ask models for code by named prompts, within a budget.",
    options=AskOptions,
    run=_run,
    reads=("seeds",),
    writes=("answers",),
    effort=("budget", "prices", "rate", "concurrency", "timeout", "tries", "base_url", "partial", "cut_off"),
    estimate=_estimate,
    check=_check,
)
