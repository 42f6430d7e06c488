"""Runs inside the sandbox: loads a fragment of Python with the files around it, and calls it."""

from __future__ import annotations

import ast
import copy
import importlib
import importlib.machinery
import random
import sys
import time
import types
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.execution.harness.inside import python_values
from clonetruth.execution.harness.inside.enclosure import require_box
from clonetruth.execution.harness.inside.python_clock import stop_clock
from clonetruth.execution.harness.inside.python_entry import Prepared, prepare
from clonetruth.execution.harness.inside.python_files import WorkingFolder
from clonetruth.execution.harness.inside.python_fragment import LOADING, PACKAGE, PARSE, SYMBOL
from clonetruth.execution.harness.inside.python_parameters import Parameter
from clonetruth.execution.harness.inside.python_points import MARK
from clonetruth.execution.harness.inside.python_project import (
    Project,
    ProjectImporter,
    complete_packages,
    own_modules,
    project_classes,
)
from clonetruth.execution.harness.inside.python_types import DEFAULT
from clonetruth.execution.harness.inside.python_waiting import skip_waiting

_NAME = "fragment"
_MOST_KEPT = 12


_KEPT: dict[str, Prepared] = {}


def prepared_for(job: Mapping[str, Any], project: Project | None) -> Prepared:
    """What can be called in a job's fragment; nothing of it is executed.

    Args:
        job: what to run.
        project: the files around the fragment.

    Raises:
        UndecidedError: it cannot run.
    """
    own = own_modules((*project.files, path_of(job))) if project else frozenset()
    own |= packages_in(job["packages"])
    around = hash(frozenset(project.files.items())) if project else 0
    key = repr((job["source"], job["entry"], own, job["coverage"], around))
    if key not in _KEPT:
        imported = project.modules_of(path_of(job)) if project else None
        found = prepare(job["source"], job["entry"], own, job["coverage"], imported)
        while len(_KEPT) >= _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        _KEPT[key] = found
    if job["calls"] or project is None:
        _KEPT[key].compile(_NAME)
    return _KEPT[key]


def path_of(job: Mapping[str, Any]) -> str:
    """The path of a job's file in its project."""
    return str(job["path"] or _NAME + ".py")


def packages_in(folders: Iterable[str]) -> frozenset[str]:
    """The names that can be imported from folders of packages."""
    entries = (one.name for folder in folders for one in Path(folder).iterdir())
    return frozenset(name.partition(".")[0] for name in entries if not name.endswith((".dist-info", ".egg-info")))


class Fragment:
    """A fragment that was loaded.

    Attributes:
        prepared: what was made of it.
        folder: where it finds files; None if it does not look for any.
    """

    def __init__(self, job: Mapping[str, Any], prepared: Prepared, project: Project | None) -> None:
        self.prepared, self.seed = prepared, job["seed"]
        self.folder = WorkingFolder(trusts_times=not prepared.maps_files) if prepared.uses_files else None
        self._job, self._project = job, project
        self.reached: set[int] = set()
        self.seen: set[int] = set()
        path = path_of(job)
        name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.module = types.ModuleType(name)
        time.sleep = lambda seconds: None
        random.seed(self.seed)
        if prepared.needs_clock:
            stop_clock()
        sys.modules[name] = self.module
        # Behind the standard library, which they must not replace.
        sys.path += [one for one in job["packages"] if one not in sys.path]
        self.module.__dict__[MARK] = self.reached.add
        self.classes: Mapping[str, Any] = self.module.__dict__
        self.keeping: list[tuple[types.FunctionType, Any, Any]] = []
        if project is None:
            self._load(self.prepared)
            return
        whole = project.with_file(path, job["source"].encode("utf-8", "surrogatepass"))
        sys.meta_path.insert(0, ProjectImporter(whole))
        self.module.__package__ = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        self.module.__file__ = "/box/" + path
        self.module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=path.endswith("__init__.py"))
        if path.endswith("__init__.py"):
            self.module.__path__ = ["/box/" + name.replace(".", "/")]
        packages = [one.__name__ for one in whole.packages_around(name)]
        try:
            self._load(self.prepared)
            complete_packages(self.module)
        except ImportError:
            # What it imports is made by the packages around it: load them as they are first.
            for one in (*packages, name):
                sys.modules.pop(one, None)
            importlib.import_module(name)
            sys.modules[name] = self.module
            self._load(self.prepared)
        self.classes = ChainMap(self.module.__dict__, project_classes())

    def _load(self, prepared: Prepared) -> None:
        require_box()
        sys.stdin, sys.stdout, sys.stderr = _Nothing(), _Nothing(), _Nothing()
        names = self.module.__dict__
        try:
            exec(prepared.code or compile(self._tree(), _NAME, "exec"), names)  # the purpose of this program
        except Exception:
            # A demonstration below the functions may fail without harm.
            body = self._tree().body
            first = next((at for at, one in enumerate(body) if isinstance(one, (ast.FunctionDef, ast.ClassDef))), 0)
            kept = [
                one for at, one in enumerate(body) if at < first or not isinstance(one, (ast.Expr, ast.For, ast.If))
            ]
            if len(kept) == len(body):
                raise
            exec(compile(ast.Module(kept, []), _NAME, "exec"), names)
            prepared.repairs.append("left out statements below the functions")
        skip_waiting()
        for one in prepared.parameters:
            if one.how == "global":
                names.pop(one.name, None)
        entry = names.get(prepared.entry)
        if type(entry) is types.FunctionType and any(one.how == "before" for one in prepared.parameters):
            # What a call leaves in its default values is not there for the next input.
            self.keeping = [(entry, *copy.deepcopy((entry.__defaults__, entry.__kwdefaults__)))]

    def _tree(self) -> ast.Module:
        """What is executed. If another process made it, it is made again here, which is seldom needed."""
        return prepared_for(self._job, self._project).tree if self.prepared.is_packed else self.prepared.tree

    def newly_reached(self) -> list[int]:
        """Blocks that were reached for the first time."""
        new = self.reached - self.seen
        self.seen |= new
        return sorted(one for one in new if type(one) is int)

    def ready(self, arguments: Sequence[Any], number: int) -> Ready:
        """A call that can be made."""
        for function, defaults, by_name in self.keeping:
            function.__defaults__, function.__kwdefaults__ = copy.deepcopy((defaults, by_name))
        if self.prepared.draws:
            random.seed(f"{self.seed} {number}")
        self.reached.clear()
        return Ready(self, arguments)


class Ready:
    """One call with its arguments."""

    def __init__(self, fragment: Fragment, arguments: Sequence[Any]) -> None:
        prepared, names = fragment.prepared, fragment.module.__dict__
        self.positional: list[Any] = []
        self.named: dict[str, Any] = {}
        self.given: list[Any] = []
        self.before: list[Any] = []
        self.after: Any = None
        constructor: dict[str, Any] = {}
        receiver: Any = None
        left_out = False
        shared: dict[str, Any] = {}
        for parameter, form in zip(prepared.parameters, arguments, strict=False):
            if isinstance(form, dict) and form.get("opaque") == DEFAULT:
                self.given.append(None)
                if parameter.how in ("constructor", "before", "after"):
                    continue
                # What follows one that is left out is passed by name.
                left_out = True
                continue
            if parameter.how in ("before", "after"):
                # Each is the name of a method with its arguments.
                self.given.append(None)
                calls = [
                    _further_call(one, fragment.classes)
                    for one in (form["list"] if parameter.how == "before" else [form])
                ]
                self.before, self.after = (self.before, calls[0]) if parameter.how == "after" else (calls, self.after)
                continue
            value = python_values.from_form(form, fragment.classes, named=shared)
            self.given.append(value)
            if parameter.how == "self":
                receiver = _object(names, prepared, value)
                self.given[-1] = receiver
            elif parameter.how == "constructor":
                constructor[parameter.name] = value
            elif left_out and parameter.how == "argument":
                self.named[parameter.name] = value
            else:
                is_awaited = type(value) is python_values.StandIn and parameter.name in prepared.awaits
                self._pass(parameter, _asynchronous(value) if is_awaited else value, names)
        self.snapshots = [
            (one, python_values.Snapshot(one)) for one in self.given if type(one) not in python_values.UNCHANGEABLE
        ]
        self.receiver, self.function = _entry(names, prepared, constructor, receiver)

    def _pass(self, parameter: Parameter, value: Any, names: dict[str, Any]) -> None:
        if parameter.how == "global":
            names[parameter.name] = value
        elif parameter.how == "star":
            self.positional += list(value)
        elif parameter.how == "keywords":
            self.named.update({str(key): one for key, one in dict(value).items()})
        elif parameter.how == "keyword":
            self.named[parameter.name] = value
        else:
            self.positional.append(value)

    def call(self) -> Any:
        """Call it, behind what comes before; an asynchronous function is run to its end. If something follows, what it
        returns is returned."""
        for name, given in self.before:
            self.awaited((self.function if self.receiver is None else getattr(self.receiver, name))(*given))
        returned = self.awaited(self.function(*self.positional, **self.named))
        if self.after is None:
            return returned
        name, given = self.after
        shown = getattr(self.receiver, name)
        return self.awaited(shown(*given)) if callable(shown) else shown

    def awaited(self, returned: Any) -> Any:
        """What an asynchronous function returns when it has come to its end."""
        if type(returned) not in (types.CoroutineType, types.AsyncGeneratorType):
            return returned
        import asyncio

        skip_waiting()
        return asyncio.run(_drawn(returned) if type(returned) is types.AsyncGeneratorType else returned)

    def changed(self) -> list[Any] | None:
        """The arguments afterwards, if they are others than before."""
        if all(before.is_still(one) for one, before in self.snapshots):
            return None
        return [python_values.argument_form(one) for one in self.given]


async def _drawn(values: Any) -> list[Any]:
    return [one async for one in values]


def _asynchronous(function: Any) -> Any:
    """The same function for code that awaits what it returns."""

    async def stand_in(*given: Any, **more: Any) -> Any:
        return function(*given, **more)

    return stand_in


def _object(names: Mapping[str, Any], prepared: Prepared, value: Any) -> Any:
    """The fields of a made-up object, in an object of the class around the methods."""
    made = object.__new__(names[prepared.owner or ""])
    for name, one in vars(value).items():
        object.__setattr__(made, name, one)
    return made


def _further_call(form: Any, classes: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The name of a method with its arguments, by place; of a field, without any."""
    if isinstance(form, str):
        return form, []
    name, fields = form["object"]
    return name, [python_values.from_form(one, classes) for _, one in fields]


def _entry(
    names: Mapping[str, Any], prepared: Prepared, constructor: Mapping[str, Any], receiver: Any
) -> tuple[Any, Any]:
    """The object whose method is called, and what to call."""
    if prepared.owner is None:
        return None, names[prepared.entry]
    owner = names[prepared.owner]
    attribute = owner.__dict__.get(prepared.entry)
    if isinstance(attribute, (staticmethod, classmethod)):
        return owner, getattr(owner, prepared.entry)
    if receiver is None:
        if prepared.entry == "__init__":
            return None, owner
        receiver = owner(**constructor)
    if isinstance(attribute, property):
        return receiver, lambda: getattr(receiver, prepared.entry)
    if attribute is None:
        return receiver, getattr(receiver, prepared.entry)
    return receiver, attribute.__get__(receiver, owner) if hasattr(attribute, "__get__") else attribute


class _Nothing:
    """A stream that takes everything and gives nothing."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def readline(self, size: int = -1) -> str:
        return ""

    read = readline

    def isatty(self) -> bool:
        return False

    def __iter__(self) -> Any:
        return iter(())


def why_not_loaded(error: BaseException) -> tuple[str, str]:
    """The reason that a fragment failed before it was called."""
    if isinstance(error, NameError):
        return SYMBOL, str(error)[:200]
    if isinstance(error, ImportError):
        return PACKAGE, str(error)[:200]
    if isinstance(error, (SyntaxError, ValueError)):
        return PARSE, str(error)[:200]
    return LOADING, type(error).__name__
