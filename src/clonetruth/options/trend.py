"""`clonetruth trend`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.find import FINDER_SETTING
from clonetruth.options.shared import HtmlOptions, JsonOptions, ProcessOptions

MAX_COMMITS = 1_000


@dataclass(frozen=True, kw_only=True)
class TrendOptions(ProcessOptions, HtmlOptions, JsonOptions, command="trend", function="measure_trend"):
    """Measure duplication over git history: duplicated lines, their percentage and clone classes at several commits.

    The commits of the current branch (first parents) are evenly spaced, from the oldest to the current one. Nothing is
    checked out: files are read from git's objects. What was measured is remembered by the content of the tree.
    """

    folder: Path = argument(Path(), help="A folder of a git repository (default: the working folder).")
    commits: int = option(10, minimum=1, maximum=MAX_COMMITS, help="Number of commits.")
    tags: bool = option(False, help="Measure tagged commits, evenly spaced if there are more than --commits.")
    since: str | None = option(
        None,
        metavar="WHEN",
        project=r"[\w@][\w./@{}^~+-]*",
        help="Only commits from this date (YYYY-MM-DD) or revision on (default: all).",
    )
    with_: tuple[str, ...] = option(
        (),
        metavar="NAMES",
        project=FINDER_SETTING,
        help="Finders to use (default: exact,renamed,tokens).",
    )
    min_tokens: int = option(50, help="Skip functions with fewer tokens.")
    min_lines: int = option(1, help="Skip functions with fewer lines.")
    threshold: float | None = option(None, help="Minimum similarity, in (0, 1] (default: each finder's own).")
    language: tuple[str, ...] = option((), project=WORD, help="Only files in this language.")
    exclude: tuple[str, ...] = option(
        (), metavar="PATTERN", project=r"(?s).*", help="Skip files and folders, as .gitignore would."
    )
    include_generated: bool = option(False, help="Include generated files.")
    include_vendored: bool = option(False, help="Include vendored folders and build output.")
    index: bool = option(True, help="Reuse what earlier runs learned.")
