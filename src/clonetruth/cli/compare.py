"""`clonetruth compare`: two fragments side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import console, show, show_json
from clonetruth.cli.verb import verb_command
from clonetruth.options.compare import CompareOptions

if TYPE_CHECKING:
    from clonetruth.measures import FragmentComparison


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
            show(f"Written: {path}")
    elif not options.json:
        _show(comparison, options.brief)


def _show(comparison: FragmentComparison, brief: bool) -> None:
    from clonetruth.code import TYPE_MEANINGS

    kind = comparison.clone_type
    if kind is None:
        show("[bold]No textual type[/bold]: the fragments are in different languages.")
    else:
        show(f"[bold]{kind}[/bold] {TYPE_MEANINGS.get(kind, '')} (cut rule '{comparison.cut_rule}')")
    if comparison.similarity_line is not None:
        show(
            f"line similarity [bold]{comparison.similarity_line:.4f}[/bold], "
            f"token similarity [bold]{comparison.similarity_token:.4f}[/bold]",
        )
    for name, value in comparison.facts.items():
        show(f"{name}: {value}")
    left, right = comparison.left, comparison.right
    titles = (left.title, right.title)
    _show_difference("source", titles, left.text, right.text)
    for name, texts in () if brief else comparison.normal_forms().items():
        _show_difference(name, titles, *texts)


def _show_difference(name: str, titles: tuple[str, str], left: str, right: str) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from clonetruth.html import align, split_lines

    out = console()
    table = Table(title=name, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, expand=out.is_terminal)
    marks = {"same": " ", "changed": "~", "only-left": "<", "only-right": ">"}
    for title in ("", titles[0], "", titles[1]):
        table.add_column(Text(title), ratio=1 if title else None, overflow="fold")
    styles = {"same": "dim", "changed": "yellow", "only-left": "red", "only-right": "green"}
    for row in align(split_lines(left), split_lines(right)):
        style = styles[row.kind]
        table.add_row(
            str(row.left_number or ""),
            Text(row.left or "", style=style),
            marks[row.kind] + str(row.right_number or ""),
            Text(row.right or "", style=style),
        )
    out.print(table)
