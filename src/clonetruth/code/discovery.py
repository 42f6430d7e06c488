"""The source files of a tree: the files that people wrote there, each once.

Nothing is dropped silently: files left out on purpose are counted by reason, and unreadable files are listed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import NamedTuple

from clonetruth.code.discovery_memo import DiscoveryMemo, FileState, HeadRemark, KnownHead
from clonetruth.code.gitignore import IGNORE_FILE, IgnoreRules
from clonetruth.code.headers import file_languages
from clonetruth.code.languages import language, missing_extra, names_of_suffix
from clonetruth.code.source import is_binary
from clonetruth.errors import InputError

# Generated files, vendored folders and build output.

HEAD_BYTES = 4096
"""Bytes of a file to search for a remark that it is generated: licence texts come first."""

_GENERATED_NAME = re.compile(
    r".*(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw)?\.(?:go|h|cc)|_pb\.[jt]s"  # protocol buffers
    r"|\.g(?:\.i)?\.cs|\.designer\.cs|[._]generated\.\w+|\.gen\.\w+|[.-]min\.js|\.bundle\.js|\.tab\.[ch])"
    r"|(?:moc|qrc)_.*\.cpp|ui_.*\.h|lex\.yy\.c",
    re.IGNORECASE | re.DOTALL,
)
_GENERATED_HINTS = (b"enerated", b"ENERATED", b"DO NOT ")
"""A quick test: every remark contains one of these."""
_GENERATED_COMMENT = re.compile(
    rb"^[ \t]*(?:#|//|/?\*+|--|<!--)[ \t]*(?:"
    rb"(?-i:Code generated|[Aa]uto(?:-|matically )?[Gg]enerated|Generated|GENERATED) "
    rb"(?:automatically )?(?:by|from|with)\b|"
    rb".*?(?:@generated\b|<auto-?generated|\b(?-i:DO NOT EDIT|DO NOT MODIFY)\b|"
    rb"\bthis (?:file|class|code|source) (?:was|is|has been) (?:auto-?|automatically )?generated\b))",
    re.IGNORECASE | re.MULTILINE,
)
_GENERATED_ANNOTATION = re.compile(rb"^[ \t]*@(?:\w+\.)*Generated\b", re.MULTILINE)
_MINIFIED_LANGUAGES = ("javascript", "typescript", "tsx")
_MINIFIED_LINE = 500
"""Average bytes per line from which a file counts as minified."""

_VENDORED = frozenset(
    (
        *("node_modules", "bower_components", "jspm_packages", "vendor", "vendors", "Pods", "Carthage"),
        *("third_party", "third-party", "thirdparty", "3rdparty", "site-packages", "dist-packages", "__pypackages__"),
        *(".venv", "venv", ".tox", ".nox", ".eggs"),
        ".pc",  # the originals of patched files, kept by quilt
    )
)
_BUILT = frozenset(("build", "dist", "target", "out", "obj"))
PROJECT_FILES = (
    *("pyproject.toml", "setup.py", "package.json", "pom.xml", "build.gradle", "build.gradle.kts", "build.xml"),
    *("CMakeLists.txt", "Makefile", "go.mod", "Cargo.toml", "*.csproj", "*.sln"),
)
"""Files beside which a folder with a doubtful name is build output."""
REPOSITORIES = frozenset((".git", ".hg", ".svn", ".bzr", "CVS"))
"""Folders of version control systems, which are not searched."""


def is_generated(name: str, head: bytes, language: str) -> bool:
    """Whether a file is generated: by its name, a remark in a comment near the top, or very long lines.

    Args:
        name: the file's name without folders.
        head: its first `HEAD_BYTES` bytes.
        language: the name of its language.
    """
    if _GENERATED_NAME.fullmatch(name):
        return True
    # Not a loop: this runs for every file of a tree.
    first, second, third = _GENERATED_HINTS
    if (first in head or second in head or third in head) and (
        _GENERATED_COMMENT.search(head) or (language == "java" and _GENERATED_ANNOTATION.search(head))
    ):
        return True
    if language not in _MINIFIED_LANGUAGES or len(head) < HEAD_BYTES:
        return False
    return len(head) // (head.count(b"\n") + 1) >= _MINIFIED_LINE


def is_vendored(folder: str) -> bool:
    """Whether a folder holds other people's code or build output.

    Decided by its name; ambiguous names (`build`, `out`) count only if there is a project file next to the folder.
    """
    name = folder.rpartition(os.sep)[2]
    # Without a `Path`: this runs for every folder of a tree.
    if name in _VENDORED or os.path.isfile(f"{folder}{os.sep}pyvenv.cfg"):  # noqa: PTH113
        return True
    return name in _BUILT and any(
        next(Path(folder).parent.glob(pattern), None) is not None for pattern in PROJECT_FILES
    )


GITIGNORED = "files and folders that .gitignore names"
EXCLUDED = "files and folders that were excluded"
VENDORED = "vendored folders"
GENERATED = "generated files"
MARKED = "files marked 'clonetruth: ignore-file'"
REPEATED = "other names of the same file"
LINKED = "links to folders"
OTHER_LANGUAGE = "files in other languages"
OUTSIDE = "links that lead out of the folder"
NOT_INSTALLED = "files in languages that need the extra '{extra}' (pip install 'clonetruth[{extra}]')"

_MARK = b"clonetruth:"
_IGNORE_FILE = re.compile(rb"(?:#|//|/\*|\*)[ \t]*clonetruth:[ \t]*ignore-file\b")


@dataclass(frozen=True)
class DiscoveryOptions:
    """Which files to discover.

    Attributes:
        languages: only files that may be in these languages, and read as these (default: all). A file given by name
            is read in the language even if its name says otherwise, if there is only one.
        exclude: patterns of files and folders to leave out, as in a `.gitignore` in each given folder.
        gitignore: leave out what `.gitignore` excludes.
        generated: include generated files.
        vendored: include vendored folders and build output.
        language_map: extensions, with the dot, and the language to read such files in, whatever they are.
        within: a real path; links in folders that lead out of it are left out unopened (default: they are read).
    """

    languages: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = True
    generated: bool = False
    vendored: bool = False
    language_map: tuple[tuple[str, str], ...] = ()
    within: Path | None = None


class DiscoveredFile(NamedTuple):
    """A discovered file.

    Attributes:
        path: where to read it.
        name: its name in results, with `/`: relative to the working folder if it is below it. Invalid UTF-8 and
            unprintable characters are escaped (``\\xe9``), so the name can be printed and stored anywhere.
        language: the name of its language.
        state: its state before it was opened; None if that does not identify its contents.
    """

    path: Path
    name: str
    language: str
    state: FileState | None = None


class _Found(NamedTuple):
    """A file, the path by which it was opened, the languages that its name may stand for, and its state."""

    path: Path
    opened: str
    name: str
    languages: tuple[str, ...]
    state: FileState | None


@dataclass
class Discovery:
    """The discovered files, and those left out.

    Attributes:
        files: in the order of the given paths, sorted within each folder.
        skipped: name and reason of each file or folder that could not be read.
        left_out: the names of files and folders left out on purpose, by reason.
    """

    files: list[DiscoveredFile] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)


def discover(
    paths: Sequence[str | os.PathLike[str]],
    options: DiscoveryOptions | None = None,
    memo: DiscoveryMemo | None = None,
) -> Discovery:
    """Discover the source files at and below some paths.

    In folders, a file counts if its extension belongs to a language and people wrote it there. A file given by name
    always counts, unless it cannot be read, is marked to be ignored, or is in a language that was not asked for. A file
    with several names (given twice, or linked) counts once; links to folders are not followed. If an extension may
    stand for several languages (`.h`), the files around it decide (`headers`).

    Args:
        paths: files and folders.
        options: which files to discover.
        memo: what an earlier walk learned; the result is the same with and without it.

    Raises:
        InputError: a path does not exist.
        UnknownNameError: a language is unknown.
    """
    return _Walk(options or DiscoveryOptions(), memo).through([Path(path) for path in paths])


def shown_name(path: PurePath) -> str:
    """Return the name of a path in results; see `DiscoveredFile`."""
    here = Path.cwd()
    below = path.is_relative_to(here) and ".." not in path.parts
    return printable((path.relative_to(here) if below else path).as_posix())


def printable(name: str) -> str:
    """Return a name or path with escapes for what cannot be printed; see `DiscoveredFile`."""
    if name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", errors="backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _slashed(path: str) -> str:
    return path if path.endswith(os.sep) else path + os.sep


class _Folder(NamedTuple):
    """A folder of the walk: the path to open it, its real path, and its name in results, all ending in a slash."""

    path: str
    real: str
    name: str

    def inner(self, name: str) -> _Folder:
        return _Folder(
            f"{self.path}{name}{os.sep}",
            f"{self.real}{name}{os.sep}",
            f"{self.name}{printable(name)}/",
        )


class _Walk:
    """One walk through some paths."""

    def __init__(self, options: DiscoveryOptions, memo: DiscoveryMemo | None) -> None:
        self._options = options
        self._memo = memo
        self._languages = {language(name).name for name in options.languages}
        self._mapped = {extension: (language(name).name,) for extension, name in options.language_map}
        self._excluded = IgnoreRules()
        self._wanted_of: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._seen: set[tuple[int, int]] = set()
        self._found: list[_Found] = []
        self._discovery = Discovery()

    def through(self, paths: Sequence[Path]) -> Discovery:
        for path in paths:
            name = shown_name(path)
            if path.is_dir():
                real = str(path.resolve())
                rules = IgnoreRules.around(real) if self._options.gitignore else IgnoreRules()
                self._excluded = IgnoreRules.from_lines(real, self._options.exclude)
                self._walk(_Folder(_slashed(str(path)), _slashed(real), "" if name == "." else f"{name}/"), rules)
            elif path.exists():
                self._given(path, name)
            else:
                raise InputError("There is no such file or folder.", where=name)
        languages = self._final_languages()
        self._discovery.files = [
            DiscoveredFile(file.path, file.name, own, file.state)
            for file, own in zip(self._found, languages, strict=True)
        ]
        return self._discovery

    def _final_languages(self) -> list[str]:
        """The language of each file. One that depends on other files is looked for only if one of those changed."""
        memo = self._memo
        languages = self._remembered_languages()
        if languages is None:
            languages = file_languages([(file.path, file.languages) for file in self._found])
        for file, own in zip(self._found, languages, strict=True):
            if memo is not None and file.state is not None:
                state, names, given, remark, _ = memo.seen[file.opened]
                memo.seen[file.opened] = KnownHead(state, names, given, remark, own)
        return languages

    def _remembered_languages(self) -> list[str] | None:
        family = {name for file in self._found if len(file.languages) > 1 for name in file.languages}
        if self._memo is None or not family:
            return None
        now = {file.opened: file for file in self._found if not family.isdisjoint(file.languages)}
        before = {
            path: head
            for path, head in self._memo.known.items()
            if head.language and not family.isdisjoint(head.languages)
        }
        if now.keys() != before.keys() or any(
            (file.state, file.languages) != (before[path].state, before[path].languages) for path, file in now.items()
        ):
            return None
        return [head.language if (head := before.get(file.opened)) else file.languages[0] for file in self._found]

    def _walk(self, top: _Folder, rules: IgnoreRules) -> None:
        """Walk a folder and the folders below it."""
        pending = [(top, rules)]
        while pending:
            folder, around = pending.pop()
            try:
                with os.scandir(folder.path) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self._skip(folder.name, f"Cannot read the folder: {error.strerror or error}.")
                continue
            own_rules = self._options.gitignore and any(entry.name == IGNORE_FILE for entry in entries)
            inside = around.inside(folder.real) if own_rules else around
            inner = [folder.inner(entry.name) for entry in entries if self._entry(entry, folder, inside)]
            pending += [(subfolder, inside) for subfolder in reversed(inner)]

    def _entry(self, entry: os.DirEntry[str], folder: _Folder, rules: IgnoreRules) -> bool:
        """Take or leave out an entry of a folder; return whether it is a folder to walk later."""
        is_folder = entry.is_dir(follow_symlinks=False)
        languages = () if is_folder else self._languages_of(_suffix(entry.name))
        if is_folder and entry.name in REPOSITORIES:
            return False
        name = folder.name + printable(entry.name)
        if not is_folder and entry.is_symlink() and os.path.isdir(entry.path):  # noqa: PTH112 - never raises, as loops do
            self._leave_out(LINKED, name)
        elif languages and self._leads_out(entry):
            self._leave_out(OUTSIDE, name)
        elif is_folder or languages:
            if self._excluded and self._excluded.exclude(folder.real + entry.name, is_folder=is_folder):
                self._leave_out(EXCLUDED, name)
            elif rules and rules.exclude(folder.real + entry.name, is_folder=is_folder):
                self._leave_out(GITIGNORED, name)
            elif is_folder and not self._options.vendored and is_vendored(entry.path):
                self._leave_out(VENDORED, name)
            elif is_folder:
                return True
            elif missing := missing_extra(languages):
                self._leave_out(NOT_INSTALLED.format(extra=missing), name)
            elif wanted := self._wanted(languages):
                self._file(entry.path, name, wanted, entry.stat, given=False)
            else:
                self._leave_out(OTHER_LANGUAGE, name)
        return False

    def _leads_out(self, entry: os.DirEntry[str]) -> bool:
        within = self._options.within
        # Not `Path.resolve`, which raises an exception for a loop of links.
        return (
            within is not None and entry.is_symlink() and not Path(os.path.realpath(entry.path)).is_relative_to(within)
        )

    def _wanted(self, languages: tuple[str, ...]) -> tuple[str, ...]:
        wanted = self._wanted_of.get(languages)
        if wanted is None:
            wanted = tuple(name for name in languages if not self._languages or name in self._languages)
            self._wanted_of[languages] = wanted
        return wanted

    def _languages_of(self, suffix: str) -> tuple[str, ...]:
        return self._mapped.get(suffix) or self._mapped.get(suffix.lower()) or names_of_suffix(suffix)

    def _given(self, path: Path, name: str) -> None:
        """Take or leave out a file given by name."""
        languages = self._languages_of(path.suffix)
        if missing := missing_extra(languages):
            if len(self._languages) != 1:
                self._leave_out(NOT_INSTALLED.format(extra=missing), name)
                return
            languages = ()
        wanted = tuple(self._languages) if len(self._languages) == 1 else self._wanted(languages)
        if wanted:
            self._file(str(path), name, wanted, path.stat, given=True)
        elif languages:
            self._leave_out(OTHER_LANGUAGE, name)
        else:
            self._skip(name, "No language is known for this file name.")

    def _file(
        self, path: str, name: str, languages: tuple[str, ...], stat: Callable[[], os.stat_result], *, given: bool
    ) -> None:
        """Take a file, or record why not."""
        try:
            identity, state, remark = self._looked_at(path, languages, stat, given=given)
        except OSError as error:
            self._skip(name, f"Cannot read the file: {error.strerror or error}.")
            return
        if remark is None:
            self._skip(name, "Not a regular file.")
        elif remark is HeadRemark.BINARY:
            self._skip(name, "This is a binary file, not source text.")
        elif identity in self._seen:
            self._leave_out(REPEATED, name)
        elif remark is HeadRemark.MARKED:
            self._leave_out(MARKED, name)
        elif remark is HeadRemark.GENERATED:
            self._leave_out(GENERATED, name)
        else:
            self._seen.add(identity)
            self._found.append(_Found(Path(path), path, name, languages, state))

    def _looked_at(
        self, path: str, languages: tuple[str, ...], stat: Callable[[], os.stat_result], *, given: bool
    ) -> tuple[tuple[int, int], FileState | None, HeadRemark | None]:
        """The identity and the state of a file, and what its first bytes say; None if it is not a regular file."""
        memo = self._memo
        known = memo.known.get(path) if memo is not None else None
        if memo is not None and known is not None:
            status = stat()
            if known[:3] == (FileState.of(status), languages, given):
                memo.seen[path] = known._replace(language="")
                return (status.st_dev, status.st_ino), known.state, known.remark
        # Opening a pipe that nobody writes to must not block.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            status = os.fstat(descriptor)
            if not S_ISREG(status.st_mode):
                return (status.st_dev, status.st_ino), None, None
            state, head = FileState.of(status), os.read(descriptor, HEAD_BYTES)
        finally:
            os.close(descriptor)
        remark = HeadRemark.SOURCE
        if is_binary(head):
            remark = HeadRemark.BINARY
        elif _MARK in head and _IGNORE_FILE.search(head):
            remark = HeadRemark.MARKED
        elif not given and not self._options.generated and is_generated(path.rpartition(os.sep)[2], head, languages[0]):
            remark = HeadRemark.GENERATED
        if memo is not None and state is not None:
            memo.seen[path] = KnownHead(state, languages, given, remark)
        return (status.st_dev, status.st_ino), state, remark

    def _skip(self, name: str, reason: str) -> None:
        self._discovery.skipped.append((name, reason))

    def _leave_out(self, reason: str, name: str) -> None:
        self._discovery.left_out.setdefault(reason, []).append(name)


def _suffix(name: str) -> str:
    """The extension of a file name: `PurePath.suffix`, but faster."""
    dot = name.rfind(".")
    return name[dot:] if 0 < dot < len(name) - 1 else ""
