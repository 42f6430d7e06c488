"""Questions to git: which lines of a working tree changed, and the files of a revision.

This is the only module that starts git. A repository may be a stranger's, and its configuration and attributes can name
programs for git to run: hooks, file system monitors, filters, drivers of diffs, ways to reach remotes. Only commands
that print and change nothing are used, with all of these off.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from clonetruth.errors import InputError, MissingExtraError

_RANGE = re.compile(r"(?P<first>[^\s:]*[^\s:./])\.{2,3}(?P<last>[^\s:./][^\s:]*)?")
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_FILE = re.compile(rb"^diff --git ", re.MULTILINE)
_NAME = re.compile(rb'^\+\+\+ (b/.*?|"b/.*")\t?$', re.MULTILINE)
"""The current name of a file; absent if the file was deleted, or only its mode changed."""
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))
EVERY_LINE = (range(1, 2**31),)
"""The lines of a new file."""
_LINK = "160000"
"""The mode of a submodule."""
_BLAMED = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
"""What precedes each line of a blame: the commit, and the numbers of the line then and now."""
_SECONDS = re.compile(rb"-?\d{1,18}")
_AT_ONCE = 2_000
"""Files that are read at a time, which bounds memory."""
_REGULAR = "100"
"""What the mode of a file begins with, rather than of a symbolic link or a submodule."""

_PATCH = (
    *("diff-index", "--patch", "--unified=0", "--no-renames", "--ignore-submodules=all", "--no-ext-diff"),
    # A file that the repository calls binary, or that has a NUL somewhere, has lines, too.
    *("--text", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"),
)
_STATUS = ("diff-index", "--name-status", "--find-renames", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv")
_BLAME = ("blame", "--porcelain", "--no-textconv", "--encoding=UTF-8")
_CONFIGURATION = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "submodule.recurse": "false",
    # A folder of a source tree that looks like a bare repository would bring its own configuration.
    "safe.bareRepository": "explicit",
}
_FILTER = re.compile(rb"filter\..*\.(clean|smudge|process|required)", re.DOTALL)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",  # do not rewrite the index
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # no remote is reached, by whatever program
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",  # messages begin with "fatal:"
}
_KEPT_VARIABLES = {
    *("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
}
"""Variables that say where a user's configuration is. Others name repositories and programs; a hook has them set."""
_IMPOSSIBLE_NAMES = {errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL}
"""Errors that only the name of a file can cause."""


@dataclass(frozen=True)
class Changes:
    """The changed lines of a working tree.

    Attributes:
        lines: ranges of line numbers by the real path of the file. An empty range is where lines were deleted. As
            git sees it, only `\\n` ends a line.
        folders: the real paths of folders that are new with everything below them: repositories inside of this one.
    """

    lines: dict[Path, tuple[range, ...]]
    folders: frozenset[Path] = frozenset()

    def touch(self, path: Path, first_line: int, last_line: int) -> bool:
        """Whether a line of a range was changed, or deleted inside it."""
        return any(lines.start <= last_line and first_line < lines.stop for lines in self.ranges(path))

    def ranges(self, path: Path) -> tuple[range, ...]:
        """The changed lines of a file; every line if it is in a new folder."""
        if self.folders and not self.folders.isdisjoint(path.parents):
            return EVERY_LINE
        return self.lines.get(path, ())


class FileChange(NamedTuple):
    """A file before and after a change, by its names relative to the repository; None where it does not exist."""

    before: str | None
    after: str | None


@dataclass(frozen=True)
class BlamedLine:
    """A line of a file of the working tree, and the last commit that changed it.

    Attributes:
        line: its number, from 1.
        commit: the commit; None if the line is not committed.
        author: the name of its author.
        seconds: when it was authored, in seconds since 1970; None if that is not a number.
    """

    line: int
    commit: str | None
    author: str
    seconds: int | None


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
        InputError: the folder is not in a repository, or the repository's configuration names another folder.
        MissingExtraError: git is not installed, or older than 2.31.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = _environment(_CONFIGURATION)
        self._environment = _environment({**_CONFIGURATION, **self._filters()})
        self.root = Path(_text(self._run("rev-parse", "--show-toplevel")).removesuffix("\n")).resolve()
        around = [folder.resolve(), *folder.resolve().parents]
        if self.root != next((one for one in around if (one / ".git").exists()), None):
            raise InputError("The configuration of the repository names another working tree.", where=folder)

    def changes_since(self, revision: str) -> Changes:
        """Return the lines of the working tree that changed since it branched off a revision; untracked files are new.

        In a submodule, what changed since the commit that the revision names counts; all of it if that is unknown. So
        does all of a repository inside of this one that is not committed. Without any commit, everything is new.

        Raises:
            InputError: git does not know the revision.
        """
        base = self._base(revision)
        patch = self._run(*_PATCH, base)
        lines: dict[Path, tuple[range, ...]] = {}
        # Lines of a file are never mistaken for headings: each has a `+`, `-` or blank before it.
        for part in _FILE.split(patch)[1:]:
            heading, _, _ = part.partition(b"\n@@")
            if found := _NAME.search(heading):
                lines[self.root / os.fsdecode(_unquoted(found[1]))] = tuple(_changed(part))
        folders: set[Path] = set()
        for name in self._names("ls-files", "--others", "--exclude-standard", "--full-name", ":/"):
            if name.endswith("/"):
                folders.add(self.root / name)
            else:
                lines[self.root / name] = EVERY_LINE
        for name, commit in self._submodules(base):
            try:
                inner = Repository(self.root / name).changes_since(commit) if commit else None
            except InputError:
                inner = None
            if inner is None:
                folders.add(self.root / name)
            else:
                lines |= inner.lines
                folders |= inner.folders
        return Changes(lines, frozenset(folders))

    def _submodules(self, base: str) -> list[tuple[str, str | None]]:
        """The submodules with files, each with its commit in a tree; None if it has none, or is only a folder there."""
        staged = (row.partition("\t") for row in self._names("ls-files", "--stage", "--full-name", ":/"))
        names = {name for head, _, name in staged if head.startswith(_LINK)}
        present = sorted(name for name in names if (self.root / name).is_dir() and any((self.root / name).iterdir()))
        if not present:
            return []
        before = self._blobs(base)
        return [
            (name, commit if mode == _LINK and (self.root / name / ".git").exists() else None)
            for name in present
            for mode, commit in (before.get(name, ("", "")),)
        ]

    def _base(self, revision: str) -> str:
        """Where the working tree branched off a revision; the empty tree before the first commit of a repository."""
        if revision == "HEAD":
            try:
                self._run("rev-parse", "--verify", "--quiet", "HEAD")
            except InputError:
                return _text(self._run("hash-object", "-t", "tree", "--stdin")).strip()
        return self._merge_base(revision)

    def tracked_and_ignored(self) -> list[Path]:
        """Return the files that git tracks although a `.gitignore` names them."""
        listed = self._names("ls-files", "--cached", "--ignored", "--exclude-standard", "--full-name", ":/")
        return [self.root / name for name in listed]

    def changed_files(self, revisions: RevisionRange) -> list[str]:
        """Return the files that a range changed and that exist at its end; untracked files count as changed.

        Raises:
            InputError: git does not know a revision.
        """
        if revisions.last is None:
            changes = self.changes_since(revisions.first)
            return [str(path.relative_to(self.root)) for path in changes.lines if path.is_file()]
        ends = self._merge_base(revisions.first, revisions.last), self._commit(revisions.last)
        options = ("--name-only", "--no-renames", "--ignore-submodules=all", "--diff-filter=d")
        return self._names("diff-tree", "-r", *options, *ends)

    def files_since(self, revision: str) -> tuple[str, list[FileChange]]:
        """Return the commit where the working tree branched off a revision, and the files that changed since then.

        Renamed files keep their identity; untracked files are new. Without any commit, everything is new since `HEAD`.

        Raises:
            InputError: git does not know the revision.
        """
        commit = self._base(revision)
        fields = iter(self._names(*_STATUS, commit))
        changes: list[FileChange] = []
        for status in fields:
            name = next(fields)
            if status.startswith(("R", "C")):
                changes.append(FileChange(name if status.startswith("R") else None, next(fields)))
            else:
                changes.append(FileChange(None if status == "A" else name, None if status == "D" else name))
        untracked = self._names("ls-files", "--others", "--exclude-standard", "--full-name", ":/")
        return commit, [*changes, *(FileChange(None, name) for name in untracked)]

    def first_parents(self) -> list[tuple[str, int]]:
        """Return the commits of the current branch, newest first, each with its time in seconds since 1970.

        Of a merge, only the first parent counts: the branch that was merged into.

        Raises:
            InputError: there is no commit.
        """
        rows = _text(self._run("rev-list", "--first-parent", "--timestamp", self._commit("HEAD"))).split("\n")
        return [(commit, int(seconds)) for seconds, _, commit in (row.partition(" ") for row in rows) if commit]

    def tags(self) -> list[tuple[str, str, int]]:
        """Return the tags of commits that the current commit contains: name, commit and its time, oldest first."""
        rows = self._run(
            *("for-each-ref", "--merged", self._commit("HEAD"), "refs/tags"),
            "--format=%(objectname) %(*objectname) %(committerdate:unix)%(*committerdate:unix) %(refname:strip=2)",
        )
        found: list[tuple[str, str, int]] = []
        for row in _text(rows).splitlines():
            own, inner, seconds, name = row.split(" ", 3)
            found.append((name, inner or own, int(seconds)))
        return sorted(found, key=lambda tag: tag[2])

    def time_of(self, revision: str) -> int:
        """Return the time of a revision, in seconds since 1970.

        Raises:
            InputError: git does not know the revision.
        """
        commit = self._commit(revision)
        return int(_text(self._run("rev-list", "--no-walk", "--timestamp", commit)).split(" ", 1)[0])

    def tree_at(self, commit: str, folder: str = "") -> str | None:
        """Return the id of the tree of a folder at a commit, which says everything about its files.

        Args:
            commit: a commit.
            folder: the folder, relative to the repository (default: all of it).

        Returns:
            The id; None if there is no such folder.
        """
        try:
            tree = self._run("rev-parse", "--verify", "--end-of-options", f"{commit}:{folder}")
            kind = self._run("cat-file", "-t", _text(tree).strip())
        except InputError:
            return None
        return _text(tree).strip() if kind.strip() == b"tree" else None

    @property
    def shallow(self) -> bool:
        """Whether a part of the history is missing."""
        return self._run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def names_at(self, commit: str) -> list[str]:
        """Return the names of the files of a commit, without symbolic links."""
        return [name for name, (mode, _) in self._blobs(commit).items() if mode.startswith(_REGULAR)]

    def names_now(self) -> list[str]:
        """Return the names of the files of the working tree that git knows or would add."""
        listed = self._names("ls-files", "--cached", "--others", "--exclude-standard", "--full-name", ":/")
        return list(dict.fromkeys(listed))

    def blame(self, name: str, spans: Sequence[tuple[int, int]], *, seconds: float = 60) -> list[BlamedLine]:
        """Return the last change of some lines of a file of the working tree.

        Args:
            name: the file, relative to the repository.
            spans: first and last lines, 1-based and inclusive.
            seconds: the maximum time.

        Raises:
            InputError: git does not know the file, it has no such lines, or the time is over.
        """
        ranges = [word for first, last in spans for word in ("-L", f"{first},{last}")]
        answer = self._run(*_BLAME, *ranges, "--", name, folder=self.root, seconds=seconds)
        authors: dict[bytes, tuple[str, int | None]] = {}
        lines: dict[int, BlamedLine] = {}
        commit, number, facts = b"", 0, dict[bytes, bytes]()
        # The line itself has a tab before it, so that it is never mistaken for a fact.
        for row in answer.split(b"\n"):
            if row.startswith(b"\t"):
                if commit not in authors:
                    when = facts.get(b"author-time", b"")
                    author = facts.get(b"author", b"").decode("utf-8", errors="replace")
                    authors[commit] = author, int(when) if _SECONDS.fullmatch(when) else None
                known = None if not commit.strip(b"0") else commit.decode("ascii", errors="replace")
                lines[number] = BlamedLine(number, known, *authors[commit])
                facts = {}
            elif heading := _BLAMED.match(row):
                commit, number = heading[1], int(heading[2])
            else:
                key, _, value = row.partition(b" ")
                facts[key] = value
        return [lines[number] for number in sorted(lines)]

    @contextmanager
    def files_at(self, revision: str, names: list[str]) -> Iterator[Path]:
        """Yield a temporary folder with files as they were at a revision; symbolic links are left out.

        Raises:
            InputError: git does not know the revision, a file does not exist at it, or its name cannot be used.
        """
        with TemporaryDirectory(prefix="clonetruth-revision-") as folder:
            for start in range(0, len(names), _AT_ONCE):
                for name, content in self.contents_at(revision, names[start : start + _AT_ONCE]):
                    _write(Path(folder), name, content)
            yield Path(folder)

    def contents_at(self, revision: str, names: Sequence[str]) -> Iterator[tuple[str, memoryview]]:
        """Yield files as they were at a revision; symbolic links are left out.

        Raises:
            InputError: git does not know the revision, or a file does not exist at it.
        """
        blobs = self._blobs(self._commit(revision))
        if missing := next((name for name in names if name not in blobs), None):
            raise InputError(f"There is no such file at '{revision}'.", where=missing)
        wanted = [name for name in names if blobs[name][0].startswith(_REGULAR)]
        request = "".join(f"{blobs[name][1]}\n" for name in wanted).encode()
        answer = memoryview(self._run("cat-file", "--batch", stdin=request))
        for name in wanted:
            head, _, _ = bytes(answer[:4096]).partition(b"\n")
            kind, _, size = head.rpartition(b" ")
            if not kind.endswith(b" blob"):
                raise InputError(f"The file is missing in the repository at '{revision}'.", where=name)
            end = len(head) + 1 + int(size)
            yield name, answer[len(head) + 1 : end]
            answer = answer[end + 1 :]

    def _blobs(self, commit: str) -> dict[str, tuple[str, str]]:
        """The mode and the object of every file of a commit. Objects have no odd names, unlike files."""
        rows = (row.partition("\t") for row in self._names("ls-tree", "-r", "--full-tree", commit))
        return {name: (head.split()[0], head.split()[2]) for head, _, name in rows}

    def _filters(self) -> dict[str, str]:
        """Settings that switch off all configured filters, of which only the names can be anything.

        Raises:
            MissingExtraError: git ignores these settings.
        """
        found = dict.fromkeys(row.partition(b"\n")[::2] for row in self._run("config", "-z", "--list").split(b"\0"))
        if (b"core.hookspath", os.fsencode(os.devnull)) not in found:
            raise MissingExtraError("Git is too old to be used safely.", hint="Install git 2.31 or newer.")
        names = [_text(key) for key, _ in found if _FILTER.fullmatch(key)]
        return {name: "false" if name.endswith(".required") else "" for name in names}

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

    def _run(
        self, *arguments: str, stdin: bytes | None = None, folder: Path | None = None, seconds: float | None = None
    ) -> bytes:
        try:
            done = subprocess.run(
                ["git", "--no-pager", *arguments],
                cwd=folder or self._folder,
                timeout=seconds,
                env=self._environment,
                input=stdin or b"",
                capture_output=True,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise InputError(f"Git did not answer within {seconds:g} seconds.", where=self._folder) from error
        except FileNotFoundError as error:
            raise MissingExtraError("Git is not installed.", hint="Install git to search for changes.") from error
        except OSError as error:
            raise InputError(f"Git cannot be run: {error.strerror}.", where=self._folder) from error
        if done.returncode:
            lines = _text(done.stderr).strip().splitlines() or [f"exit code {done.returncode}"]
            told = next((line for line in lines if line.startswith("fatal:")), lines[-1])
            raise InputError(f"Git reports: {told}", where=self._folder)
        return done.stdout


def _environment(configuration: Mapping[str, str]) -> dict[str, str]:
    """The environment of git, with a configuration that comes before that of the repository and of the user."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    pairs = [*_inherited_configuration(), *configuration.items()]
    counted = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        counted |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {**inherited, **_ENVIRONMENT, **counted}


def _inherited_configuration() -> Iterator[tuple[str, str]]:
    """What the user configures by environment variables, for example `safe.directory` in a container."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    for number in range(int(count) if count.isdecimal() else 0):
        key, value = (os.environ.get(f"GIT_CONFIG_{part}_{number}") for part in ("KEY", "VALUE"))
        if key is None or value is None:
            break
        yield key, value


def _write(folder: Path, name: str, content: memoryview) -> None:
    """Write a file of a commit. Git does not check the names in commits that others made.

    Raises:
        InputError: the name leads out of the folder, or no file can have it.
    """
    path = folder / name
    if not path.is_relative_to(folder) or ".." in path.relative_to(folder).parts:
        raise InputError("The commit has a file whose name leads out of its folder.", where=name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        if error.errno not in _IMPOSSIBLE_NAMES:
            raise
        raise InputError(f"The file cannot be written: {error.strerror}.", where=name) from error


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
