"""The files around a file that it may import: of a Python package, a JavaScript project or a Java source
folder all its files, else those of the folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from clonetruth.budgets import read_bytes
from clonetruth.code.languages import languages_of_path
from clonetruth.errors import InputError

_MOST_FILES = 2_000
_MOST_BYTES = 32_000_000
_MOST_NAMES = 50_000
_PACKAGE = "__init__.py"
PROJECT_FILE = "package.json"
"""Describes a project of JavaScript."""
_JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_INSTALLED = "node_modules"
_IN_PROJECTS = ("javascript", "typescript")
"""Languages whose files import each other from anywhere below the file that describes the project."""


@dataclass(frozen=True)
class Surroundings:
    """Where a file is imported from, and what may be imported along with it.

    Attributes:
        root: the folder from which it is imported: the one above its outermost Python package, that of
            `package.json`, else its own.
        names: the files around it, relative to that folder, the nearest first.
    """

    root: PurePosixPath
    names: tuple[str, ...]

    def relative(self, name: str) -> str:
        """The name of a file as others import it."""
        return PurePosixPath(name).relative_to(self.root).as_posix()


def surroundings(path: str, names: Iterable[str], language: str, text: str = "") -> Surroundings:
    """The files around a file of a tree, as many as may be sent into the sandbox.

    Args:
        path: the file.
        names: the files of the tree.
        language: the file's language.
        text: the file's text, which names its package in Java.

    Example:
        >>> tree = ["src/shop/__init__.py", "src/shop/cart.py", "src/other.py"]
        >>> surroundings("src/shop/cart.py", tree, "python").names
        ('shop/__init__.py',)
    """
    every = set(names)
    known = {one for one in every if any(found.name == language for found in languages_of_path(one))}
    own = PurePosixPath(path)
    root = own.parent
    while language == "python" and root.name and (root / _PACKAGE).as_posix() in known:
        root = root.parent
    projects = [one for one in own.parents if language in _IN_PROJECTS and (one / PROJECT_FILE).as_posix() in every]
    if projects:
        root = projects[0]
    packages = _packages(text, own.parent.parts) if language == "java" else ()
    root = own.parents[len(packages)] if packages else root
    package = root / own.relative_to(root).parts[0]
    if projects or packages:
        near = [one for one in known if PurePosixPath(one).is_relative_to(root)]
    elif package == own:
        near = [one for one in known if PurePosixPath(one).parent == root]
    else:
        near = [one for one in known if PurePosixPath(one).is_relative_to(package)]

    def distance(name: str) -> tuple[int, str]:
        parts = PurePosixPath(name).parent.parts
        return len(set(parts) ^ set(own.parent.parts)), name

    ordered = sorted((one for one in near if one != path), key=distance)[:_MOST_FILES]
    return Surroundings(root, tuple(PurePosixPath(one).relative_to(root).as_posix() for one in ordered))


def within_limits(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Files in this order, as long as they are not too large together."""
    found: dict[str, bytes] = {}
    size = 0
    for name, content in files:
        if size + len(content) <= _MOST_BYTES:
            found[name] = content
            size += len(content)
    return found


def files_around(path: Path, language: str) -> tuple[str, dict[str, bytes]]:
    """The name of a file as others import it, and the files around it, by such names."""
    file = path.resolve()
    text = next((content.decode(errors="replace") for _, content in read_all(file.parent, [file.name])), "")
    top = import_root(file, language, text)
    inside = file.relative_to(top).parts
    if language == "java" or (language in _IN_PROJECTS and (top / PROJECT_FILE).is_file()):
        names: Iterable[str] = islice(_walk(top, top), _MOST_NAMES)
    else:
        names = _walk(top / inside[0], top) if len(inside) > 1 else (one.name for one in _entries(top))
    around = surroundings("/".join(inside), names, language, text)
    return "/".join(inside), within_limits(read_all(top, around.names))


def _packages(text: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """The package that a text of Java names, if it is in folders of that name."""
    found = _JAVA_PACKAGE.search(text)
    names = tuple(found[1].split(".")) if found else ()
    return names if folders[-len(names) :] == names else ()


def import_root(file: Path, language: str, text: str = "") -> Path:
    """The folder from which a file and those around it are imported: above the outermost package of Python or Java,
    that of `package.json`, else its own."""
    top = file.parent
    if language == "java":
        return file.parents[len(_packages(text, top.parts))]
    while language == "python" and (top / _PACKAGE).is_file():
        top = top.parent
    for folder in file.parents if language in _IN_PROJECTS else ():
        if (folder / PROJECT_FILE).is_file():
            return folder
        if (folder / ".git").exists():
            break
    return top


def read_all(top: Path, names: Iterable[str]) -> Iterable[tuple[str, bytes]]:
    """The files of a folder that can be read; links are left out."""
    for name in names:
        try:
            if (top / name).is_file() and not (top / name).is_symlink():
                yield name, read_bytes(top / name)
        except (OSError, InputError):
            continue


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _walk(folder: Path, top: Path) -> Iterable[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != _INSTALLED)
        yield from ((Path(place) / name).relative_to(top).as_posix() for name in names)
