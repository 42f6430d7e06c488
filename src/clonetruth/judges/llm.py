"""The LLM as a judge of a study: asked by a protocol, with stored answers, its majority added as judgements."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

from clonetruth.errors import InputError
from clonetruth.judges.canaries import CanaryReport, canaries, is_structured, structured, tally
from clonetruth.judges.chat import Chat, RateLimit
from clonetruth.judges.journal import AnswerKey, Journal, JournalContent, open_journal, read_journal
from clonetruth.judges.llm_report import LLMEstimate, LLMReport, LLMSettings
from clonetruth.judges.majority import Answer, AnswerState, Conclusion, answer_state, conclude
from clonetruth.judges.outcome import criterion_for, record_judgements
from clonetruth.judges.prices import (
    ANSWER_TOKENS,
    Account,
    Budget,
    answer_limit,
    cost_of_journal,
    estimated_tokens,
)
from clonetruth.judges.protocol import LLMProtocol, llm_judge, respondent
from clonetruth.judges.questions import LLMQuestion, study_questions
from clonetruth.judges.requests import LLMRequests, RequestSummary
from clonetruth.progress import Progress, no_progress
from clonetruth.store.study import Study, read_study


class _Task:
    """Everything to ask: a study, a model, a protocol, and the form in which the protocol asks for answers."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        model: str,
        plain: LLMProtocol,
        options: LLMSettings,
        form: LLMProtocol | None = None,
    ) -> None:
        protocol = form or plain
        if options.budget is not None and options.price is None:
            raise InputError(
                f"A budget needs the price of '{model}'.",
                hint="Give a price table (--prices); docs/llm-judge.md has one.",
            )
        self.runs = protocol.runs if options.runs is None else options.runs
        if min(self.runs, options.concurrency, options.retry.tries) < 1:
            raise InputError("Runs, concurrency and tries must be at least 1.")
        if options.canaries < 0 or not 0 <= options.stop_after_unreadable <= 1:
            raise InputError("The number of canaries is negative, or the share of unreadable answers is not a share.")
        self.study: Study = read_study(folder)
        self.model = model
        self.plain = plain
        self.protocol = protocol
        self.options = options
        self.criterion = criterion_for(self.study, protocol)
        self.respondent = respondent(model, protocol)
        self.judge = llm_judge(model, protocol, self.runs)
        asked = study_questions(self.study, protocol)[: options.limit]
        self.subjects = [one for one in asked if one]
        self.without_text = len(asked) - len(self.subjects)
        self.canaries = canaries(self.study, protocol, options.canaries)

    def keys(self, subject: list[LLMQuestion]) -> dict[AnswerKey, LLMQuestion]:
        """All questions about one subject."""
        return {
            AnswerKey(question.digest, question.order, run): question
            for run, question in product(range(1, self.runs + 1), subject)
        }

    def everything(self) -> dict[AnswerKey, LLMQuestion]:
        """All questions. Subjects with the same texts share a question."""
        return {key: question for subject in self.subjects for key, question in self.keys(subject).items()}

    def left(self, answers: Mapping[AnswerKey, Answer]) -> dict[AnswerKey, LLMQuestion]:
        """The questions that are still to be asked, or to be asked again."""
        return {
            key: question
            for key, question in self.everything().items()
            if key not in answers or answer_state(answers[key], self.protocol.answers) in self.options.ask_again
        }

    def readable(self, answer: Answer) -> bool:
        """Whether an answer can be read."""
        return answer_state(answer, self.protocol.answers) is AnswerState.READABLE


def estimate_llm(
    folder: str | os.PathLike[str], model: str, protocol: LLMProtocol, options: LLMSettings | None = None
) -> LLMEstimate:
    """Estimate the effort of asking a model. Nothing is asked, and nothing is written.

    Raises:
        InputError: see `ask_model`.
    """
    chosen = options or LLMSettings()
    task = _Task(folder, model, protocol, chosen)
    known = _known_form(task)
    task = _Task(folder, model, protocol, chosen, known)
    answers = read_journal(task.study.path, task.respondent).answers
    everything, left = task.everything(), task.left(answers)
    first = [one.question for one in task.canaries if left and one.key not in answers]
    system = estimated_tokens(protocol.system or "")
    asked = [*first, *left.values()]
    input_tokens = sum(estimated_tokens(question.message) + system for question in asked)
    output_tokens = len(asked) * min(ANSWER_TOKENS, answer_limit(protocol.parameters) or ANSWER_TOKENS)
    price = chosen.price
    return LLMEstimate(
        judge=task.judge.id if known else None,
        canaries=len(first),
        subjects=len(task.subjects),
        without_text=task.without_text,
        questions=len(everything),
        kept=len(everything) - len(left),
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
    on_canaries: Callable[[CanaryReport], None] | None = None,
) -> LLMReport:
    """Ask a model about the subjects of a study, and add its judgements.

    Canary questions come first. Every answer is stored in the study folder before it is used; stored answers are not
    asked for again, except those that `ask_again` names. A subject gets its judgement when all its runs are answered.

    Args:
        folder: the study folder.
        model: the model's name on the server.
        protocol: how it is asked.
        options: server, runs, rate and budget.
        progress: progress callback.
        on_canaries: called with what the canary questions showed, before anything else is asked.

    Raises:
        InputError: the study or the options are invalid, the server answers nothing, or another process is asking the
            same.
        MissingExtraError: the client is not installed.
    """
    chosen = options or LLMSettings()
    task = _Task(folder, model, protocol, chosen)
    before = _all_requests(task)
    form = _known_form(task) or (_tried_form(task) if task.subjects else protocol)
    task = _Task(folder, model, protocol, chosen, form)
    with open_journal(task.study.path, task.respondent) as journal:
        left = task.left(journal.answers)
        session = _Session(task, journal)
        asked = asyncio.run(session.ask(left, progress, on_canaries)) if left else RequestSummary()
        outcome = record_judgements(task.study, task.judge, task.criterion, _conclusions(task, journal.answers))
        everything = task.everything()
        now, price = _all_requests(task), chosen.price
        sums = zip(_sums(now), _sums(before), strict=True)
        new_input, new_output, estimated = (after - earlier for after, earlier in sums)
        return LLMReport(
            outcome=outcome,
            without_text=task.without_text,
            questions=len(everything),
            kept=len(everything) - len(left),
            answered=len(asked.answers),
            unanswered=asked.unanswered,
            failures=session.failures,
            cut_off=len(now.cut_off),
            input_tokens=new_input,
            output_tokens=new_output,
            estimated=estimated > 0,
            cost=cost_of_journal(price, now) - cost_of_journal(price, before) if price else None,
            cost_of_all=cost_of_journal(price, now) if price else None,
            models=tuple(sorted({one.model for key in everything if (one := journal.answers.get(key)) and one.model})),
            stopped=asked.stopped,
            canaries=session.canaries,
        )


class _Session:
    """The requests of one call to one respondent: canary questions, then the others.

    Attributes:
        failures: number of failed attempts.
        canaries: what the canary questions showed; None if there are none.
    """

    def __init__(self, task: _Task, journal: Journal) -> None:
        self.failures = 0
        self.canaries: CanaryReport | None = None
        self._task = task
        self._journal = journal

    async def ask(
        self,
        left: Mapping[AnswerKey, LLMQuestion],
        progress: Progress = no_progress,
        on_canaries: Callable[[CanaryReport], None] | None = None,
    ) -> RequestSummary:
        """Ask the open questions, unless the canaries' answers cannot be read."""
        task = self._task
        answers = self._journal.answers
        first = {
            one.key: one.question
            for one in task.canaries
            if one.key not in answers or not task.readable(answers[one.key])
        }
        tried = await self.request(first) if first else RequestSummary()
        early = tuple(key for key in left if key in first and key in answers)
        if task.canaries:
            left = {key: question for key, question in left.items() if key not in early}
            self.canaries = _canary_report(task, self._journal, left)
            if on_canaries is not None:
                on_canaries(self.canaries)
            if not self.canaries.passed:
                unread = self.canaries.asked - self.canaries.readable
                why = f"{unread} of {self.canaries.asked} canary questions have no readable answer (--canaries)"
                return RequestSummary(stopped=tried.stopped or why)
        asked = await self.request(left, progress)
        return replace(asked, answers=(*early, *asked.answers))

    async def request(
        self, questions: Mapping[AnswerKey, LLMQuestion], progress: Progress = no_progress
    ) -> RequestSummary:
        """Ask questions, within the budget."""
        task, options = self._task, self._task.options
        chat = Chat(task.respondent, options.base_url, RateLimit(options.rate), options.retry)
        account = Account(self._journal, _budget(task), task.protocol.system, answer_limit(task.protocol.parameters))
        share = options.stop_after_unreadable
        requests = LLMRequests(chat, account, task.readable, share, options.concurrency, progress)
        try:
            return await requests.run((question, key.run) for key, question in questions.items())
        finally:
            self.failures += chat.failures
            await chat.close()


_FORMS = ("response_format", "grammar", "guided_json", "guided_choice", "guided_grammar", "guided_regex", "json_schema")
"""Parameters by which a protocol itself sets the form of an answer."""


def _forms(task: _Task) -> tuple[LLMProtocol, ...]:
    """The ways of asking that the settings permit: as the protocol says, and for a JSON object."""
    plain = task.plain
    own = [name for name in _FORMS if name in plain.parameters]
    if task.options.structured and own:
        raise InputError(f"The protocol sets the form of an answer itself, by the parameter '{own[0]}'.")
    if task.options.structured:
        return (structured(plain),)
    if task.options.structured is False or own:
        return (plain,)
    return (plain, structured(plain))


def _known_form(task: _Task) -> LLMProtocol | None:
    """How the model is asked, if settings or stored answers say so: what was paid for is used."""
    forms = _forms(task)
    if len(forms) == 1 or not task.canaries:
        return forms[0]
    plain, asked = (read_journal(task.study.path, respondent(task.model, form)) for form in forms)
    if len(plain.paid) > len(asked.paid):
        return forms[0]
    tried = asked.answers.get(task.canaries[0].key)
    if tried is not None:
        return forms[1] if is_structured(tried, forms[1]) else forms[0]
    return forms[1] if asked.paid else None


def _tried_form(task: _Task) -> LLMProtocol:
    """How the model is asked, by trying: for a JSON object if the server answers the first canary with one."""
    plain, form = _forms(task)
    trial = _Task(task.study.path, task.model, plain, task.options, form)
    key, question = trial.canaries[0].key, trial.canaries[0].question
    with open_journal(trial.study.path, trial.respondent) as journal:
        asyncio.run(_Session(trial, journal).request({key: question}))
        answer = journal.answers.get(key)
    return form if answer is not None and is_structured(answer, form) else plain


def _all_requests(task: _Task) -> JournalContent:
    """The requests of all ways of asking, which share a budget."""
    found = JournalContent()
    for form in (task.plain, structured(task.plain)):
        content = read_journal(task.study.path, respondent(task.model, form))
        found.paid += content.paid
        found.lost += content.cut_off
    return found


def _sums(requests: JournalContent) -> tuple[int, int, int]:
    """Tokens of the prompts and of the answers, and the number of answers whose tokens are estimates."""
    return (
        sum(answer.input_tokens or 0 for answer in requests.paid),
        sum(answer.output_tokens or 0 for answer in requests.paid),
        sum(answer.estimated for answer in requests.paid),
    )


def _budget(task: _Task) -> Budget | None:
    price, limit = task.options.price, task.options.budget
    if price is None or limit is None:
        return None
    earlier = _all_requests(task)
    spent = cost_of_journal(price, earlier)
    return Budget(price, limit, answer_limit(task.protocol.parameters), spent, earlier.paid)


def _canary_report(task: _Task, journal: Journal, left: Mapping[AnswerKey, LLMQuestion]) -> CanaryReport:
    """What the canary questions showed, and what the rest will cost at the length of their answers."""
    price, budget = task.options.price, task.options.budget
    answered = [(one.question, journal.answers[one.key]) for one in task.canaries if one.key in journal.answers]
    cost_left = affordable = None
    if price is not None and answered:
        expected = sum(estimated_tokens(question.message) for question, _ in answered)
        ratio = sum(answer.input_tokens or 0 for _, answer in answered) / expected
        mean = sum(answer.output_tokens or 0 for _, answer in answered) / len(answered)
        input_tokens = ratio * sum(estimated_tokens(question.message) for question in left.values())
        cost_left = price.of(round(input_tokens), round(mean * len(left)))
        if budget is not None:
            free = max(budget - cost_of_journal(price, _all_requests(task)), 0)
            affordable = len(left) if cost_left <= free else int(len(left) * free / cost_left)
    return CanaryReport(
        **tally(task.canaries, journal.answers, task.protocol),
        structured=task.protocol != task.plain,
        questions_left=len(left),
        cost_left=cost_left,
        affordable=affordable,
    )


def _conclusions(task: _Task, answers: Mapping[AnswerKey, Answer]) -> dict[int, Conclusion]:
    """The model's conclusion on each subject whose runs are complete."""
    conclusions = {}
    for subject in task.subjects:
        keys = task.keys(subject)
        if all(key in answers for key in keys):
            conclusions[subject[0].subject] = conclude([answers[key] for key in keys], task.protocol.answers)
    return conclusions
