"""`clonetruth study review`: settled pairs that a judge contradicts, reopened, and the numbers before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show, show_json, show_table, show_warning
from clonetruth.cli.verb import verb_command
from clonetruth.options.study import ReviewStudyOptions

if TYPE_CHECKING:
    from clonetruth.store.results import Measurement
    from clonetruth.studies.review import ReviewNumbers, ReviewReport

_MAX_LISTED = 20
"""Number of pairs to list; `--json` has all."""


@verb_command(ReviewStudyOptions)
def review(options: ReviewStudyOptions) -> None:
    """Reopen contradicted pairs, and print the numbers before and after."""
    from clonetruth.studies import review_study

    found = review_study(options)
    if options.json:
        show_json(found)
    else:
        _show(found)


def _show(found: ReviewReport) -> None:
    show_table(
        f"Review against {found.judge}",
        ("", ""),
        [
            ("settled pairs that it decided", found.compared),
            ("reopened", found.reopened),
            ("of these new", found.new),
            ("accepted", found.accepted),
            ("rejected", found.rejected),
            ("open", found.open),
        ],
    )
    if found.pairs:
        rows = [
            (one.pair.subject, one.pair.settled, one.pair.answer, one.decision, one.reason)
            for one in found.pairs[:_MAX_LISTED]
        ]
        show_table("Pairs", ("pair", "settled", "judge", "decision", "reason"), rows)
        if len(found.pairs) > len(rows):
            show(f"… and {len(found.pairs) - len(rows):,} more.")
    before, after = _column(found.before), _column(found.after)
    numbers = [(name, before[name], after[name]) for name in before]
    show_table("Before and after", ("", "before", "after"), numbers)
    show_warning(found.caution)
    if found.open:
        show("Adjudicators review open pairs in the pages (`clonetruth study serve`), under Reviews.")


def _column(numbers: ReviewNumbers) -> dict[str, str | None]:
    agreement, labels = numbers.agreement, numbers.wrong_labels
    return {
        "agreement of judge and verdicts": _coefficient(agreement, "agreement", "{:.1%}"),
        "Cohen's kappa": _coefficient(agreement, "cohen_kappa", "{:.3f}"),
        "wrong labels in the sample": None if labels is None else _share(labels.simple),
        "wrong labels in the population": None if labels is None else _share(labels.weighted),
        "clones": f"{numbers.clones:,} of {numbers.clones + numbers.not_clones:,}",
    }


def _coefficient(agreement: object, name: str, form: str) -> str | None:
    value = getattr(agreement, name, None)
    if value is None:
        return None
    interval = getattr(agreement, "intervals", {}).get(name)
    text = form.format(value)
    return text if interval is None else f"{text} [{form.format(interval.low)} to {form.format(interval.high)}]"


def _share(one: Measurement) -> str | None:
    if one.value is None:
        return None
    return f"{one.value:.1%}" if one.low is None else f"{one.value:.1%} [{one.low:.1%} to {one.high:.1%}]"
