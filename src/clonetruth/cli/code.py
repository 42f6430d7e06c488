"""Verbs on source text: what the library sees in a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.output import json_option, progress_bar, show, show_json, show_table
from clonetruth.errors import InputError

if TYPE_CHECKING:
    from clonetruth.code import Language

language_option = click.option(
    "--language", "language_name", default=None, help="The language; by the file name's ending unless told."
)
file_argument = click.argument("file", type=click.Path(path_type=Path))
paths_argument = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.group()
def code() -> None:
    """Look at source text: functions, tokens, normal forms, abstraction, metrics."""


def text_and_language(file: Path, language_name: str | None) -> tuple[str, Language]:
    """Read a file, and say what language it is in.

    Raises:
        InputError: nothing tells the language.
    """
    from clonetruth.code import LANGUAGES, language, language_of_path, read_source

    found = language(language_name) if language_name else language_of_path(file)
    if found is None:
        raise InputError(
            "The file name does not tell the language.", where=file, hint=f"Use --language ({', '.join(LANGUAGES)})."
        )
    return read_source(file).text, found


@code.command()
@json_option
def languages(as_json: bool) -> None:
    """The languages, and the file name endings that belong to them."""
    from clonetruth.code import LANGUAGES

    rows = [(name, LANGUAGES[name].title, " ".join(LANGUAGES[name].extensions)) for name in LANGUAGES]
    if as_json:
        show_json([dict(zip(("name", "title", "extensions"), row, strict=True)) for row in rows])
    else:
        show_table("Languages", ("name", "title", "file names"), rows)


@code.command()
@paths_argument
@language_option
@click.option("--nested", is_flag=True, help="Also functions inside functions.")
@click.option("--lambdas", is_flag=True, help="Also anonymous functions.")
@click.option("--text", is_flag=True, help="With --json: also the text of each function.")
@click.option("--processes", type=click.IntRange(min=1), default=None, help="Processes; all cores unless told.")
@json_option
def functions(
    paths: tuple[Path, ...],
    language_name: str | None,
    nested: bool,
    lambdas: bool,
    text: bool,
    processes: int | None,
    as_json: bool,
) -> None:
    """The functions in files and folders, with exact line ranges.

    Broken source gives what parses; what does not is reported.
    """
    from clonetruth.code import ExtractOptions, available_cores, extract_files, source_files

    files = list(source_files(paths, [language_name] if language_name else []))
    options = ExtractOptions(nested=nested, lambdas=lambdas)
    workers = min(processes or available_cores(), max(1, len(files) // 50))
    results = []
    with progress_bar() as progress:
        for one in extract_files(files, options, language_name=language_name, processes=workers):
            results.append(one)
            progress("Reading files", 1, len(files))
    if as_json:
        show_json([_file_json(one, text) for one in results])
        return
    found = [(one.path, function) for one in results for function in one.functions]
    show_table(
        f"{len(found):,} functions in {len(results):,} files",
        ("file", "lines", "function", "parameters"),
        [
            (str(path), f"{f.first_line}–{f.last_line}", f.qualified_name, ", ".join(f.parameter_types))
            for path, f in found
        ],
    )
    for one in results:
        if one.error:
            show(f"{one.path}: {one.error}")
        for problem in one.problems:
            show(f"{one.path}:{problem.first_line}: {problem.what}")


def _file_json(one: Any, text: bool) -> dict[str, Any]:
    hidden = set() if text else {"text"}
    return {
        "path": str(one.path),
        "language": one.language,
        "error": one.error,
        "problems": list(one.problems),
        "functions": [
            {key: value for key, value in function._asdict().items() if key not in hidden} for function in one.functions
        ],
    }


@code.command()
@file_argument
@language_option
@json_option
def tokens(file: Path, language_name: str | None, as_json: bool) -> None:
    """The tokens of a file with their classes, comments dropped."""
    from clonetruth.code import parse, token_stream

    text, found = text_and_language(file, language_name)
    rows = token_stream(parse(text, found, lone=True)).tokens()
    if as_json:
        show_json([{"text": token.text, "kind": token.kind.name.lower()} for token in rows])
    else:
        show_table(
            f"{len(rows):,} tokens", ("token", "class"), [(token.text, token.kind.name.lower()) for token in rows]
        )


@code.command()
@file_argument
@language_option
@click.option(
    "--form",
    type=click.Choice(["type-1", "type-2-consistent", "type-2-blind"]),
    default="type-1",
    show_default=True,
    help="The normal form.",
)
@json_option
def form(file: Path, language_name: str | None, form: str, as_json: bool) -> None:
    """A file in a normal form: layout gone, names renamed consistently, or names and values gone."""
    from clonetruth.code import Form, normal_form

    text, found = text_and_language(file, language_name)
    _show_text(normal_form(text, found, Form(form)), {"form": form}, as_json)


@code.command()
@file_argument
@language_option
@click.option("--level", type=click.IntRange(0, 3), default=1, show_default=True, help="The abstraction level.")
@json_option
def abstract(file: Path, language_name: str | None, level: int, as_json: bool) -> None:
    """A file at an abstraction level of Li et al.

    0 drops package line and comments; 1 renames variables and own classes; 2 also types; 3 also called functions.
    """
    from clonetruth.code import abstract as abstracted

    text, found = text_and_language(file, language_name)
    _show_text(abstracted(text, found, level), {"level": level}, as_json)


def _show_text(text: str, facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json({**facts, "text": text})
    else:
        click.echo(text)


@code.command()
@paths_argument
@language_option
@json_option
def metrics(paths: tuple[Path, ...], language_name: str | None, as_json: bool) -> None:
    """The metrics of every function in files and folders."""
    from clonetruth.code import extract_files, fragment_metrics, language, source_files

    rows: list[dict[str, Any]] = []
    files = list(source_files(paths, [language_name] if language_name else []))
    with progress_bar() as progress:
        for one in extract_files(files, language_name=language_name):
            if one.error:
                click.echo(f"{one.path}: {one.error}", err=True)
            for function in one.functions:
                measured = fragment_metrics(function.text, language(one.language))
                place = {"path": str(one.path), "function": function.qualified_name, "first_line": function.first_line}
                rows.append({**place, **asdict(measured)})
            progress("Measuring files", 1, len(files))
    if as_json:
        show_json(rows)
        return
    shown = ("lines", "pretty_lines", "tokens", "comp", "mdn")
    show_table(
        f"{len(rows):,} functions (all metrics with --json)",
        ("function", *shown),
        [(f"{row['path']}:{row['first_line']} {row['function']}", *(row[name] for name in shown)) for row in rows],
    )
