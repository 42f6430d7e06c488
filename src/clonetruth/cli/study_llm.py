"""`clonetruth study llm`: a language model as one more judge, asked or replayed from its logs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import json_option, progress_bar, show, show_json, show_table, show_warning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clonetruth.judges import LLMEstimate, LLMOutcome, LLMReport

_path = click.Path(path_type=Path)
_SECONDS = {"s": 1, "min": 60, "h": 3600}


def _per_minute(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """`120/min`, `2/s`, `7200/h`, or a number for a minute."""
    if value is None:
        return None
    found = re.fullmatch(r"(?P<number>\d{1,9}(\.\d+)?)(/(?P<unit>s|min|h))?", value.replace(" ", ""))
    if found is None or float(found["number"]) == 0:
        raise click.BadParameter(f"'{value}' is no rate; write 120/min, 2/s or 7200/h.", context, parameter)
    return float(found["number"]) * 60 / _SECONDS[found["unit"] or "min"]


@click.command()
@click.argument("folder", metavar="STUDY", type=_path)
@click.argument("logs", metavar="[LOG]...", nargs=-1, type=_path)
@click.option("--model", default=None, help="The model, as the server calls it.")
@click.option("--replay", is_flag=True, help="Ask nobody: take the answers from the recorded LOGs, a run each.")
@click.option("--base-url", default=None, help="A server that speaks OpenAI's chat API; OpenAI's unless told.")
@click.option(
    "--protocol",
    default="krinke",
    show_default=True,
    help="krinke, krinke-swapped, study, study-methods, or FILE.toml.",
)
@click.option("--runs", type=click.IntRange(min=1), default=None, help="Runs; as the protocol says unless told.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="Ask about the first N subjects only.")
@click.option("--prices", type=_path, default=None, help="Prices of a million tokens, TOML or JSON.")
@click.option("--budget", type=click.FloatRange(min=0), default=None, help="Spend no more than this, in all calls.")
@click.option("--dry-run", is_flag=True, help="Ask nothing: only estimate tokens and cost.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=8, show_default=True, help="Requests at once.")
@click.option("--rate", metavar="N/min", callback=_per_minute, default=None, help="Requests in a minute, at most.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=120, show_default=True, help="Seconds to an answer.")
@click.option("--tries", type=click.IntRange(min=1), default=6, show_default=True, help="Attempts at one question.")
@json_option
@click.pass_context
def llm(
    context: click.Context,
    folder: Path,
    logs: tuple[Path, ...],
    model: str | None,
    replay: bool,
    base_url: str | None,
    protocol: str,
    runs: int | None,
    limit: int | None,
    prices: Path | None,
    budget: float | None,
    dry_run: bool,
    concurrency: int,
    rate: float | None,
    timeout: float,
    tries: int,
    as_json: bool,
) -> None:
    """Let a language model judge a study.

    Its key is read from the environment variable OPENAI_API_KEY, and is written nowhere. Every answer is kept in STUDY
    before it is used: started again, the command asks, and pays for, only what is missing. Ends with 1 where questions
    are left.

    With --replay the answers come from recorded logs.
    """
    from clonetruth.judges import LLMOptions, Patience, ask_llm, estimate_llm, find_protocol, read_price, replay_logs

    if replay != bool(logs) or replay == (model is not None):
        raise click.UsageError("Give either --model, or --replay and the logs.", context)
    if replay:
        found = replay_logs(folder, logs)
        if as_json:
            show_json(found)
            return
        _show_facts(
            "Recorded logs",
            [
                ("comparisons", found.comparisons),
                ("on a pair of no subject", found.foreign),
                ("repeated", found.repeated),
                ("not whole", found.broken),
            ],
        )
        for outcome in found.outcomes:
            _show_outcome(outcome)
        return
    assert model is not None
    options = LLMOptions(
        runs=runs,
        limit=limit,
        base_url=base_url,
        price=read_price(prices, model) if prices else None,
        budget=budget,
        concurrency=concurrency,
        rate=rate,
        patience=Patience(timeout=timeout, tries=tries),
    )
    asked = find_protocol(protocol, folder)
    if dry_run:
        estimate = estimate_llm(folder, model, asked, options)
        show_json(estimate) if as_json else _show_estimate(estimate)
        return
    with progress_bar() as progress:
        report = ask_llm(folder, model, asked, options, progress)
    show_json(report) if as_json else _show_report(report, budget)
    if not report.complete:
        context.exit(1)


def _show_estimate(estimate: LLMEstimate) -> None:
    _show_facts(
        "What asking would take",
        [
            ("judge", estimate.judge),
            ("subjects", estimate.subjects),
            ("subjects without text", estimate.without_text),
            ("questions", estimate.questions),
            ("answered already", estimate.kept),
            ("tokens of the prompts, about", estimate.input_tokens),
            ("tokens of the answers, about", estimate.output_tokens),
            ("cost, about", _money(estimate.cost)),
        ],
    )
    if estimate.cost is None and estimate.kept < estimate.questions:
        show("Without a price table (--prices) the cost is not known.")


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
            ("tokens paid now", f"{about}{report.input_tokens:,} + {report.output_tokens:,}"),
            ("cost now", _money(report.cost)),
            ("cost of all calls", _money(report.cost_of_all) + (f" of {_money(budget)}" if budget is not None else "")),
            ("answered by", ", ".join(report.models) or None),
        ],
    )
    _show_outcome(report.outcome)
    if len(report.models) > 1:
        show_warning("several models have answered to one name: the runs are not of one judge's mind.")
    for why, count in Counter(report.unanswered).most_common(3):
        show_warning(f"{count:,} without an answer: {why}")
    if report.stopped:
        show_warning(f"stopped early: {report.stopped}.")
    if not report.complete:
        show("What was answered is kept; the same command goes on where it ended.")


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
        show_warning(f"the study asks '{outcome.criterion}', and the words of the prompt '{outcome.asked}'.")
    bias = outcome.position_bias
    if bias is not None and bias.share is None:
        show("Position bias: not known, for no subject has a majority in both orders.")
    elif bias is not None:
        show(f"Position bias: {bias.differ:,} of {bias.compared:,} ({bias.share:.1%}) change with the order.")
        values = sorted({*bias.given, *bias.swapped})
        rows = [(value, bias.given.get(value, 0), bias.swapped.get(value, 0)) for value in values]
        show_table("Answers by order", ("", "given", "swapped"), rows)


def _show_facts(title: str, facts: Sequence[tuple[str, object]]) -> None:
    show_table(title, ("", ""), facts)


def _money(amount: float | None) -> str:
    return "not known" if amount is None else f"{amount:,.4f}"
