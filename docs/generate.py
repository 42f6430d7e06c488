"""Write the generated pages of the documentation: ``python docs/generate.py``, or ``--check`` to only compare.

A page is one function that returns Markdown; a line in `PAGES` gives it its file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

DOCS = Path(__file__).parent


def cli_page() -> str:
    """Every verb with its help, as `--help` prints it."""
    from clonetruth.cli import cli

    parts = ["# The command line", "", "Generated from the program by `python docs/generate.py`.", ""]
    for path, command in _commands(cli, ()):
        context = click.Context(command, info_name=" ".join(("clonetruth", *path)), terminal_width=100)
        parts += [f"## {' '.join(('clonetruth', *path))}", "", "```", command.get_help(context), "```", ""]
    return "\n".join(parts)


def _commands(command: click.Command, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            found += _commands(command.commands[name], (*path, name))
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


PAGES: dict[str, Callable[[], str]] = {
    "audit-rules.md": rules_page,
    "cli.md": cli_page,
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
