"""`clonetruth find`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.execution import SandboxOptions
from clonetruth.options.shared import (
    SPREADSHEET_SAFE,
    EngineOptions,
    HtmlOptions,
    JsonOptions,
    ProcessOptions,
)

CLONE_FORMATS = ("text", "html", "markdown", "compact", "sarif", "gitlab", "json", "csv", "bigcloneeval")
TEXT_CLASSES = 20
"""Number of classes that formats for readers show by default."""
READ_FORMATS = ("text", "markdown", "compact")
"""Formats that are read from the top, by people or by assistants."""
OWN_FINDERS = ("exact", "renamed", "tokens", "nearmiss", "largegap", "winnowing", "metrics", "ncd", "semantic")
"""The finders of clonetruth itself. A project may name these, but no tools or plugins, which are other programs."""
_FINDER = rf" *({'|'.join(OWN_FINDERS)}) *(: *\w+ *= *\w+ *(, *\w+ *= *\w+ *)*)?"
FINDER_SETTING = rf"{_FINDER}(,{_FINDER})*"
"""The pattern of the finders that a project may name."""


@dataclass(frozen=True, kw_only=True)
class FindOptions(
    EngineOptions, ProcessOptions, SandboxOptions, HtmlOptions, JsonOptions, command="find", function="find_clones"
):
    """Find clones in source code: functions that are equal, renamed, or edited copies of each other.

    PATH is a folder, a file, a range of git revisions (main..feature: the files that it changed), or a SourcererCC
    block file; the default is the working folder.
    """

    paths: tuple[Path, ...] = argument((Path(),), metavar="PATH", help="Files, folders, or a range of git revisions.")
    with_: tuple[str, ...] = option(
        (),
        metavar="NAMES",
        project=FINDER_SETTING,
        help="Finders and tools to use: tokens,nearmiss:renaming=none … (default: exact,renamed,tokens).",
    )
    granularity: tuple[str, ...] = option(
        (),
        metavar="NAMES",
        project=r" *(function|block|file) *(, *(function|block|file) *)*",
        help="What to compare: function,block,file (default: function). A block is a sequence of statements.",
    )
    min_tokens: int = option(50, help="Skip functions, blocks and files with fewer tokens.")
    min_lines: int = option(1, help="Skip functions, blocks and files with fewer lines.")
    threshold: float | None = option(None, help="Minimum similarity, in (0, 1] (default: each finder's own).")
    language: tuple[str, ...] = option(
        (),
        project=WORD,
        help="Search only files in this language, and read .h files (if C or C++) and files given by name as it.",
    )
    language_map: tuple[str, ...] = option(
        (),
        metavar="EXT=LANGUAGE",
        project=r"\.?\w[\w+-]*=\w[\w+#-]*",
        help="Read files with this extension as a language, for example .groovy=java.",
    )
    exclude: tuple[str, ...] = option(
        (), metavar="PATTERN", project=r"(?s).*", help="Skip files and folders, as .gitignore would."
    )
    since: str | None = option(
        None,
        metavar="REVISION",
        project=r"[\w@][\w./@{}^~+-]*",
        help="Only clones with lines changed since this git revision.",
    )
    baseline: Path | None = option(None, help="Only clones that are not in this file, written by --format json.")
    strict: bool = option(False, help="Fail if a file cannot be read, or most of it cannot be parsed.")
    include_generated: bool = option(False, help="Include generated files.")
    include_vendored: bool = option(False, help="Include vendored folders and build output.")
    gitignore: bool = option(True, help="Skip files that .gitignore excludes.")
    hints: bool = option(False, help="Name the parameters that one function replacing each class would need.")
    blame: bool = option(False, help="Show who last changed each member, and when (git blame).")
    run: bool = option(
        False,
        setting=False,
        help="Run functions in the sandbox: report copies that behave differently, and functions that behave alike.",
    )
    run_seconds: float = option(
        5.0, above=0, maximum=86_400, help="With --run: maximum number of seconds for a pair of functions."
    )
    run_inputs: int = option(
        100, minimum=1, maximum=100_000, help="With --run: maximum number of inputs for a pair of functions."
    )
    index: bool = option(True, help="Reuse what earlier runs learned about unchanged files.")
    top: str | None = option(
        None,
        terminal=True,
        metavar="N",
        project=WORD,
        help=f"Number of classes to show, or all (default: {TEXT_CLASSES} as {', '.join(READ_FORMATS)}; else all).",
    )
    format: str = option("text", terminal=True, choices=CLONE_FORMATS, help="Output format.")
    output: Path | None = option(
        None,
        names=("-o",),
        terminal=True,
        setting=False,
        help="Write the result to this file instead of standard output.",
    )
    badge: Path | None = option(
        None, terminal=True, setting=False, help="Write the share of copied lines to this file, as an SVG badge."
    )
    spreadsheet_safe: bool = option(False, terminal=True, help=SPREADSHEET_SAFE)
    fail_on: str | None = option(
        None,
        terminal=True,
        choices=("T1", "T2", "T3"),
        help="Exit with 1 if there is a new pair of this or a stronger type.",
    )

    max_percent: tuple[str, ...] = option(
        (),
        terminal=True,
        metavar="[FOLDER=]N",
        project=r"([\w .-]+(/[\w .-]+)*=)?[0-9.]+",
        help="Exit with 1 if more than N % of the lines (or of those below FOLDER) are copies.",
    )
    max_inconsistent: int | None = option(
        None,
        terminal=True,
        setting=False,
        minimum=0,
        metavar="N",
        help="With --run: exit with 1 if more than N copies behave differently from the code that they copy.",
    )
    update_baseline: bool = option(
        False, terminal=True, setting=False, help="After the comparison, write the clones found to the --baseline file."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        granularities(self.granularity)
        for limit in self.max_percent:
            percent_limit(limit)
        for entry in self.language_map:
            mapped_extension(entry)
        if self.update_baseline and self.baseline is None:
            raise InputError(
                "There is no baseline to update.", where="update_baseline", hint="Name it: --baseline FILE"
            )
        if self.max_inconsistent is not None and not self.run:
            raise InputError(
                "Whether copies behave differently is known only if they are run.",
                where="max_inconsistent",
                hint="Add --run, which runs code of the searched files in the sandbox.",
            )
        if self.since is not None and self.baseline is not None:
            raise InputError("Compare either with a revision or with a baseline, not with both.", where="since")


GRANULARITIES = ("function", "block", "file")
"""What can be compared."""


def granularities(texts: tuple[str, ...]) -> tuple[str, ...]:
    """What to compare, as a user writes it: names, each separate or several separated by commas.

    Raises:
        InputError: there is no such granularity.
    """
    names = {name.strip() for text in texts for name in text.split(",")} or {GRANULARITIES[0]}
    for name in sorted(names):
        if name not in GRANULARITIES:
            raise InputError(
                f"'{name}' is not a granularity.",
                where="granularity",
                hint="Give function, block, file, or several of them: function,block",
            )
    return tuple(name for name in GRANULARITIES if name in names)


def percent_limit(text: str) -> tuple[str, float]:
    """A limit as a user writes it: the folder ("." for all) and the percentage.

    Raises:
        InputError: the text has another form.
    """
    folder, _, number = text.rpartition("=")
    try:
        percent = float(number)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise InputError(
            f"'{text}' is not a limit in percent.", where="max_percent", hint="Write 5, or src/api=2.5: from 0 to 100."
        )
    return folder or ".", percent


def mapped_extension(text: str) -> tuple[str, str]:
    """An entry of a language map as a user writes it: the extension, with its dot, and the name of the language.

    Raises:
        InputError: the text has another form.
    """
    extension, _, name = text.partition("=")
    bare = extension.strip().removeprefix(".")
    if not name.strip() or not bare or "." in bare or "/" in bare:
        raise InputError(
            f"'{text}' does not map an extension to a language.", where="language_map", hint="Write .groovy=java."
        )
    return f".{bare}", name.strip()
