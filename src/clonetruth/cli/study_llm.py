"""`clonetruth study llm`: a language model as a judge, asked live or replayed from its logs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_warning
from clonetruth.cli.verb import verb_command
from clonetruth.errors import InputError
from clonetruth.options.study import AskLLMOptions, requests_per_minute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clonetruth.judges import CanaryReport, LLMEstimate, LLMOutcome, LLMReport, Replay


@verb_command(AskLLMOptions)
def llm(options: AskLLMOptions) -> int:
    """Ask a model, and print the outcome; 1 if questions are left, or nothing was decided."""
    if options.replay != bool(options.logs) or options.replay == (options.model is not None):
        raise click.UsageError("Give either --model, or --replay and the logs.")
    try:
        requests_per_minute(options.rate)
    except InputError as error:
        raise click.BadParameter(f"{error.what} {error.hint}", param_hint="--rate") from error
    from clonetruth.judges import LLMEstimate, Replay, ask_llm

    with progress_bar() as progress:
        found = ask_llm(options, progress=progress, on_canaries=_show_canaries)
    if options.json:
        show_json(found)
    elif isinstance(found, Replay):
        _show_replay(found)
    elif isinstance(found, LLMEstimate):
        _show_estimate(found)
    else:
        _show_report(found, options.budget)
    if isinstance(found, LLMEstimate):
        return 0
    outcomes = found.outcomes if isinstance(found, Replay) else (found.outcome,)
    decided = any(outcome.decided for outcome in outcomes)
    if not decided:
        show_warning("nothing was decided: no subject got an answer other than 'undecided'.")
    return int(not decided or (not isinstance(found, Replay) and not found.complete))


def _show_canaries(report: CanaryReport) -> None:
    """What the canaries showed, on stderr: before money is spent on the rest, also if the output is JSON."""
    form = "JSON" if report.structured else "text"
    note = f"canaries: {report.readable} of {report.asked} readable, {report.right} right, answers in {form}"
    if report.passed and report.questions_left:
        cost = "at an unknown cost" if report.cost_left is None else f"for about {_money(report.cost_left)}"
        note += f"; {report.questions_left:,} questions follow {cost}"
    show_note(f"{note}.")
    if report.passed and 2 * report.right <= report.readable:
        show_warning(f"the model is right about only {report.right} of {report.readable} questions with known answers.")
    if report.affordable is not None and report.affordable < report.questions_left:
        show_warning(f"the budget pays for about {report.affordable:,} of {report.questions_left:,} questions.")


def _show_replay(found: Replay) -> None:
    _show_facts(
        "Recorded logs",
        [
            ("comparisons", found.comparisons),
            ("on other pairs", found.foreign),
            ("repeated", found.repeated),
            ("incomplete", found.broken),
        ],
    )
    for outcome in found.outcomes:
        _show_outcome(outcome)


def _show_estimate(estimate: LLMEstimate) -> None:
    _show_facts(
        "Estimate",
        [
            ("judge", estimate.judge or "depends on the canaries"),
            ("subjects", estimate.subjects),
            ("subjects without text", estimate.without_text),
            ("questions", estimate.questions),
            ("already answered", estimate.kept),
            ("canary questions", estimate.canaries),
            ("prompt tokens, about", estimate.input_tokens),
            ("answer tokens, about", estimate.output_tokens),
            ("cost, about", _money(estimate.cost)),
        ],
    )
    if estimate.cost is None and estimate.kept < estimate.questions:
        show("Give a price table (--prices) to estimate the cost.")


def _show_report(report: LLMReport, budget: float | None) -> None:
    about = "about " if report.estimated else ""
    _show_facts(
        "Questions",
        [
            ("questions", report.questions),
            ("answered before", report.kept),
            ("answered now", report.answered),
            ("without an answer", report.questions - report.kept - report.answered),
            ("subjects without text", report.without_text),
            ("failed attempts", report.failures),
            ("requests cut off, in all calls", report.cut_off),
            ("tokens paid now", f"{about}{report.input_tokens:,} + {report.output_tokens:,}"),
            ("cost now", _money(report.cost)),
            ("cost of all calls", _money(report.cost_of_all) + (f" of {_money(budget)}" if budget is not None else "")),
            ("answered by", ", ".join(report.models) or None),
        ],
    )
    _show_outcome(report.outcome)
    if len(report.models) > 1:
        show_warning("several models answered under one name, so the runs are not those of a single judge.")
    for why, count in Counter(report.unanswered).most_common(3):
        show_warning(f"{count:,} without an answer: {why}")
    if report.stopped:
        show_warning(f"stopped early: {report.stopped}.")
    if not report.complete:
        show("The answers are kept; run the same command again to continue.")


def _show_outcome(outcome: LLMOutcome) -> None:
    _show_facts(
        f"Judge {outcome.judge}",
        [
            ("criterion", outcome.criterion),
            ("subjects with all runs", outcome.subjects),
            ("judgements added", outcome.added),
            *sorted(outcome.values.items()),
            ("subjects without a judgement", outcome.unjudged),
            ("malformed answers", outcome.malformed),
        ],
    )
    if outcome.asked != outcome.criterion:
        show_warning(f"the criterion of the study is '{outcome.criterion}', but the prompt asks for '{outcome.asked}'.")
    bias = outcome.position_bias
    if bias is not None and bias.share is None:
        show("Position bias: unknown, because no subject has a majority in both orders.")
    elif bias is not None:
        show(f"Position bias: {bias.differ:,} of {bias.compared:,} ({bias.share:.1%}) change with the order.")
        values = sorted({*bias.given, *bias.swapped})
        rows = [(value, bias.given.get(value, 0), bias.swapped.get(value, 0)) for value in values]
        show_table("Answers by order", ("", "given", "swapped"), rows)


def _show_facts(title: str, facts: Sequence[tuple[str, object]]) -> None:
    show_table(title, ("", ""), facts)


def _money(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:,.4f}"
