"""Which files `.gitignore` leaves out, in any folder, with or without a repository or git itself.

The patterns are those of git, nested files included: the last pattern of the deepest file that says anything decides.
The user's own list (`core.excludesFile`) is not read: it would make results differ from machine to machine. A file that
git tracks although a pattern names it is left out too, since patterns are all that is known outside of a repository.
"""

from __future__ import annotations

import os
from pathlib import Path

from pathspec import GitIgnoreSpec

_FILE = ".gitignore"


class IgnoreRules:
    """The patterns that hold in a folder and below. Folders and files are given by their real paths.

    Args:
        rules: folders, ending in a slash, with their patterns; the outermost first.
    """

    def __init__(self, rules: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def around(cls, folder: str) -> IgnoreRules:
        """The patterns of the folders around one, up to the top of its repository; without one, there are none."""
        outer = Path(folder).parents
        around = [Path(folder), *outer]
        top = next((place for place in around if (place / ".git").exists()), None)
        if top is None:
            return cls()
        rules = cls()._joined(str(top), top / ".git" / "info" / "exclude")
        for place in reversed(outer):
            if place.is_relative_to(top):
                rules = rules.inside(str(place))
        return rules

    def inside(self, folder: str) -> IgnoreRules:
        """The patterns with those of a folder itself."""
        return self._joined(folder, Path(folder, _FILE))

    def leave_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is to be left out."""
        for folder, spec in reversed(self._rules):
            name = path[len(folder) :].replace(os.sep, "/")
            verdict = spec.check_file(f"{name}/" if is_folder else name).include
            if verdict is not None:
                return verdict
        return False

    def _joined(self, folder: str, file: Path) -> IgnoreRules:
        """The patterns with those of a file, which hold below a folder. A file that cannot be read says nothing."""
        try:
            lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError:
            return self
        return IgnoreRules((*self._rules, (folder.rstrip(os.sep) + os.sep, GitIgnoreSpec.from_lines(lines))))
