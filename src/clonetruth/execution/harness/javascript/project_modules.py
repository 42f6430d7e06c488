"""The modules of a project that a script of JavaScript or TypeScript requires, directly or through others."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from clonetruth.execution.harness.harness import Code
from clonetruth.execution.harness.javascript.modules import as_module

_REQUIRED = re.compile(r"\brequire\s*\(\s*(['\"])(\.[^'\"\n]*)\1\s*\)")
_ENDINGS = ("", ".js", ".cjs", ".mjs", ".ts", ".jsx", ".tsx", "/index.js", "/index.cjs", "/index.mjs", "/index.ts")


@dataclass(frozen=True)
class ProjectModules:
    """What a script may require.

    Attributes:
        own: the paths of what it requires itself, by the names that it uses.
        modules: for each path the body of the module, and the same for what it requires.
    """

    own: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)


def project_modules(script: str, code: Code) -> ProjectModules:
    """The modules that a script of a file requires from the files around it."""
    if not code.files:
        return ProjectModules()
    files = {**code.files, code.path: code.text.encode("utf-8", "replace")}
    own = dict(_required(script, code.path, files))
    modules: dict[str, tuple[str, Mapping[str, str]]] = {}
    waiting = list(own.values())
    while waiting:
        path = waiting.pop()
        if path not in modules:
            body = as_module(files[path].decode("utf-8", "replace"), code.language)
            required = dict(_required(body, path, files))
            modules[path] = body, required
            waiting += required.values()
    return ProjectModules(own, modules)


def _required(script: str, path: str, files: Collection[str]) -> Iterator[tuple[str, str]]:
    for found in _REQUIRED.finditer(script):
        place = resolved(path, found[2], files)
        if place is not None:
            yield found[2], place


def resolved(path: str, name: str, files: Collection[str]) -> str | None:
    """The file that a file means by the name of a module; None if it is not there.

    Example:
        >>> resolved("lib/a.js", "../b", ["b/index.js", "lib/b.js"])
        'b/index.js'
    """
    plain = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    # TypeScript imports `./a.ts` as what it becomes: `./a.js`.
    stems = (plain, plain.removesuffix(".js")) if plain.endswith(".js") else (plain,)
    return next((stem + ending for stem in stems for ending in _ENDINGS if stem + ending in files), None)
