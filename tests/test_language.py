"""Plain English: phrases of a private dialect stay out of help texts, messages, docstrings and documentation.

The list is short on purpose: each phrase has an everyday replacement, which stands beside it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from clonetruth.cli import cli
from tests.conftest import ROOT

BANNED = {
    r"\bunless told\b": "by default",
    r"\b(is|are|was|be) told\b": "is reported, is shown, is recognised",
    r"\bmend(s|ed|ing)?\b": "fix, repair",
    r"\b(is|are|was|were) no (?!longer|more|less|better|worse|smaller|larger|wider|narrower|bigger)": (
        "is not a; there is no"
    ),
    r"\bof no use\b": "useless, not needed",
    r"\bso many\b": "N, that number of",
    r"\bwhoever\b": "those who, anyone who",
    r"\bof (its|their|our|your|his|one's) own(?=\s*([.,;:)]|$|(and|or|in|on|with|for|to|from|at|that|so)\b))": (
        "its own, separate"
    ),
    r"\bpublic door\b|\bthe door\b": "public API",
    r"\bOf what is random\b": "Random seed",
    r"\bwish(es)?\b": "option, specification",
    r"\bvoices?\b": "latest judgements",
    r"\bkinship\b": "equivalence, leakage",
    r"\bballots?\b": "vote",
    r"\bjoint words?\b": "consensus, joint judgement",
    r"\bspeaks? (of|for)\b": "judges, covers, is about",
    r"\b(has|have|makes?|without) no sense\b|\brow without sense\b": "is invalid",
    r"\bwho only wants\b": "for callers that need only",
    r"\bthe house is built\b|\brooms?\b": "package",
}
# `speaks_for` is a stored key, and so is the last one, of a build report.
ALLOWED = re.compile(r"speaks_for|no known member speaks for one|there (is|are|was|were) no\b", re.IGNORECASE)


def findings(text: str, where: str) -> list[str]:
    """Banned phrases in a text, each with what to write instead."""
    plain = ALLOWED.sub("", text)
    return [
        f"{where}: “{match[0].strip()}” ({instead}): …{plain[max(0, match.start() - 40) : match.end() + 30]!r}"
        for pattern, instead in BANNED.items()
        for match in re.finditer(pattern, plain, re.IGNORECASE)
    ]


def commands(command: click.Command, path: str = "clonetruth") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, f"{path} {name}")


def help_text(command: click.Command) -> str:
    options = [one.help or "" for one in command.params if isinstance(one, click.Option)]
    return "\n".join([command.help or "", command.epilog or "", command.short_help or "", *options])


def prose(path: Path) -> str:
    """The text of a page without its code blocks and code spans."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"`[^`\n]*`", "", text))


def strings(path: Path) -> str:
    """The sentences among the string literals of a module: docstrings and messages, neither keys nor SQL.

    The SQL of policies enters their hashes, so its words stay.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return "\n".join(
        re.sub(r"\s+", " ", node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()
        if "SELECT " not in node.value and "CASE WHEN" not in node.value
    )


PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    ("name", "command"), list(commands(cli)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_help_texts_are_plain(name: str, command: click.Command) -> None:
    assert findings(help_text(command), name) == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_documentation_is_plain(page: Path) -> None:
    assert findings(prose(page), relative(page)) == []


def test_messages_and_docstrings_are_plain() -> None:
    modules = sorted((ROOT / "src").rglob("*.py"))
    found = [
        one
        for path in modules
        if not {"embedded_data", "trueclones_data"} & set(path.parts)
        for one in findings(strings(path), relative(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Processes to use; all cores unless told.", False),
        ("This is no trained detector.", False),
        ("There is no trained detector.", True),
        ("It is no longer needed.", True),
        ("a judge of its own", False),
        ("Recommend a fix.", True),
        ("How to mend it.", False),
    ],
)
def test_the_list_finds_what_it_should(text: str, plain: bool) -> None:
    assert (findings(text, "here") == []) is plain
