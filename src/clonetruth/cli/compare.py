"""`clonetruth compare`: two fragments side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.code import text_and_language
from clonetruth.cli.output import console, json_option, show, show_json
from clonetruth.errors import InputError

if TYPE_CHECKING:
    from clonetruth.code import CloneType, FragmentForms, Language
    from clonetruth.report import ComparisonView


@dataclass(frozen=True)
class _Side:
    title: str
    text: str
    language: Language


@click.command()
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@click.option("--language", "language_name", default=None, help="The language of both; by the file names unless told.")
@click.option(
    "--in", "folder", type=click.Path(path_type=Path), default=None, help="A and B are fragments of this benchmark."
)
@click.option("--rule", default="min", show_default=True, help="The cut rule for the clone type.")
@click.option("--html", type=click.Path(path_type=Path), default=None, help="Write a page instead.")
@click.option("--brief", is_flag=True, help="Leave out the normal forms.")
@json_option
def compare(
    left: str,
    right: str,
    language_name: str | None,
    folder: Path | None,
    rule: str,
    html: Path | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Two fragments side by side: similarity, clone type, aligned difference, normal forms.

    A and B are files, or parts of files (FILE:FIRST-LAST by line numbers).
    """
    from clonetruth.code import CUT_RULES, clone_type, fragment_forms

    first, second = (_side(name, folder, language_name) for name in (left, right))
    forms = [fragment_forms(side.text, side.language) for side in (first, second)]
    same_language = first.language is second.language
    found = clone_type(forms[0], forms[1], rule) if same_language else None
    if as_json:
        show_json(_result(found, CUT_RULES[rule].name, (first, second), forms))
        return
    view = _view(found, CUT_RULES[rule].name, (first, second), forms)
    if html is not None:
        from clonetruth.html import write
        from clonetruth.report import comparison_page

        show(f"Written: {write(comparison_page(view), html)}")
        return
    _show(view, brief)


def _side(name: str, folder: Path | None, language_name: str | None) -> _Side:
    if folder is not None:
        return _fragment(name, folder)
    match = re.fullmatch(r"(?s)(.+):(\d+)-(\d+)", name)
    if match is None or Path(name).exists():
        text, language = text_and_language(Path(name), language_name)
        return _Side(name, text, language)
    text, language = text_and_language(Path(match[1]), language_name)
    first, last = int(match[2]), int(match[3])
    lines = text.split("\n")
    if not 1 <= first <= last <= len(lines):
        raise InputError(f"The file has the lines 1–{len(lines)}, not {first}–{last}.", where=match[1])
    return _Side(name, "\n".join(lines[first - 1 : last]), language)


def _fragment(name: str, folder: Path) -> _Side:
    import pyarrow as pa

    from clonetruth.code import language
    from clonetruth.store import Benchmark

    rows = Benchmark.open(folder).sql(
        "SELECT f.language, f.text FROM fragments f JOIN wanted w ON f.id = w.id", wanted=pa.table({"id": [name]})
    )
    if not rows.num_rows:
        raise InputError(f"The benchmark has no fragment '{name}'.", where=folder)
    return _Side(name, rows["text"][0].as_py(), language(rows["language"][0].as_py()))


def _result(
    found: CloneType | None, rule: str, sides: tuple[_Side, _Side], forms: list[FragmentForms]
) -> dict[str, Any]:
    return {
        "similarity_line": found.similarity.line if found else None,
        "similarity_token": found.similarity.token if found else None,
        "clone_type": found.name if found else None,
        "cut_rule": rule,
        "renaming": found.renaming if found else None,
        "problem": None if found else "different languages",
        **{
            name: {
                "title": side.title,
                "language": side.language.name,
                "tokens": len(form.tokens),
                "pretty_lines": len(form.lines),
                "parses": form.sound,
            }
            for name, side, form in zip(("left", "right"), sides, forms, strict=True)
        },
    }


def _view(found: CloneType | None, rule: str, sides: tuple[_Side, _Side], forms: list[FragmentForms]) -> ComparisonView:
    from clonetruth.code import Form, normal_form
    from clonetruth.report import ComparisonView

    left, right = sides
    facts = {
        "tokens": " / ".join(str(len(form.tokens)) for form in forms),
        "pretty-printed lines": " / ".join(str(len(form.lines)) for form in forms),
    }
    broken = [side.title for side, form in zip(sides, forms, strict=True) if not form.sound]
    if broken:
        facts["does not parse wholly"] = ", ".join(broken)
    if found and found.renaming:
        facts["renaming"] = found.renaming
    return ComparisonView(
        titles=(left.title, right.title),
        languages=(left.language.name, right.language.name),
        texts=(left.text, right.text),
        forms=tuple(
            (str(form), normal_form(left.text, left.language, form), normal_form(right.text, right.language, form))
            for form in Form
        ),
        similarity_line=found.similarity.line if found else None,
        similarity_token=found.similarity.token if found else None,
        clone_type=found.name if found else None,
        cut_rule=rule,
        facts=facts,
    )


def _show(view: ComparisonView, brief: bool) -> None:
    from clonetruth.code import TYPE_MEANINGS

    if view.clone_type is None:
        show("[bold]No textual type[/bold]: the fragments are in different languages.")
    else:
        show(
            f"[bold]{view.clone_type}[/bold] {TYPE_MEANINGS.get(view.clone_type, '')} (cut rule '{view.cut_rule}')",
            f"line similarity [bold]{view.similarity_line:.4f}[/bold], "
            f"token similarity [bold]{view.similarity_token:.4f}[/bold]",
        )
    for name, value in view.facts.items():
        show(f"{name}: {value}")
    _show_difference("source", view.titles, *view.texts)
    for name, left, right in () if brief else view.forms:
        _show_difference(name, view.titles, left, right)


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
