"""Verbs about numbers that others have measured: claim, leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import json_option, show, show_json, show_table
from clonetruth.cli.results import given_result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clonetruth.evaluate.labels.claim import Claim
    from clonetruth.evaluate.leaderboard import Leaderboard
    from clonetruth.store.results import Measurement


@click.command()
@click.option("--precision", type=float, default=None, help="The precision in the paper, as a share (0.998).")
@click.option("--recall", type=float, default=None, help="The recall in the paper.")
@click.option("--f1", type=float, default=None, help="The F1 in the paper; checked where all three are given.")
@click.option("--on", required=True, metavar="SET", help="A name of `clonetruth sources`, or a benchmark folder.")
@click.option("--criterion", default=None, help="For a folder: the question whose judgements are used.")
@json_option
def claim(
    precision: float | None, recall: float | None, f1: float | None, on: str, criterion: str | None, as_json: bool
) -> None:
    """What is known about a number in a paper.

    How good the labels of that set are, what leaks in it, what the number becomes when wrong labels are taken into
    account, and what to ask the authors.
    """
    from clonetruth.evaluate.labels.claim import ReportedNumbers, examine_claim

    found = examine_claim(ReportedNumbers(precision, recall, f1), on, criterion)
    if as_json:
        show_json(found)
    else:
        _show_claim(found)


def _show_claim(found: Claim) -> None:
    from rich.markup import escape

    show(f"[bold]A claim on {escape(found.card.name)}[/bold] ({escape(found.card.version)})")
    if found.contradiction:
        show(f"[bold]The numbers contradict each other.[/bold] {escape(found.contradiction)}")
    rows = [("reported", *_shares(found.reported), "the set's labels are right")]
    rows += [(one.name, *_shares(one.measurements), one.assumption) for one in found.corrections]
    show_table("The numbers, and what they become", ("", "precision", "recall", "F1", "if"), rows)
    for one in found.labels:
        rate = one.error_rate
        counts = f" ({rate.successes:,.0f} of {rate.n:,})" if rate.successes is not None and rate.n is not None else ""
        wrong = f"{_share(rate)}{counts} of the {one.sample} are no clones, asked '{one.criterion}'."
        show(f"[bold]Labels[/bold]: {escape(wrong)}", f"  {escape(f'Judged by {one.judges}. {one.source}')}")
        if one.note:
            show(f"  {escape(one.note)}")
    _show_list("Known leaks", found.leaks)
    _show_list("Known flaws of the set", found.card.known_flaws)
    _show_list("Mind", (*(f"{one.name}: {one.note}" for one in found.corrections if one.note), *found.notes))
    _show_list("Ask the authors", found.questions)


def _shares(measurements: Iterable[Measurement]) -> list[str]:
    by_name = {one.name: one for one in measurements}
    return [_share(by_name[name]) if name in by_name else "–" for name in ("precision", "recall", "f1")]


def _share(one: Measurement) -> str:
    """A share in per cent with its interval; bounds alone where there is no value."""
    from clonetruth.html.numbers import percent, percent_interval

    span = percent_interval(one.low, one.high, 1)
    if one.low is None or one.low == one.high:
        return percent(one.value, 1)
    return span if one.value is None else f"{percent(one.value, 1)} [{span}]"


def _show_list(title: str, lines: Iterable[str]) -> None:
    from rich.markup import escape

    items = list(lines)
    if items:
        show("", f"[bold]{title}[/bold]", *(f"  • {escape(line)}" for line in items))


@click.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULT…")
@click.option("--metric", "metrics", multiple=True, help="Show this metric only; may be given several times.")
@click.option("--column", default=None, metavar="METRIC", help="One column; refused where results do not share it.")
@click.option("--format", "layout", type=click.Choice(["table", "markdown", "csv"]), default="table", show_default=True)
@json_option
def leaderboard(
    results: tuple[str, ...], metrics: tuple[str, ...], column: str | None, layout: str, as_json: bool
) -> None:
    """Results side by side.

    RESULT is a file that `clonetruth evaluate` wrote, or a text report of BigCloneEval, plain or compressed;
    NAME=FILE gives the detector another name. Results of different revisions, policies or settings get columns of
    their own.
    """
    from clonetruth.evaluate import leaderboard as boards
    from clonetruth.evaluate import leaderboard as texts

    board = boards.leaderboard(
        [given_result(text) for text in results],
        metrics=(column,) if column else metrics,
        require_comparable=column is not None,
    )
    if as_json:
        show_json(board)
    elif layout == "table":
        _show_board(board, ranked=column is not None)
    else:
        click.echo(texts.markdown(board) if layout == "markdown" else texts.csv_text(board), nl=False)


def _show_board(board: Leaderboard, ranked: bool) -> None:
    from rich.markup import escape

    from clonetruth.evaluate import leaderboard as texts

    if ranked:
        (column,) = board.columns
        rows = [
            (
                cell.detector,
                texts.number_text(cell.measurement.value),
                texts.interval_text(cell.measurement),
                cell.measurement.n,
                cell.standing,
            )
            for cell in column.cells
        ]
        show_table(column.metric, ("detector", "value", "interval", "n", ""), rows)
    else:
        # A narrow terminal breaks heads at blanks.
        heads = (head.replace("recall-", "recall ") for head in texts.headings(board))
        show_table("Leaderboard", ("detector", *heads), texts.rows(board))
    show(*(escape(line) for line in texts.legend(board)))
