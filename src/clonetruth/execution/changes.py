"""The functions that changed since a git revision, as they were and as they are."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path, PurePosixPath

from clonetruth.code import Function, Language, decode, extract, language
from clonetruth.code.git import FileChange, Repository
from clonetruth.code.languages import languages_of_path
from clonetruth.code.pieces import CodePiece
from clonetruth.code.source import is_binary
from clonetruth.code.syntax import same_syntax
from clonetruth.errors import InputError
from clonetruth.execution.harness import Code
from clonetruth.execution.project_files import read_all, surroundings, within_limits

_TESTS = re.compile(
    r"(^|/)(tests?|testing|__tests__|spec)/|(^|/)(test_[^/]*|conftest\.py)$|[_.-](test|spec)\.\w+$|Tests?\.\w+$"
)
"""Paths of tests, which call functions rather than being called."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SAME = 0.7
"""Share of tokens in which a function that was renamed is the same."""
_DECLARATIONS = re.compile(r"\.(pyi|d\.[cm]?ts)$")
"""Files that declare types of functions, and have nothing that runs."""


class ChangeKind(StrEnum):
    """What happened to a function."""

    CHANGED = "changed"
    LAYOUT = "layout or comments"
    RENAMED = "name or place"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class ChangedCode:
    """A function that changed.

    Attributes:
        name: its file and qualified name, and what it was called before if that is another.
        kind: what happened.
        before: as it was; None if it was added.
        after: as it is; None if it was removed.
        before_code: what to run; None if nothing must be.
        after_code: the same.
    """

    name: str
    kind: ChangeKind
    before: CodePiece | None = None
    after: CodePiece | None = None
    before_code: Code | None = None
    after_code: Code | None = None


@dataclass(frozen=True)
class FunctionChanges:
    """All functions that changed.

    Attributes:
        functions: in the order of files and lines.
        outside: files with other changes than those of functions: constants, imports, bodies of classes.
        unread: files that could not be read, with the reason.
        tests: number of changed files that are tests, which were left out.
    """

    functions: tuple[ChangedCode, ...]
    outside: tuple[str, ...]
    unread: Mapping[str, str]
    tests: int


def changed_functions(
    revision: str, paths: Sequence[Path] = (), language_name: str | None = None, *, tests: bool = False
) -> FunctionChanges:
    """The functions of the working tree whose text changed since it branched off a revision.

    Args:
        revision: a git revision.
        paths: files and folders to look at (default: the whole repository of the working folder).
        language_name: read all files as this language (default: by file extension).
        tests: also files of tests.

    Raises:
        InputError: not a repository, an unknown revision, or a path that does not exist in either state.
        UnknownNameError: the language is unknown.
        MissingExtraError: git is not installed.
    """
    first = paths[0] if paths else Path()
    folder = next(one for one in (first, *first.absolute().parents) if one.is_dir())
    repository = Repository(folder)
    commit, changes = repository.files_since(revision)
    chosen = language(language_name) if language_name else None
    before = _Tree(repository, repository.names_at(commit), revision, commit)
    wanted = _wanted(repository, before.names, paths)
    found = _Collector(before, _Tree(repository, repository.names_now()), chosen)
    for change in sorted(changes, key=lambda one: one.after or one.before or ""):
        name = change.after or change.before or ""
        if not any(_is_inside(one, wanted) for one in change if one) or not (chosen or languages_of_path(name)):
            continue
        if _DECLARATIONS.search(name):
            continue
        if not tests and _TESTS.search(name):
            found.tests += 1
        else:
            found.add(change)
    found.follow_names()
    return FunctionChanges(tuple(found.functions), tuple(found.outside), found.unread, found.tests)


def _wanted(repository: Repository, before: Sequence[str], paths: Sequence[Path]) -> list[PurePosixPath]:
    """Paths as git names them."""
    found = []
    for path in paths:
        real = path.resolve()
        if not real.is_relative_to(repository.root):
            raise InputError("The path is not in the repository.", where=path, hint=f"Its root: {repository.root}")
        name = PurePosixPath(real.relative_to(repository.root).as_posix())
        if not path.exists() and not any(PurePosixPath(one).is_relative_to(name) for one in before):
            raise InputError("There is no such file or folder.", where=path)
        found.append(name)
    return found


def _is_inside(name: str, wanted: Sequence[PurePosixPath]) -> bool:
    return not wanted or any(PurePosixPath(name).is_relative_to(one) for one in wanted)


@dataclass(frozen=True)
class _Tree:
    """All files at one time: at a commit, or now."""

    repository: Repository
    names: Sequence[str]
    revision: str | None = None
    commit: str | None = None

    def contents(self, names: Sequence[str]) -> dict[str, bytes]:
        if self.commit is None:
            return dict(read_all(self.repository.root, names))
        return {name: bytes(content) for name, content in self.repository.contents_at(self.commit, names)}

    def title(self, name: str) -> str:
        return name if self.revision is None else f"{self.revision}:{name}"


@dataclass(frozen=True)
class _Version:
    """A file at one time."""

    tree: _Tree
    name: str
    text: str
    language: Language

    @cached_property
    def functions(self) -> list[Function]:
        return list(extract(self.text, self.language).functions)

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(one.qualified_name for one in self.functions)

    @cached_property
    def by_key(self) -> dict[tuple[object, ...], Function]:
        """Functions by name; those that share it, by the types of their parameters and their order."""
        found: dict[tuple[object, ...], Function] = {}
        for one in self.functions:
            key: tuple[object, ...] = (one.qualified_name,)
            if self.counts[one.qualified_name] > 1:
                key = (one.qualified_name, one.parameter_types)
            number = sum(other[: len(key)] == key for other in found)
            found[(*key, number) if number else key] = one
        return found

    def rest(self, others: Mapping[tuple[object, ...], Function]) -> str:
        """What is outside of functions, with a mark for each that is among others, too."""
        data, at, parts = self.text.encode("utf-8", errors="replace"), 0, []
        for key, one in self.by_key.items():
            parts += [data[at : one.start], b"pass" if key in others else b""]
            at = max(at, one.end)
        return b"".join([*parts, data[at:]]).decode(errors="replace")

    @cached_property
    def around(self) -> tuple[str, dict[str, bytes]]:
        """Its name as others import it, and the files around it."""
        found = surroundings(self.name, self.tree.names, self.language.name, self.text)
        full = {(found.root / one).as_posix(): one for one in found.names}
        contents = self.tree.contents(list(full))
        return found.relative(self.name), within_limits((full[one], contents[one]) for one in full if one in contents)

    def piece(self, one: Function) -> CodePiece:
        lines = self.text.split("\n")[one.first_line - 1 : one.last_line]
        return CodePiece(
            f"{self.tree.title(self.name)}::{one.qualified_name}",
            Path(self.name),
            self.language.name,
            "\n".join(lines),
            self.text,
            one.first_line,
            one.qualified_name,
        )

    def code(self, one: Function) -> Code:
        """The whole file, unless several of its functions have this name."""
        if self.counts[one.qualified_name] > 1:
            return Code(one.text, self.language.name)
        path, files = self.around
        return Code(self.text, self.language.name, one.qualified_name, path, files)


@dataclass
class _Collector:
    before: _Tree
    after: _Tree
    language: Language | None
    functions: list[ChangedCode] = field(default_factory=list)
    removed: dict[str, tuple[_Version, Function]] = field(default_factory=dict)
    added: dict[str, tuple[_Version, Function]] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    tests: int = 0

    def add(self, change: FileChange) -> None:
        old = self.read(self.before, change.before)
        new = self.read(self.after, change.after)
        if (old or new) is None:
            return
        name = change.after or change.before or ""
        old_functions, new_functions = (one.by_key if one else {} for one in (old, new))
        for key, function in new_functions.items():
            title = f"{name}::{function.qualified_name}"
            assert new is not None
            if key not in old_functions or old is None:
                self.functions.append(ChangedCode(title, ChangeKind.ADDED, after=new.piece(function)))
                self.added[title] = new, function
            elif old_functions[key].text != function.text:
                self.functions.append(_changed(title, old, old_functions[key], new, function))
        for key, function in old_functions.items():
            if key not in new_functions and old is not None:
                title = f"{name}::{function.qualified_name}"
                self.functions.append(ChangedCode(title, ChangeKind.REMOVED, before=old.piece(function)))
                self.removed[title] = old, function
        if old and new and not same_syntax(old.rest(new_functions), new.rest(old_functions), new.language):
            self.outside.append(name)

    def follow_names(self) -> None:
        """Let a function that was removed and one that was added be one that was renamed or moved, where nothing else
        changed, where its name is the same in another file, or where most of its text is."""
        for is_same in (_is_renamed, _is_moved, _is_rewritten):
            for title, (new, after) in list(self.added.items()):
                found = [one for one, (old, before) in self.removed.items() if is_same(old, before, new, after)]
                others = [
                    one
                    for one, new_one in self.added.items()
                    if any(is_same(*self.removed[was], *new_one) for was in found)
                ]
                if len(found) != 1 or others != [title]:
                    continue
                old, before = self.removed.pop(found[0])
                del self.added[title]
                changed = _changed(f"{title} (was {found[0]})", old, before, new, after)
                if is_same is _is_renamed:
                    changed = ChangedCode(changed.name, ChangeKind.RENAMED, changed.before, changed.after)
                at = next(
                    at for at, one in enumerate(self.functions) if one.name == title and one.kind is ChangeKind.ADDED
                )
                self.functions[at] = changed
                self.functions = [
                    one for one in self.functions if one.name != found[0] or one.kind is not ChangeKind.REMOVED
                ]

    def read(self, tree: _Tree, name: str | None) -> _Version | None:
        if name is None:
            return None
        data = tree.contents([name]).get(name) if name in tree.names or tree.commit is None else None
        if data is None:
            return None
        if is_binary(data):
            self.unread[name] = "binary file"
            return None
        found = self.language or languages_of_path(name)[0]
        return _Version(tree, name, decode(data).text, found)


def _is_renamed(old: _Version, before: Function, new: _Version, after: Function) -> bool:
    """Whether only the name, or the file, is another."""
    if old.language is not new.language or not before.name or not after.name:
        return False
    text = re.sub(rf"\b{re.escape(before.name)}\b", after.name, before.text)
    return text.split() == after.text.split()


def _is_moved(old: _Version, before: Function, new: _Version, after: Function) -> bool:
    """Whether the name is the same in another file."""
    return old.language is new.language and before.qualified_name == after.qualified_name


def _is_rewritten(old: _Version, before: Function, new: _Version, after: Function) -> bool:
    """Whether most of the text is the same, in a file of the same name."""
    if old.name != new.name or len(before.parameter_types) != len(after.parameter_types):
        return False
    first: list[str] = _TOKEN.findall(before.text)
    second: list[str] = _TOKEN.findall(after.text)
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= _SAME and matcher.ratio() >= _SAME


def _changed(title: str, old: _Version, before: Function, new: _Version, after: Function) -> ChangedCode:
    pieces = old.piece(before), new.piece(after)
    if old.language is new.language and same_syntax(before.text, after.text, new.language):
        return ChangedCode(title, ChangeKind.LAYOUT, *pieces)
    return ChangedCode(title, ChangeKind.CHANGED, *pieces, old.code(before), new.code(after))
