"""Runs inside the sandbox: the files of a project around a fragment, which stay here from one job to the next.

The host sends each file once. What a fragment may import is compiled here, once for all of its processes; nothing of it
is executed here.
"""

from __future__ import annotations

import ast
import base64
import importlib
import importlib.machinery
import itertools
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from clonetruth.execution.harness.inside.python_walk import walk

_PACKAGE = "/__init__.py"


class Project:
    """The files around a fragment.

    Attributes:
        files: by path, which of the store's contents each has.
        store: what the files contain.
    """

    def __init__(self, files: Mapping[str, str], store: FileStore) -> None:
        self.files, self.store = files, store

    def with_file(self, path: str, content: bytes) -> Project:
        """The same with one more file."""
        return Project({**self.files, path: self.store.put(content)}, self.store)

    def path_of(self, module: str) -> str | None:
        """The file of a module by its full name."""
        plain = module.replace(".", "/")
        return next((one for one in (plain + _PACKAGE, plain + ".py") if one in self.files), None)

    def content(self, path: str) -> bytes:
        return self.store.contents[self.files[path]]

    def source(self, path: str) -> str:
        return self.content(path).decode("utf-8", "replace")

    def code(self, path: str) -> types.CodeType:
        """A file, as it was compiled before or compiled now.

        Raises:
            SyntaxError, ValueError: it does not compile.
        """
        made = self.store.compiled.get((path, self.files[path]))
        return compile(self.source(path), "/box/" + path, "exec", dont_inherit=True) if made is None else made

    def compile(self, tree: ast.AST, path: str) -> None:
        """Compile what a file may import, whether it does so at once or later."""
        waiting = list(self._imported(tree, path))
        seen = {path}
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += self._imported_by(name)

    def _imported_by(self, path: str) -> tuple[str, ...]:
        key = path, self.files[path]
        if key not in self.store.imports:
            # Tried once: what takes too long is left to those who need it.
            self.store.imports[key] = ()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(self.content(path), "/box/" + path)
                    self.store.compiled[key] = compile(tree, "/box/" + path, "exec", dont_inherit=True)
            except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
                return ()
            self.store.imports[key] = tuple(self._imported(tree, path))
        return self.store.imports[key]

    def _imported(self, tree: ast.AST, path: str) -> Iterator[str]:
        """Paths of what a file imports, with the packages around it."""
        package = path.removesuffix(".py").split("/")[:-1]
        for node in walk(tree):
            if isinstance(node, ast.Import):
                modules = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else []
                whole = ".".join((*above, *([node.module] if node.module else ())))
                modules = [f"{whole}.{one.name}" for one in node.names]
            else:
                continue
            for module in modules:
                parts = module.split(".")
                found = (self.path_of(".".join(parts[:depth])) for depth in range(1, len(parts) + 1))
                yield from (one for one in found if one is not None)

    def modules_of(self, path: str) -> Callable[[ast.Import | ast.ImportFrom], Iterator[ast.Module]]:
        """What says which modules of the project a statement of a file imports from, each once, as they are written."""
        seen: set[str] = {path}
        files = {path}

        def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[ast.Module]:
            found = [one for file in tuple(files) for one in self._imported(statement, file)]
            for name in dict.fromkeys(found):
                if name not in seen:
                    seen.add(name)
                    files.add(name)
                    try:
                        yield ast.parse(self.content(name))
                    except (SyntaxError, ValueError, RecursionError, MemoryError):
                        continue

        return imported

    def packages_around(self, module: str) -> list[UnloadedPackage]:
        """The packages that a module is in, outermost first, as others find them from now on."""
        parts = module.split(".")
        made = [UnloadedPackage(".".join(parts[:depth]), self) for depth in range(1, len(parts))]
        for one in made:
            sys.modules[one.__name__] = one
        for outer, inner in itertools.pairwise(made):
            outer.__dict__[inner.__name__.rpartition(".")[2]] = inner
        return made


class UnloadedPackage(types.ModuleType):
    """A package around the module that is run. Its own code runs only if something of it is asked for: it may import
    the module, or what is not installed."""

    def __init__(self, name: str, project: Project) -> None:
        super().__init__(name)
        self.__package__ = name
        self.__path__ = ["/box/" + name.replace(".", "/")]
        self.__dict__["_project"] = project

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._project.path_of(f"{self.__name__}.{name}") is not None:
            return importlib.import_module(f"{self.__name__}.{name}")
        self.complete()
        return getattr(self, name)

    def complete(self) -> None:
        """Run its code; from then on it is an ordinary module."""
        project: Project = self.__dict__.pop("_project")
        ordinary: Any = types.ModuleType
        self.__class__ = ordinary
        path = project.path_of(self.__name__)
        if path is not None:
            self.__file__ = "/box/" + path
            exec(project.code(path), self.__dict__)


def complete_packages(own: types.ModuleType) -> None:
    """Run the code of packages that a module, or one of the project that it imports, has by name: it will ask for
    something of them."""
    seen: list[types.ModuleType] = []
    while True:
        loaded = [one for one in list(sys.modules.values()) if isinstance(_loader(one), ProjectImporter)]
        named = [
            value
            for module in (own, *seen, *loaded)
            for value in list(vars(module).values())
            if type(value) is UnloadedPackage and not _is_above(value, module)
        ]
        if not named:
            return
        seen.append(named[0])
        named[0].complete()


def project_classes() -> dict[str, type]:
    """The classes of the modules of the project that are loaded, by name."""
    loaded = [one for one in list(sys.modules.values()) if isinstance(_loader(one), ProjectImporter)]
    return {name: value for one in loaded for name, value in vars(one).items() if isinstance(value, type)}


def _loader(module: types.ModuleType) -> Any:
    return getattr(getattr(module, "__spec__", None), "loader", None)


def _is_above(package: types.ModuleType, module: types.ModuleType) -> bool:
    """Whether a package has a module only as the one below it."""
    return package.__name__.rpartition(".")[0] == module.__name__


class FileStore:
    """What was sent so far.

    Attributes:
        contents: of files, by the names that the host gave them.
        projects: which paths have which contents, by the names that the host gave them.
        compiled: what was compiled, by path and content.
        imports: the paths that it imports.
    """

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.projects: dict[str, Mapping[str, str]] = {}
        self.compiled: dict[tuple[str, str], types.CodeType] = {}
        self.imports: dict[tuple[str, str], tuple[str, ...]] = {}

    def take(self, job: Mapping[str, Any]) -> Project | None:
        """The files of a job, with those that come with it; None if it has none."""
        for name, content in job["contents"].items():
            self.contents[name] = base64.b64decode(content)
        if job["project"] is None:
            return None
        if job["files"] is not None:
            self.projects[job["project"]] = job["files"]
        return Project(self.projects[job["project"]], self)

    def put(self, content: bytes) -> str:
        """Keep what was not sent as a file."""
        name = "source"
        self.contents[name] = content
        return name


class ProjectImporter:
    """Imports the files of a project from memory: a finder and loader.

    The base classes of `importlib.abc` come with twenty modules that nothing else here needs, and that every process of
    a fragment would copy.
    """

    def __init__(self, project: Project) -> None:
        self.project = project

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        found = self.project.path_of(name)
        if found is None:
            return None
        loader: Any = self
        return importlib.machinery.ModuleSpec(name, loader, origin="/box/" + found, is_package=found.endswith(_PACKAGE))

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Modules are made as usual."""

    def exec_module(self, module: types.ModuleType) -> None:
        code = self.get_code(module.__name__)
        if code is None:
            raise ImportError(f"no module named {module.__name__!r}", name=module.__name__)
        exec(code, module.__dict__)

    def is_package(self, name: str) -> bool:
        return (self.project.path_of(name) or "").endswith(_PACKAGE)

    def get_source(self, name: str) -> str | None:
        found = self.project.path_of(name)
        return None if found is None else self.project.source(found)

    def get_code(self, name: str) -> types.CodeType | None:
        found = self.project.path_of(name)
        return None if found is None else self.project.code(found)


def own_modules(files: Iterable[str]) -> frozenset[str]:
    """The names of the outermost modules and packages of a project."""
    return frozenset(one.split("/")[0].removesuffix(".py") for one in files)
