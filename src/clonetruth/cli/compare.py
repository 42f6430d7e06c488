"""`clonetruth compare`: two fragments side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show, show_columns, show_json, show_written, styled
from clonetruth.cli.run import show_behaviour
from clonetruth.cli.verb import verb_command
from clonetruth.options.compare import CompareOptions

if TYPE_CHECKING:
    from clonetruth.measures import FragmentComparison
    from clonetruth.measures.comparison import ComparedFragment


@verb_command(CompareOptions)
def compare(options: CompareOptions) -> None:
    """Compare two fragments, and print the comparison or write a page."""
    from clonetruth.measures import compare_fragments

    comparison = compare_fragments(options)
    if options.json:
        show_json(comparison.to_dict())
    if options.html is not None:
        from clonetruth.html import write
        from clonetruth.report import ComparisonView, comparison_page

        path = write(comparison_page(ComparisonView.of(comparison)), options.html)
        if not options.json:
            show_written(path)
    elif not options.json:
        _show(comparison, options.brief)


def _show(comparison: FragmentComparison, brief: bool) -> None:
    from clonetruth.code import TYPE_MEANINGS

    kind = comparison.clone_type
    if kind is None:
        show([styled("No textual type"), ": the fragments are in different languages."])
    else:
        show([styled(kind), f" {TYPE_MEANINGS.get(kind, '')} (cut rule '{comparison.cut_rule}')"])
    if comparison.similarity_line is not None:
        line, token = styled(f"{comparison.similarity_line:.4f}"), styled(f"{comparison.similarity_token:.4f}")
        show(["line similarity ", line, ", token similarity ", token])
    for name, value in comparison.facts.items():
        show(f"{name}: {value}")
    if comparison.behaviour is not None:
        show_behaviour(comparison.behaviour)
    left, right = comparison.left, comparison.right
    if not brief:
        _show_explanation(left, right)
    titles = (left.title, right.title)
    _show_difference("source", titles, left.text, right.text)
    for name, texts in () if brief else comparison.normal_forms().items():
        _show_difference(name, titles, *texts)


def _show_explanation(left: ComparedFragment, right: ComparedFragment) -> None:
    """Which views of `semantic` agree, and which statements correspond."""
    from clonetruth.detectors.semantic import explain_pair

    found = explain_pair(left.text, right.text, left.language, right.language)
    if found is None:
        return
    agreeing = [f"{one.view} (+{one.deviations:.1f} σ)" for one in found.views[:5] if one.contribution > 0]
    show(["semantic ", styled(f"{found.score:.4f}"), "; above unrelated code: ", ", ".join(agreeing) or "nothing"])
    show(
        f"statements and conditions that correspond: {len(found.statements)} of {found.left_statements} / "
        f"{found.right_statements}"
    )
    rows = ((str(one.left_line), one.left, str(one.right_line), one.right) for one in found.statements)
    if found.statements:
        show_columns("statements", ("", left.title, "", right.title), rows)


def _show_difference(name: str, titles: tuple[str, str], left: str, right: str) -> None:
    from clonetruth.html import align, split_lines

    marks = {"same": " ", "changed": "~", "only-left": "<", "only-right": ">"}
    styles = {"same": "dim", "changed": "yellow", "only-left": "red", "only-right": "green"}
    show_columns(
        name,
        ("", titles[0], "", titles[1]),
        (
            (
                str(row.left_number or ""),
                styled((row.left or "").expandtabs(8), styles[row.kind]),
                marks[row.kind] + str(row.right_number or ""),
                styled((row.right or "").expandtabs(8), styles[row.kind]),
            )
            for row in align(split_lines(left), split_lines(right))
        ),
    )
