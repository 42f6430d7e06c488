"""`clonetruth claim` and `clonetruth leaderboard`: numbers that others have measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import Lines, put, show, show_json, show_note, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.claims import ClaimOptions, LeaderboardOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clonetruth.evaluate.labels.claim import Claim
    from clonetruth.evaluate.leaderboard import Leaderboard
    from clonetruth.store.results import Measurement


@verb_command(ClaimOptions)
def claim(options: ClaimOptions) -> None:
    """Check a claim, and print what is known about it."""
    from clonetruth.evaluate import check_claim

    checked = check_claim(options)
    if options.json:
        show_json(checked)
    else:
        _show_claim(checked)


def _show_claim(claim: Claim) -> None:
    from clonetruth.evaluate.labels.correction import split_assumptions

    show([styled(f"A claim on {claim.card.name}"), f" ({claim.card.version})"])
    if claim.contradiction:
        show([styled("The numbers contradict each other."), f" {claim.contradiction}"])
    rows = [("reported", *_shares(claim.reported), "the set's labels are right")]
    own, shared = split_assumptions(claim.corrections)
    rows += [
        (one.name, *_shares(one.measurements), assumption)
        for one, assumption in zip(claim.corrections, own, strict=True)
    ]
    show_table("The numbers, and what they become", ("", "precision", "recall", "F1", "if"), rows)
    if shared:
        show([styled("All corrections"), f": {shared}"])
    for one in claim.labels:
        rate = one.error_rate
        counts = f" ({rate.successes:,.0f} of {rate.n:,})" if rate.successes is not None and rate.n is not None else ""
        wrong = f"{_share(rate)}{counts} of the clone labels are wrong (criterion '{one.criterion}'): {one.sample}."
        show([styled("Labels"), f": {wrong}"], f"  Judged by {one.judges}. {one.source}")
        if one.missed_rate is not None:
            show(f"  {_share(one.missed_rate)} of the labels 'not a clone' are wrong.")
        if one.note:
            show(f"  {one.note}")
    _show_list("Known leaks", claim.leaks)
    _show_list("Known flaws of the set", claim.card.known_flaws)
    _show_list("Keep in mind", (*(f"{one.name}: {one.note}" for one in claim.corrections if one.note), *claim.notes))
    _show_list("Ask the authors", claim.questions)


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
    items = list(lines)
    if items:
        show("", styled(title), *(f"  • {line}" for line in items))


@verb_command(LeaderboardOptions)
def leaderboard(options: LeaderboardOptions) -> None:
    """Print results side by side."""
    from clonetruth.evaluate import leaderboard as texts
    from clonetruth.evaluate import rank_detectors

    if options.spreadsheet_safe and options.format != "csv":
        raise click.UsageError("--spreadsheet-safe needs --format csv.")
    if options.recompute and options.site is None:
        raise click.UsageError("--recompute needs --site.")
    if options.site is not None:
        _write_site(options)
        return
    board = rank_detectors(options)
    if options.json:
        show_json(board)
    elif options.format == "table":
        _show_board(board, ranked=options.column is not None)
    else:
        safe = options.spreadsheet_safe
        put(texts.markdown(board) if options.format == "markdown" else texts.csv_text(board, spreadsheet_safe=safe))


def _write_site(options: LeaderboardOptions) -> None:
    from clonetruth.report import write_leaderboard_site

    assert options.site is not None
    site = write_leaderboard_site(options.results, options.site, recompute=options.recompute)
    if options.json:
        show_json(
            {
                "path": str(site.path),
                "results": {one.result.detector: str(one.standing) for one in site.entries},
                "left_out": {str(path): reason for path, reason in site.left_out},
            }
        )
        return
    show_table(
        "Results",
        ("detector", "benchmark", "standing"),
        [
            (one.result.detector, f"{one.result.benchmark.name} {one.result.benchmark.version}", one.standing)
            for one in site.entries
        ],
    )
    for path, reason in site.left_out:
        show_note(f"Left out: {path}: {reason}.")
    show_written(site.path / "index.html")


def _show_board(board: Leaderboard, ranked: bool) -> None:
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
        heads = (
            head.replace("recall-", "recall ").replace("corrected-", "corrected ") for head in texts.headings(board)
        )
        rows_of_lines = [
            (name, *(Lines(tuple(cell.split("\n"))) for cell in cells)) for name, *cells in texts.rows(board)
        ]
        show_table("Leaderboard", ("detector", *heads), rows_of_lines)
    show(*texts.legend(board))
