"""What git knows of a source tree: which lines were changed, and what files were at a revision."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from clonetruth.errors import InputError, MissingExtraError

_RANGE = re.compile(r"(?P<first>[^\s:]*[^\s:./])\.{2,3}(?P<last>[^\s:./][^\s:]*)?")
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_FILE = re.compile(rb"^diff --git ", re.MULTILINE)
_NAME = re.compile(rb'^\+\+\+ (b/.*?|"b/.*")\t?$', re.MULTILINE)
"""The name of a file as it is now; there is none where it was deleted, or nothing but its mode was changed."""
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))
_WHOLE = (range(1, 2**31),)
"""The lines of a file that is new."""


@dataclass(frozen=True)
class Changes:
    """The lines that were changed.

    Attributes:
        lines: ranges of line numbers by the real path of the file. An empty range is a place where lines were deleted.
    """

    lines: dict[Path, tuple[range, ...]]

    def touch(self, path: Path, first_line: int, last_line: int) -> bool:
        """Whether a line of a range was changed, or one inside it deleted."""
        return any(one.start <= last_line and first_line < one.stop for one in self.lines.get(path, ()))


@dataclass(frozen=True)
class RevisionRange:
    """``A..B``: what was done from a revision to another one, or to the working tree where there is no other."""

    first: str
    last: str | None

    @classmethod
    def read(cls, text: str) -> RevisionRange | None:
        """The range that a text is; None where it is none, or a file has that name."""
        match = _RANGE.fullmatch(text)
        return cls(match["first"], match["last"]) if match and not Path(text).exists() else None


class Repository:
    """A working tree under git.

    Args:
        folder: a folder of it.

    Raises:
        InputError: the folder is in no repository.
        MissingExtraError: git is not installed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.top = Path(_text(self._ask("rev-parse", "--show-toplevel")).removesuffix("\n")).resolve()

    def changes_since(self, revision: str) -> Changes:
        """The lines of the working tree that were changed since it parted from a revision; untracked files are new.

        Raises:
            InputError: git does not know the revision.
        """
        patch = self._ask(
            *(
                "diff",
                "--patch",
                "--unified=0",
                "--no-renames",
                "--ignore-submodules",
                "--no-ext-diff",
                "--no-textconv",
            ),
            *("--no-color", "--src-prefix=a/", "--dst-prefix=b/", self._parted(revision)),
        )
        lines: dict[Path, tuple[range, ...]] = {}
        # No line of a file is taken for a heading: each has a sign before it.
        for part in _FILE.split(patch)[1:]:
            heading, _, _ = part.partition(b"\n@@")
            if name := _NAME.search(heading):
                lines[self.top / os.fsdecode(_unquoted(name[1]))] = tuple(_changed(part))
        untracked = self._names("ls-files", "--others", "--exclude-standard", "--full-name", ":/")
        return Changes(lines | {self.top / name: _WHOLE for name in untracked})

    def changed_files(self, asked: RevisionRange) -> list[str]:
        """The names of the files that a range changed and that are there at its end; untracked ones count as changed.

        Raises:
            InputError: git does not know a revision.
        """
        if asked.last is None:
            return [str(path.relative_to(self.top)) for path in self.changes_since(asked.first).lines if path.is_file()]
        ends = self._parted(asked.first, asked.last), self._commit(asked.last)
        return self._names("diff", "--name-only", "--no-renames", "--ignore-submodules", "--diff-filter=d", *ends)

    @contextmanager
    def files_at(self, revision: str, names: list[str]) -> Iterator[Path]:
        """A folder that holds files as they were at a revision, for as long as the block lasts.

        Raises:
            InputError: git does not know the revision, or one of the files at it.
        """
        commit = self._commit(revision)
        asked = b"".join(os.fsencode(f"{commit}:{name}\n") for name in names)
        answer = memoryview(self._ask("cat-file", "--batch", given=asked))
        with TemporaryDirectory(prefix="clonetruth-revision-") as folder:
            for name in names:
                head, _, _ = bytes(answer[:4096]).partition(b"\n")
                kind, _, size = head.rpartition(b" ")
                if not kind.endswith(b" blob"):
                    raise InputError(f"There is no such file at '{revision}'.", where=name)
                end = len(head) + 1 + int(size)
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(answer[len(head) + 1 : end])
                answer = answer[end + 1 :]
            yield Path(folder)

    def _parted(self, revision: str, from_: str = "HEAD") -> str:
        """The commit at which two lines of work parted; the revision itself where they have nothing in common."""
        commit = self._commit(revision)
        try:
            return _text(self._ask("merge-base", commit, self._commit(from_))).strip()
        except InputError:
            return commit

    def _commit(self, revision: str) -> str:
        try:
            return _text(self._ask("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")).strip()
        except InputError as error:
            raise InputError(
                f"Git does not know the revision '{revision}'.",
                where=self.top,
                hint="In a shallow clone, fetch more of the history.",
            ) from error

    def _names(self, *arguments: str) -> list[str]:
        command, *rest = arguments
        return [os.fsdecode(name) for name in self._ask(command, "-z", *rest).split(b"\0") if name]

    def _ask(self, *arguments: str, given: bytes | None = None) -> bytes:
        try:
            done = subprocess.run(["git", *arguments], cwd=self._folder, input=given, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise MissingExtraError("Git is not installed.", hint="Install it to ask for what was changed.") from error
        if done.returncode:
            lines = _text(done.stderr).strip().splitlines() or [f"exit code {done.returncode}"]
            raise InputError(f"Git says: {lines[-1]}", where=self._folder)
        return done.stdout


def _changed(patch: bytes) -> Iterator[range]:
    for match in _HUNK.finditer(patch):
        first, count = int(match[1]), int(match[2] or 1)
        yield range(first, first + count) if count else range(first + 1, first + 1)


def _unquoted(name: bytes) -> bytes:
    """A name as git writes it in a heading, odd ones in quotes, without the prefix."""
    if not name.startswith(b'"'):
        return name[2:]

    def sign(escaped: re.Match[bytes]) -> bytes:
        code = escaped[1]
        return bytes([int(code, 8) if len(code) == 3 else _ESCAPES.get(code[0], code[0])])

    return _ESCAPED.sub(sign, name[3:-1])


def _text(data: bytes) -> str:
    return os.fsdecode(data)
