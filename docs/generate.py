"""Write the generated pages of the documentation: ``python docs/generate.py``, or ``--check`` to only compare.

A page is one function that returns Markdown; a line in `PAGES` gives it its file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

DOCS = Path(__file__).parent


def cli_page() -> str:
    """Every verb with its help, as `--help` prints it."""
    from clonetruth.cli import cli

    functions = {function.options_type.command: name for name, function in _verbs().items()}
    parts = ["# The command line", "", "Generated from the program by `python docs/generate.py`.", ""]
    for path, command in _commands(cli, ()):
        name = " ".join(("clonetruth", *path))
        # The names of the help option are those of the whole program, as if the command ran below it.
        names = cli.context_settings["help_option_names"]
        context = click.Context(command, info_name=name, terminal_width=100, help_option_names=names)
        parts += [f"## {name}", "", "```text", command.get_help(context), "```", ""]
        if " ".join(path) in functions:
            function = functions[" ".join(path)]
            parts += [f"In Python: [`clonetruth.{function}`](api.md#{function}).", ""]
    return "\n".join(parts)


def _commands(command: click.Command, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in sorted(command.list_commands(context)):
            one = command.get_command(context, name)
            if one is not None:
                found += _commands(one, (*path, name))
    return found


def schema_page() -> str:
    """Every column of every table."""
    from clonetruth.store.schema_text import schema_markdown

    return schema_markdown()


def sources_page() -> str:
    """Every source with its card."""
    from clonetruth.sources import SOURCES, SourceCard

    def section(name: str, found: SourceCard) -> list[str]:
        card, judge = found.card, found.claimed_by
        facts = [
            ("Languages", ", ".join(card.languages)),
            ("A label means", found.label_means),
            ("Criterion", f"`{card.criterion}`"),
            ("Claimed by", f"{judge.name} (`{judge.kind}`). {judge.description or ''}".strip()),
            ("Accepts", found.accepts),
            ("Licence", card.licence),
            ("Citation", card.citation),
            ("Home", f"<{card.url}>" if card.url else None),
            ("Published sizes", ", ".join(f"{count:,} {what}" for what, count in found.published.items())),
            ("Warning", found.warning),
        ]
        lines = [f"## {name}", "", card.description, ""]
        lines += [f"- **{title}.** {text}" for title, text in facts if text]
        for title, entries in (("Known flaws", card.known_flaws), ("References", found.references)):
            if entries:
                lines += ["", f"{title}:", "", *(f"- {entry}" for entry in entries)]
        return [*lines, ""]

    cards = [(name, SOURCES[name].card) for name in sorted(SOURCES)]
    parts = [
        "# The sources",
        "",
        "Generated from the cards by `python docs/generate.py`. A dataset's own label is one judge's claim; the kind "
        "of that judge says what it is worth.",
        "",
        "An import accounts for everything that it is given. Files that were not used, rows that could not be read, "
        "and values that cannot be true (reversed spans, similarities outside 0 to 1) are listed with the reason: on "
        "the terminal, in `--json`, and in `records/import.json` of the new folder. Such values are stored as unknown. "
        "`--strict` refuses them, and files that you named but that are not used. Evidence that belongs to another "
        "source can be [attached](attach.md).",
        "",
        "| source | languages | criterion | claimed by | licence |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, found in cards:
        row = (
            f"[{name}](#{name})",
            ", ".join(found.card.languages),
            f"`{found.card.criterion}`",
            f"`{found.claimed_by.kind}`",
            found.card.licence.replace("|", "/"),
        )
        parts.append(f"| {' | '.join(row)} |")
    return "\n".join([*parts, "", *(line for name, found in cards for line in section(name, found))])


def rules_page() -> str:
    """Every rule of the audit."""
    from clonetruth.audit import rules_page as page

    return page()


def results_page() -> str:
    """Every entry of a result."""
    import dataclasses
    import inspect
    import re

    from clonetruth.store import results

    parts = [
        f"# Results, schema version {results.RESULT_VERSION}",
        "",
        "Generated from `src/clonetruth/store/results.py` by `python docs/generate.py`. `clonetruth evaluate … -o`",
        f'writes a result as JSON: the entries of `Result` below, with `"schema": "{results.RESULT_SCHEMA}"` and',
        '`"schema_version"`. What is not known is `null`; there is no NaN. A later version adds entries, and reads',
        "what earlier ones wrote.",
        "",
    ]
    kinds = [
        one for one in vars(results).values() if dataclasses.is_dataclass(one) and one.__module__ == results.__name__
    ]
    for kind in sorted(kinds, key=lambda one: one is not results.Result):
        text, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:")
        said = dict(re.findall(r"^ +(\w+): (.*(?:\n {8,}.*)*)", listed, re.MULTILINE))
        parts += [f"## {kind.__name__}", "", text.strip(), "", "| entry | type | |", "| --- | --- | --- |"]
        for entry in dataclasses.fields(kind):
            shown = str(entry.type).replace("|", "or").replace(", ...", " …")
            parts.append(f"| `{entry.name}` | {shown} | {' '.join(said.get(entry.name, '').split())} |")
        parts.append("")
    return "\n".join(parts)


_LEDGER = """# The ledger: numbers of papers, computed again

Generated from `src/clonetruth/literature/ledger.toml` by `python docs/generate.py`. {total} claims: {counts}.

`clonetruth reproduce NAME` computes an entry again; `clonetruth reproduce --all --data FOLDER` computes every entry
whose data is below FOLDER, and writes a page. A value that deviates from the recorded one ends with exit code 1.
[Literature](literature.md) explains how, and how to add an entry.

- **reproduced**: the value agrees with the printed number, within the digits that the paper prints (or within the
  tolerance that the entry states).
- **refuted**: it does not. The note says what we think happened. A verdict is about the printed number, not about what
  the paper concludes from it.
- **not decidable here**: the data is missing, or only part of it is at hand; a value on a part decides nothing.

Places are sections and tables, since the copies of a paper have different pages.
"""


def ledger_page() -> str:
    """Every claim of the ledger, by paper, and the data that they need."""
    from clonetruth.literature import ClaimVerdict, LedgerEntry, read_ledger
    from clonetruth.report.ledger import value_text

    def row(one: LedgerEntry) -> str:
        value = "–" if one.value is None else value_text(one.value, one.reported)
        needs = f" Data: {', '.join(one.data)}." if one.data else ""
        on = f" On {one.part}." if one.part else ""
        how = f"{one.how[:1].upper()}{one.how[1:]}.{on}{needs} {one.note}".strip()
        cells = (f"`{one.name}`", one.claim, one.place, one.reported, value, f"**{one.verdict}**", how)
        return f"| {' | '.join(map(_cell, cells))} |"

    ledger = read_ledger()
    verdicts = [one.verdict for one in ledger.entries.values()]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in ClaimVerdict)
    parts = [_LEDGER.format(total=len(verdicts), counts=counts)]
    for key, paper in ledger.papers.items():
        parts += [f"## `{key}`", "", f"{paper.citation} {paper.url}".strip(), ""]
        parts += ["| entry | claim | place | printed | computed | verdict | how, and what follows |"]
        parts += ["| --- | --- | --- | --- | --- | --- | --- |"]
        parts += [*(row(one) for one in ledger.entries.values() if one.paper == key), ""]
    parts += ["## The data", "", "| folder | holds | from |", "| --- | --- | --- |"]
    parts += [f"| `{key}` | {_cell(one.description)} | {_cell(one.get)} |" for key, one in ledger.data.items()]
    return "\n".join(parts)


def api_page() -> str:
    """Every public function with its parameters, and the command that it equals."""
    from importlib import import_module

    from clonetruth.public import OBJECTS, VERBS

    parts = [
        "# The Python API",
        "",
        "Generated from the program by `python docs/generate.py`. Every verb of the command line is a function of "
        "`import clonetruth` with the same words and defaults.",
        "",
        "| function | command | what it does |",
        "| --- | --- | --- |",
    ]
    verbs = _verbs()
    for name, function in verbs.items():
        summary = _cell(_summary(function))
        parts.append(f"| [`{name}`](#{name}) | `clonetruth {function.options_type.command}` | {summary} |")
    for name, function in verbs.items():
        parts += ["", *_function(name, function, VERBS[name])]
    parts += ["", "## Objects", "", "| name | what it is |", "| --- | --- |"]
    for name, module in sorted(OBJECTS.items()):
        found = getattr(import_module(module), name)
        parts.append(f"| `{name}` | {_cell(_summary(found))} (`{module}`) |")
    return "\n".join(parts)


def _verbs() -> dict[str, Any]:
    """The public functions that are verbs of the command line."""
    from importlib import import_module

    from clonetruth.public import VERBS

    functions = {name: getattr(import_module(module), name, None) for name, module in sorted(VERBS.items())}
    return {name: function for name, function in functions.items() if hasattr(function, "options_type")}


def _summary(found: object) -> str:
    import inspect

    return " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _function(name: str, function: Any, package: str) -> list[str]:
    """A section of the API reference."""
    import inspect
    import re

    sections = re.split(
        r"^(Args|Returns|Raises|Example|Examples|Yields):\n", inspect.getdoc(function) or "", flags=re.M
    )
    said = dict(zip(sections[1::2], sections[2::2], strict=True))
    parameters = inspect.signature(function).parameters.values()
    positions = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    words = [f"{one.name}=…" for one in parameters if one.kind is one.KEYWORD_ONLY]
    called = ", ".join([*positions, *words[:2], *(["…"] if len(words) > 2 else [])])
    flags = {one.name: one.flag for one in function.options_type.words() if not one.declaration.argument}
    helps = dict(re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", said.get("Args", ""), re.MULTILINE))
    parts = [
        f"## {name}",
        "",
        sections[0].strip(),
        "",
        f"Command: `clonetruth {function.options_type.command}`. Package: `{package}`.",
        "",
        "```text",
        f"clonetruth.{name}({called})",
        "```",
        "",
        "| parameter | option | type | default | |",
        "| --- | --- | --- | --- | --- |",
    ]
    for one in parameters:
        default = "required" if one.default is one.empty else f"`{_default(one.default)}`"
        flag = f"`{flags[one.name]}`" if one.name in flags else ""
        annotation = _cell(str(one.annotation).strip("'"))
        text = _cell(" ".join(helps.get(one.name, "").split()))
        parts.append(f"| `{one.name}` | {flag} | `{annotation}` | {default} | {text} |")
    for title in ("Returns", "Yields", "Raises"):
        if title in said:
            text = "\n".join(line.removeprefix("    ") for line in said[title].rstrip().splitlines())
            entries = re.findall(r"^(\w+): (.*(?:\n +.*)*)", text, re.MULTILINE) if title == "Raises" else []
            lines = [f"- `{error}`: {' '.join(why.split())}" for error, why in entries] or [" ".join(text.split())]
            parts += ["", f"**{title}**", "", *lines]
    example = said.get("Example", said.get("Examples"))
    if example:
        parts += ["", "```pycon", *(line.removeprefix("    ") for line in example.rstrip().splitlines()), "```"]
    return parts


def _default(value: object) -> str:
    if callable(value):
        return getattr(value, "__name__", "…")
    shown = [str(one) if isinstance(one, Path) else one for one in value] if isinstance(value, tuple) else value
    return str(tuple(shown)) if isinstance(shown, list) else repr(str(shown) if isinstance(shown, Path) else shown)


def stub_page() -> str:
    """The types of the public functions, for editors and type checkers."""
    from clonetruth.options.reference import stub
    from clonetruth.public import OBJECTS, VERBS

    return stub("clonetruth", VERBS, OBJECTS)


PAGES: dict[str, Callable[[], str]] = {
    "../src/clonetruth/__init__.pyi": stub_page,
    "api.md": api_page,
    "audit-rules.md": rules_page,
    "cli.md": cli_page,
    "ledger.md": ledger_page,
    "schema.md": schema_page,
    "results.md": results_page,
    "sources.md": sources_page,
}


def main(check: bool) -> int:
    """Write the pages, or compare; the number of pages that were not up to date."""
    stale = 0
    for name, page in PAGES.items():
        text = page().rstrip("\n") + "\n"
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale += 1
            print(f"{'stale' if check else 'written'}: docs/{name}")
            if not check:
                path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    checking = "--check" in sys.argv[1:]
    outdated = main(checking)
    sys.exit(1 if checking and outdated else 0)
