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


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli_page,
    "schema.md": schema_page,
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
