"""`clonetruth code …`: inspect source text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clonetruth.cli.output import progress_bar, show, show_code, show_json, show_table
from clonetruth.cli.verb import verb_command
from clonetruth.options.code import (
    AbstractOptions,
    FormOptions,
    FunctionsOptions,
    LanguagesOptions,
    MetricsOptions,
    TokensOptions,
)

if TYPE_CHECKING:
    from clonetruth.code import ExtractedFile


@verb_command(LanguagesOptions)
def languages(options: LanguagesOptions) -> None:
    """Print the languages."""
    from clonetruth.code import list_languages

    rows = [(one.name, one.title, " ".join(one.extensions)) for one in list_languages(options)]
    if options.json:
        show_json([dict(zip(("name", "title", "extensions"), row, strict=True)) for row in rows])
    else:
        show_table("Languages", ("name", "title", "file names"), rows)


@verb_command(FunctionsOptions)
def functions(options: FunctionsOptions) -> None:
    """Print the functions, and what could not be read or parsed."""
    from clonetruth.code import extract_functions

    with progress_bar() as progress:
        files = extract_functions(options, progress=progress)
    if options.json:
        show_json([_file_json(file, options.text) for file in files])
        return
    rows = [
        (str(file.path), f"{f.first_line}–{f.last_line}", f.qualified_name, ", ".join(f.parameter_types))
        for file in files
        for f in file.functions
    ]
    show_table(f"Functions ({len(rows):,})", ("file", "lines", "function", "parameters"), rows)
    for file in files:
        if file.error:
            show(f"{file.path}: {file.error}")
        for problem in file.problems:
            show(f"{file.path}:{problem.first_line}: {problem.what}")


def _file_json(file: ExtractedFile, text: bool) -> dict[str, Any]:
    hidden = set() if text else {"text"}
    return {
        "path": str(file.path),
        "language": file.language,
        "error": file.error,
        "problems": list(file.problems),
        "functions": [
            {key: value for key, value in function._asdict().items() if key not in hidden}
            for function in file.functions
        ],
    }


@verb_command(TokensOptions)
def tokens(options: TokensOptions) -> None:
    """Print the tokens."""
    from clonetruth.code import tokenize_code

    rows = [(token.text, token.kind.name.lower()) for token in tokenize_code(options)]
    if options.json:
        show_json([{"text": text, "kind": kind} for text, kind in rows])
    else:
        show_table(f"Tokens ({len(rows):,})", ("token", "class"), rows)


@verb_command(FormOptions)
def form(options: FormOptions) -> None:
    """Print the normal form."""
    from clonetruth.code import normalise_code

    _show_text(normalise_code(options), {"form": options.form}, options.json)


@verb_command(AbstractOptions)
def abstract(options: AbstractOptions) -> None:
    """Print the abstracted text."""
    from clonetruth.code import abstract_code

    _show_text(abstract_code(options), {"level": options.level}, options.json)


def _show_text(text: str, facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json({**facts, "text": text})
    else:
        show_code(text)


@verb_command(MetricsOptions)
def metrics(options: MetricsOptions) -> None:
    """Print the metrics of each function."""
    from clonetruth.code import measure_code

    with progress_bar() as progress:
        measured = measure_code(options, progress=progress)
    rows: list[dict[str, Any]] = [
        {"path": str(one.path), "function": one.name, "first_line": one.first_line, **asdict(one.metrics)}
        for one in measured
    ]
    if options.json:
        show_json(rows)
        return
    shown = ("lines", "pretty_lines", "tokens", "comp", "mdn")
    show_table(
        f"Functions ({len(rows):,}; all metrics with --json)",
        ("function", *shown),
        [(f"{row['path']}:{row['first_line']} {row['function']}", *(row[name] for name in shown)) for row in rows],
    )
