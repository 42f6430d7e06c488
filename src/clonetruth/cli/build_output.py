"""A build on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show, show_table, show_warning, show_written

if TYPE_CHECKING:
    from clonetruth.build import BuildReport, JudgedLabelQuality
    from clonetruth.build.functionalities import CheckedShare, RecoveryCheck


def show_report(report: BuildReport) -> None:
    """Print the report of a build: rows, steps, balance, comparisons and warnings."""
    show_table(f"Built by '{report.operation}'", ("table", "rows"), list(report.counts.items()))
    show_table(
        "Steps",
        ("step", "", "note"),
        [
            (
                step.name,
                ", ".join(f"{what} {count:,}" for what, count in step.counts.items()) if step.done else "skipped",
                step.note or "",
            )
            for step in report.steps
        ],
    )
    if report.functionalities or report.lost:
        show_table(
            "Balance over functionalities",
            ("of", "", "functionalities", "mean", "deviation", "effective number", "largest"),
            [
                (
                    one.of,
                    when,
                    one.functionalities,
                    _number(one.mean),
                    _number(one.deviation),
                    _number(one.effective),
                    None if one.largest is None else f"{one.largest:.1%}",
                )
                for when, both in (("before", report.before), ("after", report.after))
                for one in both
            ],
        )
    if report.comparisons:
        show_table(
            "Compared with the paper",
            ("", "paper", "ours", "note"),
            [(one.name, _number(one.published), _number(one.ours), one.note or "") for one in report.comparisons],
        )
    if report.lost:
        kept, all_ = len(report.functionalities), len(report.functionalities) + len(report.lost)
        show(f"{kept:,} of {all_:,} functionalities remain; lost: {', '.join(report.lost)}")
    for warning in report.warnings:
        show_warning(warning)
    show_written(report.path)


def show_label_quality(found: JudgedLabelQuality) -> None:
    """Print the share of correct labels in each group, with Wilson intervals."""
    from clonetruth.stats.intervals import wilson

    rows = []
    for one in found.groups:
        interval = wilson(one.clones, one.pairs)
        rows.append(
            (
                one.group,
                one.pairs,
                one.clones,
                None if one.share is None else f"{one.share:.1%}",
                None if interval is None else f"{interval.low:.1%} to {interval.high:.1%}",
                one.unknown,
            )
        )
    columns = ("line similarity", "pairs", "clones", "correct labels", "95 % interval", "without a verdict")
    show_table(f"Pairs that the dataset calls clones, judged for '{found.criterion}'", columns, rows)
    if found.left_out:
        show(f"{found.left_out:,} pairs are left out: no text, or no exemplar of their functionality.")


def _number(value: float | None) -> str | None:
    if value is None:
        return None
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def show_recovery_check(found: RecoveryCheck, confidence: float) -> None:
    """Print coverage and accuracy on hidden members, by confidence and by functionality."""
    show_table(
        f"Recovery of {found.known:,} known members, hidden in turn",
        ("hidden together", "confidence", "coverage", "accuracy"),
        [
            (one.hidden, f"≥ {one.confidence:g}", _share_text(one.coverage), _share_text(one.accuracy))
            for one in found.check.curve
        ],
    )
    show_table(
        f"By functionality, chains hidden, confidence ≥ {confidence:g}",
        ("functionality", "coverage", "accuracy", "taken for another if none is known", "mostly"),
        [
            (
                one.functionality,
                _share_text(one.coverage),
                _share_text(one.accuracy),
                _share_text(one.strangers),
                one.mostly,
            )
            for one in found.check.functionalities
        ],
    )


def _share_text(share: CheckedShare) -> str:
    from clonetruth.html.numbers import percent, percent_interval

    interval = f" [{percent_interval(share.low, share.high, 1)}]" if share.low is not None else ""
    return f"{percent(share.value, 1)}{interval} ({share.count:,} of {share.of:,})"
