"""Questions to git: which lines of a working tree changed, and the files of a revision."""

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
"""The current name of a file; absent if the file was deleted, or only its mode changed."""
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))
_WHOLE = (range(1, 2**31),)
"""The lines of a new file."""


@dataclass(frozen=True)
class Changes:
    """The changed lines of a working tree.

    Attributes:
        lines: ranges of line numbers by the real path of the file. An empty range is where lines were deleted.
    """

    lines: dict[Path, tuple[range, ...]]

    def touch(self, path: Path, first_line: int, last_line: int) -> bool:
        """Whether a line of a range was changed, or deleted inside it."""
        return any(lines.start <= last_line and first_line < lines.stop for lines in self.lines.get(path, ()))


@dataclass(frozen=True)
class RevisionRange:
    """``A..B``: the changes from one revision to another, or to the working tree (``A..``)."""

    first: str
    last: str | None

    @classmethod
    def parse(cls, text: str) -> RevisionRange | None:
        """Return the range that a text denotes; None if it is not a range, or a file has that name."""
        match = _RANGE.fullmatch(text)
        return cls(match["first"], match["last"]) if match and not Path(text).exists() else None


class Repository:
    """A git working tree.

    Args:
        folder: any folder of it.

    Raises:
        InputError: the folder is not in a repository.
        MissingExtraError: git is not installed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = Path(_text(self._run("rev-parse", "--show-toplevel")).removesuffix("\n")).resolve()

    def changes_since(self, revision: str) -> Changes:
        """Return the lines of the working tree that changed since it branched off a revision; untracked files are new.

        Raises:
            InputError: git does not know the revision.
        """
        patch = self._run(
            *(
                "diff",
                "--patch",
                "--unified=0",
                "--no-renames",
                "--ignore-submodules",
                "--no-ext-diff",
                "--no-textconv",
            ),
            *("--no-color", "--src-prefix=a/", "--dst-prefix=b/", self._merge_base(revision)),
        )
        lines: dict[Path, tuple[range, ...]] = {}
        # Lines of a file are never mistaken for headings: each has a `+`, `-` or blank before it.
        for part in _FILE.split(patch)[1:]:
            heading, _, _ = part.partition(b"\n@@")
            if name := _NAME.search(heading):
                lines[self.root / os.fsdecode(_unquoted(name[1]))] = tuple(_changed(part))
        untracked = self._names("ls-files", "--others", "--exclude-standard", "--full-name", ":/")
        return Changes(lines | {self.root / name: _WHOLE for name in untracked})

    def changed_files(self, revisions: RevisionRange) -> list[str]:
        """Return the files that a range changed and that exist at its end; untracked files count as changed.

        Raises:
            InputError: git does not know a revision.
        """
        if revisions.last is None:
            changes = self.changes_since(revisions.first)
            return [str(path.relative_to(self.root)) for path in changes.lines if path.is_file()]
        ends = self._merge_base(revisions.first, revisions.last), self._commit(revisions.last)
        return self._names("diff", "--name-only", "--no-renames", "--ignore-submodules", "--diff-filter=d", *ends)

    @contextmanager
    def files_at(self, revision: str, names: list[str]) -> Iterator[Path]:
        """Yield a temporary folder with files as they were at a revision.

        Raises:
            InputError: git does not know the revision, or a file does not exist at it.
        """
        commit = self._commit(revision)
        request = b"".join(os.fsencode(f"{commit}:{name}\n") for name in names)
        answer = memoryview(self._run("cat-file", "--batch", stdin=request))
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

    def _merge_base(self, revision: str, other: str = "HEAD") -> str:
        """The merge base of two revisions; the first revision itself if they have no common history."""
        commit = self._commit(revision)
        try:
            return _text(self._run("merge-base", commit, self._commit(other))).strip()
        except InputError:
            return commit

    def _commit(self, revision: str) -> str:
        try:
            return _text(self._run("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")).strip()
        except InputError as error:
            raise InputError(
                f"Git does not know the revision '{revision}'.",
                where=self.root,
                hint="In a shallow clone, fetch more of the history.",
            ) from error

    def _names(self, *arguments: str) -> list[str]:
        command, *rest = arguments
        return [os.fsdecode(name) for name in self._run(command, "-z", *rest).split(b"\0") if name]

    def _run(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        try:
            done = subprocess.run(["git", *arguments], cwd=self._folder, input=stdin, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise MissingExtraError("Git is not installed.", hint="Install git to search for changes.") from error
        if done.returncode:
            lines = _text(done.stderr).strip().splitlines() or [f"exit code {done.returncode}"]
            raise InputError(f"Git reports: {lines[-1]}", where=self._folder)
        return done.stdout


def _changed(patch: bytes) -> Iterator[range]:
    for match in _HUNK.finditer(patch):
        first, count = int(match[1]), int(match[2] or 1)
        yield range(first, first + count) if count else range(first + 1, first + 1)


def _unquoted(name: bytes) -> bytes:
    """Decode a file name of a heading, where git quotes odd names, and remove the prefix."""
    if not name.startswith(b'"'):
        return name[2:]

    def unescape(escaped: re.Match[bytes]) -> bytes:
        code = escaped[1]
        return bytes([int(code, 8) if len(code) == 3 else _ESCAPES.get(code[0], code[0])])

    return _ESCAPED.sub(unescape, name[3:-1])


def _text(data: bytes) -> str:
    return os.fsdecode(data)
