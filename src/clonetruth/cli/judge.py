"""`clonetruth judge …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.judge import JudgeExecuteOptions

if TYPE_CHECKING:
    from clonetruth.judges import ExecutionReport

_EXAMPLES = 5


@verb_command(JudgeExecuteOptions)
def execute(options: JudgeExecuteOptions) -> None:
    """Run the pairs, add the judgements, and print the funnel."""
    from clonetruth.judges import judge_by_execution

    with progress_bar() as progress:
        found = judge_by_execution(options, progress=progress)
    if options.json:
        show_json(found.to_dict())
    if options.html is not None:
        from clonetruth.html import write
        from clonetruth.report import execution_page

        path = write(execution_page(found), options.html)
        if not options.json:
            show_written(path)
    if not options.json:
        _show(found)


def _show(found: ExecutionReport) -> None:
    from clonetruth.html.numbers import percent
    from clonetruth.judges.execution_evidence import describe_witness

    show_table(
        f"{found.card.name} by execution",
        ("", "pairs", "of the pairs"),
        [(name, f"{number:,}", percent(number / len(found.pairs), 1)) for name, number in found.funnel],
    )
    if found.reasons:
        rows = [(str(reason), f"{number:,}") for reason, number in found.reasons.items()]
        show_table("Undecided", ("reason", "pairs"), rows)
    if found.fragments:
        rows = [(str(value), f"{number:,}") for value, number in found.tested.items()]
        show_table("Fragments with the tests of their source", ("implements the functionality", "fragments"), rows)
    disagreements = found.disagreements
    if disagreements:
        show_table(
            "Labels that the runs contradict, the clearest first",
            ("pair", "left", "right", "label", "what was observed"),
            [
                (
                    f"{one.selected.pair:,}",
                    one.selected.left_id,
                    one.selected.right_id,
                    one.selected.label or "",
                    describe_witness(one.evidence.comparison)
                    if one.evidence.comparison.witness
                    else one.evidence.reason,
                )
                for one in disagreements[:_EXAMPLES]
            ],
        )
        if len(disagreements) > _EXAMPLES:
            show(f"… and {len(disagreements) - _EXAMPLES:,} more; --html writes a page with all of them.")
    if found.caution is not None:
        show_note(found.caution)
    show(f"{found.ran:,} run in {found.seconds:,.0f} s, {found.kept:,} kept, {found.added:,} judgements added.")
