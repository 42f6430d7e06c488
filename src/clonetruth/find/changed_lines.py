"""What is new since a revision of git."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.git import Changes, Repository
from clonetruth.find.grouping import Occurrence


@dataclass(frozen=True)
class ChangedLines:
    """The lines that were changed since a revision. A member is new if one of its lines is among them.

    Attributes:
        words: what is new, in words.
        changes: the changed lines.
        files: where the files are, by their names.
    """

    words: str
    changes: Changes
    files: Mapping[str, Path]

    @classmethod
    def of(cls, revision: str, files: Mapping[str, Path], folder: Path) -> ChangedLines:
        """What git says.

        Args:
            revision: a revision; what counts is the commit at which the work of today parted from it.
            files: where the files are, by their names.
            folder: a folder of the working tree.

        Raises:
            InputError: the folder is in no repository, or git does not know the revision.
            MissingExtraError: git is not installed.
        """
        return cls(f"changed since {revision}", Repository(folder).changes_since(revision), files)

    def new(self, pieces: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> tuple[bool, ...]:
        """See `News.new`."""
        return tuple(
            self.changes.touch(self.files[piece.path].resolve(), piece.first_line, piece.last_line) for piece in pieces
        )
