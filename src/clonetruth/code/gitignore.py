r"""Which files `.gitignore` excludes, in any folder, with or without a repository or git itself.

Git decides folder by folder, from the top: whatever lies in an excluded folder is excluded with it; for everything
else, the last matching pattern of the deepest `.gitignore` decides. (Libraries that match whole paths apply a folder's
pattern to everything below it, and so differ.) Patterns match bytes, as in git: `?` does not match `é`. The user's own
list, `core.excludesFile`, is not read: it would make results differ from machine to machine. Tracked files are
excluded too if a pattern matches them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from clonetruth.budgets import read_bytes

IGNORE_FILE = ".gitignore"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TRAILING_SPACES = re.compile(rb"((?:\\.|[^\\])*?) +", re.DOTALL)
_LITERAL_PREFIX = re.compile(rb"[^*?\[\\]*")

_PART = re.compile(
    rb"(?P<folders>(?<![^/])\*\*+/)|(?P<below>(?<![^/])\*\*+(?=\\/|\Z))|(?P<any>\*+)|(?P<one>\?)"
    rb"|(?P<set>\[)|\\(?P<escaped>.)|(?P<invalid>\\)|(?P<plain>.)",
    re.DOTALL,
)
_MEANINGS = {"folders": b"(?:.*/)?", "below": b".*", "any": b"[^/]*", "one": b"[^/]"}

_SET_ITEM = re.compile(rb"\[:(?P<name>[^\]]*):\]|(?P<invalid>\[:[^\]]*\Z)|\\(?P<escaped>.)|(?P<plain>[^\\])", re.DOTALL)
_RANGE_END = re.compile(rb"-(?:\\(?P<escaped>.)|(?P<plain>[^\\\]]))", re.DOTALL)
_NAMED_SETS = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\r",  # git leaves out \v and \f
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}


class _InvalidPatternError(ValueError):
    """Git accepts the pattern but never matches it: an unclosed or unknown set, or a backslash at the end."""


@dataclass(frozen=True)
class _Pattern:
    """A line of a `.gitignore`.

    Attributes:
        expression: matches a whole path below the folder of the file, as a regular expression.
        only_folders: whether the pattern is for folders only.
        negated: whether it includes again what an earlier line excluded.
    """

    expression: bytes
    only_folders: bool
    negated: bool

    @classmethod
    def parse(cls, line: bytes) -> _Pattern | None:
        """Return the pattern of a line; None for a comment, a blank line and a pattern that never matches."""
        trimmed = _TRAILING_SPACES.fullmatch(line)
        text = trimmed[1] if trimmed else line
        if not text or text.startswith(b"#"):
            return None
        negated = text.startswith(b"!")
        body = text.removeprefix(b"!")
        only_folders = body.endswith(b"/")
        body = body.removesuffix(b"/")
        try:
            expression = _expression(body)
        except _InvalidPatternError:
            return None
        return cls(expression, only_folders, negated)


def _expression(pattern: bytes) -> bytes:
    """Translate a pattern to a regular expression for a path relative to the folder of the file."""
    if b"/" not in pattern:
        return b"(?:.*/)?" + _glob_expression(pattern)
    anchored = pattern.removeprefix(b"/")
    # Git compares the literal prefix first, so stars right after it count as stars at the start: `a**/b` matches `ab`.
    prefix = _LITERAL_PREFIX.match(anchored)
    length = prefix.end() if prefix else 0
    return re.escape(anchored[:length]) + _glob_expression(anchored[length:])


def _glob_expression(glob: bytes) -> bytes:
    parts: list[bytes] = []
    position = 0
    while part := _PART.match(glob, position):
        position = part.end()
        kind = part.lastgroup or ""
        if kind == "invalid":
            raise _InvalidPatternError
        if kind == "set":
            expression, position = _set_expression(glob, position)
            parts.append(expression)
        else:
            parts.append(_MEANINGS.get(kind) or re.escape(part[kind]))
    return b"".join(parts)


def _set_expression(glob: bytes, position: int) -> tuple[bytes, int]:
    """Translate the set that begins after the bracket before a position; return it and the position after the set."""
    negated = glob[position : position + 1] in (b"!", b"^")
    position += negated
    start = position
    members: list[bytes] = []
    while position == start or glob[position : position + 1] != b"]":
        item = _SET_ITEM.match(glob, position)
        if item is None or item.lastgroup == "invalid":
            raise _InvalidPatternError
        position = item.end()
        if item.lastgroup == "name":
            if item["name"] not in _NAMED_SETS:
                raise _InvalidPatternError
            members.append(_NAMED_SETS[item["name"]])
            continue
        first = item[item.lastgroup or ""]
        if end := _RANGE_END.match(glob, position):
            position = end.end()
            last = end[end.lastgroup or ""]
            if first <= last:
                members.append(re.escape(first) + b"-" + re.escape(last))
            members.append(re.escape(first))
        else:
            members.append(re.escape(first))
    # Neither a set nor a negated set matches a slash. A member list is never empty: `]` is a member in first position.
    return b"(?!/)[" + b"^" * negated + b"".join(members) + b"]", position + 1


class _Decision(NamedTuple):
    """Consecutive patterns that decide alike, matched together."""

    expression: re.Pattern[bytes]
    only_folders: bool
    negated: bool


class IgnoreRules:
    """The patterns that apply in a folder and below it. Folders and files are given by their real paths.

    Args:
        rules: folders, ending in a slash, with their patterns, the last pattern first; the innermost folder first.
    """

    def __init__(self, rules: tuple[tuple[str, tuple[_Decision, ...]], ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def from_lines(cls, folder: str, lines: Sequence[str]) -> IgnoreRules:
        """Return the rules of some lines, which apply below a folder."""
        return cls()._joined(folder, [os.fsencode(line) for line in lines])

    @classmethod
    def around(cls, folder: str) -> IgnoreRules:
        """Return the rules of the folders around one, up to the root of its repository; none without a repository."""
        outer = Path(folder).parents
        root = next((path for path in (Path(folder), *outer) if (path / ".git").exists()), None)
        if root is None:
            return cls()
        rules = cls()._joined(str(root), _lines(root / ".git" / "info" / "exclude"))
        for path in reversed(outer):
            if path.is_relative_to(root):
                rules = rules.inside(str(path))
        return rules

    def inside(self, folder: str) -> IgnoreRules:
        """Return these rules together with those of a folder's own `.gitignore`."""
        return self._joined(folder, _lines(Path(folder, IGNORE_FILE)))

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self._rules)

    def exclude(self, path: str, *, is_folder: bool) -> bool:
        """Whether the rules exclude a file or folder whose parent folder is not excluded."""
        for folder, patterns in self._rules:
            name = os.fsencode(path[len(folder) :].replace(os.sep, "/"))
            for expression, only_folders, negated in patterns:
                if (is_folder or not only_folders) and expression.fullmatch(name):
                    return not negated
        return False

    def _joined(self, folder: str, lines: Sequence[bytes]) -> IgnoreRules:
        patterns = [pattern for line in reversed(lines) if (pattern := _Pattern.parse(line))]
        decisions = tuple(
            _Decision(re.compile(b"|".join(b"(?:%b)" % one.expression for one in alike), re.DOTALL), *kind)
            for kind, alike in groupby(patterns, key=lambda one: (one.only_folders, one.negated))
        )
        return IgnoreRules(((folder.rstrip(os.sep) + os.sep, decisions), *self._rules)) if decisions else self


def _lines(file: Path) -> list[bytes]:
    """Return the lines of a file; none if it cannot be read."""
    try:
        text = read_bytes(file).removeprefix(_BYTE_ORDER_MARK)
    except OSError:
        return []
    return [line.removesuffix(b"\r") for line in text.split(b"\n")]
