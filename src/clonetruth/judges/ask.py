"""Asking a language model about a study, live or from recorded logs: the function behind `clonetruth study llm`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.judges.canaries import CanaryReport
from clonetruth.judges.chat import RetryPolicy
from clonetruth.judges.llm import ask_model, estimate_llm
from clonetruth.judges.llm_report import LLMEstimate, LLMReport, LLMSettings
from clonetruth.judges.majority import UNREADABLE, AnswerState
from clonetruth.judges.prices import read_price
from clonetruth.judges.protocols import find_protocol, protocol_from_log
from clonetruth.judges.replay import Replay, replay_logs
from clonetruth.options.declaration import verb
from clonetruth.options.study import AskLLMOptions, requests_per_minute, share_of
from clonetruth.progress import Progress, no_progress
from clonetruth.store.study import Study


@verb(AskLLMOptions)
def ask_llm(
    options: AskLLMOptions,
    *,
    progress: Progress | None = None,
    on_canaries: Callable[[CanaryReport], None] | None = None,
) -> LLMReport | LLMEstimate | Replay:
    """Let a language model judge the subjects of a study, or replay its recorded logs.

    A few canary questions with known answers come first. Every answer is stored in the study folder before it is used;
    stored answers are not asked for again. The API key is read from the environment variable OPENAI_API_KEY.

    Args:
        progress: called for each answer.
        on_canaries: called with what the canary questions showed, before anything else is asked.

    Returns:
        The report of the answers; with `dry_run` an estimate of tokens and cost; with `replay` the judgements in the
        logs.

    Raises:
        InputError: the study, a log or an option is not valid, or another process is asking the same.
        UnknownNameError: there is no such protocol.
        MissingExtraError: the extra `llm` is not installed.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="llm-study", n=5, protocol="krinke")
        >>> clonetruth.ask_llm(study, model="gpt-4o-mini", dry_run=True).questions
        25
    """
    if options.replay != bool(options.logs) or options.replay == (options.model is not None):
        raise InputError("Give either a model, or `replay` and the logs.", where="model")
    folder = options.study.path if isinstance(options.study, Study) else options.study
    if options.model is None:
        return replay_logs(folder, options.logs)
    settings = LLMSettings(
        runs=options.runs,
        limit=options.limit,
        base_url=options.base_url,
        price=None if options.prices is None else read_price(options.prices, options.model),
        budget=options.budget,
        concurrency=options.concurrency,
        rate=requests_per_minute(options.rate),
        retry=RetryPolicy(timeout=options.timeout, tries=options.tries),
        canaries=options.canaries,
        stop_after_unreadable=share_of(options.stop_after_unreadable, "stop_after_unreadable"),
        ask_again=_states(options.ask_again),
        structured=_STRUCTURED[options.structured],
    )
    recorded = options.protocol_from
    if recorded is not None and settings.structured is None:
        # What a recorded log did is repeated as it was.
        settings = replace(settings, structured=False)
    protocol = find_protocol(options.protocol, folder) if recorded is None else protocol_from_log(recorded)
    if options.dry_run:
        return estimate_llm(folder, options.model, protocol, settings)
    return ask_model(folder, options.model, protocol, settings, progress or no_progress, on_canaries)


_STRUCTURED = {"auto": None, "always": True, "never": False}


def _states(names: Sequence[str]) -> tuple[AnswerState, ...]:
    """The states of answers that are asked for again; `unreadable` stands for all of them."""
    known = [*UNREADABLE, "unreadable"]
    if unknown := [name for name in names if name not in known]:
        raise UnknownNameError.suggest("state of an answer", unknown[0], known)
    return UNREADABLE if "unreadable" in names else tuple(AnswerState(name) for name in names)
