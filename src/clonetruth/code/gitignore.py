"""Which files `.gitignore` leaves out, in any folder, with or without a repository or git itself.

Git decides folder by folder, from the top: what is in a folder that is left out is left out with it; of anything else,
the last pattern of the deepest file that fits its own name or path decides. (Libraries that match whole paths let a
pattern for a folder speak for everything below, and so differ.) The user's own list, `core.excludesFile`, is not read:
it would make results differ from machine to machine. What git tracks although a pattern names it is left out too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_FILE = ".gitignore"
_PIECE = re.compile(
    r"(?P<deep>(?<![^/])\*\*/)|(?P<below>(?<=/)\*\*$)|(?P<any>\*+)|(?P<one>\?)"
    r"|\[(?P<not>[!^]?)(?P<set>\]?[^\]]*)\]|\\(?P<escaped>.)|(?P<plain>.)",
    re.DOTALL,
)
_MEANINGS = {"deep": "(?:.*/)?", "below": ".+", "any": "[^/]*", "one": "[^/]"}


@dataclass(frozen=True)
class _Pattern:
    """A line of a file: what it fits, whether only folders, and whether it takes back what an earlier line said."""

    fits: re.Pattern[str]
    only_folders: bool
    takes_back: bool

    @classmethod
    def read(cls, line: str) -> _Pattern | None:
        """The pattern of a line; None for a comment, a blank line, and what fits nothing."""
        text = re.sub(r"(?<!\\) +$", "", line)
        if not text or text.startswith("#"):
            return None
        takes_back = text.startswith("!")
        body = text.removeprefix("!")
        only_folders = body.endswith("/")
        body = body.removesuffix("/")
        anywhere = "" if "/" in body else "(?:.*/)?"
        # A slash in front only says where: but `/**` is everything below, while `**` is one name.
        pieces = list(_PIECE.finditer(body))[body.startswith("/") :]
        try:
            fits = re.compile(anywhere + "".join(map(_meaning, pieces)), re.DOTALL)
        except re.error:  # a range that is none
            return None
        return cls(fits, only_folders, takes_back)


def _meaning(piece: re.Match[str]) -> str:
    kind = piece.lastgroup or ""
    if kind == "set":
        # A set never fits a slash, nor does its opposite.
        return f"(?!/)[{'^' if piece['not'] else ''}{piece['set'].replace('[', chr(92) + '[')}]"
    return _MEANINGS.get(kind) or re.escape(piece[kind])


class IgnoreRules:
    """The patterns that hold in a folder and below. Folders and files are given by their real paths.

    Args:
        rules: folders, ending in a slash, with their patterns, the last one first; the innermost folder first.
    """

    def __init__(self, rules: tuple[tuple[str, tuple[_Pattern, ...]], ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def of(cls, folder: str, lines: Sequence[str]) -> IgnoreRules:
        """The patterns of some lines, which hold below a folder."""
        return cls()._joined(folder, lines)

    @classmethod
    def around(cls, folder: str) -> IgnoreRules:
        """The patterns of the folders around one, up to the top of its repository; without one, there are none."""
        outer = Path(folder).parents
        top = next((place for place in (Path(folder), *outer) if (place / ".git").exists()), None)
        if top is None:
            return cls()
        rules = cls()._joined(str(top), _lines(top / ".git" / "info" / "exclude"))
        for place in reversed(outer):
            if place.is_relative_to(top):
                rules = rules.inside(str(place))
        return rules

    def inside(self, folder: str) -> IgnoreRules:
        """The patterns with those of a folder itself."""
        return self._joined(folder, _lines(Path(folder, _FILE)))

    def leave_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is to be left out, in a folder that is not."""
        for folder, patterns in self._rules:
            name = path[len(folder) :].replace(os.sep, "/")
            for pattern in patterns:
                if (is_folder or not pattern.only_folders) and pattern.fits.fullmatch(name):
                    return not pattern.takes_back
        return False

    def _joined(self, folder: str, lines: Sequence[str]) -> IgnoreRules:
        patterns = tuple(pattern for line in reversed(lines) if (pattern := _Pattern.read(line)))
        return IgnoreRules(((folder.rstrip(os.sep) + os.sep, patterns), *self._rules)) if patterns else self


def _lines(file: Path) -> list[str]:
    """The lines of a file; one that cannot be read says nothing."""
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
