"""Runs inside the sandbox: from a fragment of Python that parses to something that can be called.

What a fragment uses without defining it (fields of `self`, names of the file around it) becomes an input like any
other, so that two fragments that use the same can be compared.
"""

from __future__ import annotations

import ast
import marshal
import sys
import types
import warnings
from typing import Any

from clonetruth.execution.harness.inside import python_legacy, python_names
from clonetruth.execution.harness.inside.python_annotations import FunctionNode
from clonetruth.execution.harness.inside.python_declared import Imported
from clonetruth.execution.harness.inside.python_files import uses_files
from clonetruth.execution.harness.inside.python_fragment import FUNCTION, RECEIVER, UndecidedError, parsed
from clonetruth.execution.harness.inside.python_parameters import Parameter, parameters_of, receiver_name
from clonetruth.execution.harness.inside.python_points import Marker, reachable
from clonetruth.execution.harness.inside.python_state import imports, leaves_nothing
from clonetruth.execution.harness.inside.python_types import Module
from clonetruth.execution.harness.inside.python_walk import walk

RECEIVER_CLASS = "__"
"""A class whose name has only underscores leaves the names of private fields as they are."""

BASE_CLASS = "___"
"""Its base, whose constructor takes everything."""
_TASKS = ("gather", "create_task", "ensure_future", "wait_for", "as_completed")
_READS = ("input", "raw_input")


class Prepared:
    """A fragment that can run.

    Attributes:
        tree: what to execute; empty if another process made it.
        is_packed: whether another process made it.
        entry: the name of what to call.
        owner: the name of its class; None if it has none.
        is_property: whether it is read like a field.
        parameters: what it is given.
        repairs: what was changed.
        points: number of blocks that can be reached.
        is_program: whether it is a whole program.
        uses_files: whether it may look at files.
        leaves_nothing: whether a call leaves nothing behind for the next one, as far as the text shows.
        draws: whether it may draw numbers at random.
        maps_files: whether it may map files into memory.
        needs_clock: whether it may ask for the time.
        awaits: names of what is called where the result is awaited.
        code: the tree, compiled; None if that was not tried, or failed.
    """

    def __init__(self, tree: ast.Module, repairs: list[str]) -> None:
        self.tree, self.repairs = tree, repairs
        self.entry = ""
        self.owner: str | None = None
        self.is_property = False
        self.parameters: list[Parameter] = []
        self.points = 0
        self.is_packed = False
        self.is_program = False
        self.uses_files = False
        self.leaves_nothing = False
        self.draws = True
        self.maps_files = False
        self.needs_clock = False
        self.awaits: list[str] = []
        self.code: types.CodeType | None = None
        self._was_compiled = False

    def compile(self, name: str) -> None:
        """Compile the tree once for all processes that execute it. What fails here is tried there again."""
        if self._was_compiled or self.is_program:
            return
        self._was_compiled = True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.code = compile(self.tree, name, "exec")
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            self.code = None

    def said(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "ready": self.entry,
            "parameters": [one.said() for one in self.parameters],
            "repaired": self.repairs,
            "points": self.points,
            "program": self.is_program,
            "owner": "" if self.owner in (None, RECEIVER_CLASS) else self.owner,
            "property": self.is_property,
        }

    def packed(self) -> bytes | None:
        """What another process needs to run it; None if it does not compile, so that each process must see why."""
        if self.code is None:
            return None
        parameters = [[getattr(one, name) for name in _OF_PARAMETER] for one in self.parameters]
        return marshal.dumps((parameters, [getattr(self, name) for name in _PACKED]))


_OF_PARAMETER = ("name", "types", "optional", "how")
_PACKED = (
    "repairs",
    "entry",
    "owner",
    "is_property",
    "points",
    "uses_files",
    "leaves_nothing",
    "draws",
    "maps_files",
    "needs_clock",
    "awaits",
    "code",
)


def unpacked(data: bytes) -> Prepared:
    """What was packed, without the tree."""
    parameters, values = marshal.loads(data)
    found = Prepared(ast.Module([], []), [])
    found.is_packed = True
    for name, value in zip(_PACKED, values, strict=True):
        setattr(found, name, value)
    found.parameters = [Parameter(*one) for one in parameters]
    return found


def prepare(
    source: str,
    entry: str | None = None,
    own_modules: frozenset[str] = frozenset(),
    coverage: bool = False,
    imported: Imported | None = None,
) -> Prepared:
    """Make a fragment callable.

    Args:
        source: its text.
        entry: what to call (default: the last function that no other calls).
        own_modules: names of modules of the project.
        coverage: whether to mark the blocks that a call can reach.
        imported: the modules of the project that a statement imports from.

    Raises:
        UndecidedError: it cannot run.
    """
    repairs: list[str] = []
    _, tree = parsed(source, repairs)
    prepared = Prepared(tree, repairs)
    _name_lambdas(tree)
    if entry is None and is_program(tree):
        prepared.is_program = True
        return prepared
    function, owner = chosen(tree, entry)
    used = reachable(tree, owner if owner is not None and not isinstance(owner, ast.FunctionDef) else function)
    part = ast.Module([node for node in used if isinstance(node, ast.stmt)], [])
    _leave_out_imports(tree, part, own_modules, repairs)
    python_names.refuse_what_cannot_be_observed(part, own_modules)
    if python_names.reads_clock(part):
        repairs.append("stopped the clock at 2024-03-15 12:30:45")
        prepared.needs_clock = True
    prepared.uses_files = uses_files(part)
    prepared.maps_files = prepared.uses_files and imports(tree, "mmap")
    lines, unknown = python_names.resolved(tree, repairs)
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in walk(tree)):
        unknown = []
    needed = {node.id for node in walk(part) if isinstance(node, ast.Name)}
    module = Module(tree, imported)
    prepared.entry = function.name
    prepared.awaits = _awaited_calls(tree)
    prepared.parameters = parameters_of(module, function, owner)
    for name in unknown:
        if name in needed:
            prepared.parameters.append(Parameter(name, module.variable(name), False, "global"))
    if isinstance(owner, ast.ClassDef):
        prepared.owner = owner.name
        prepared.is_property = any(getattr(one, "id", "") == "property" for one in function.decorator_list)
    elif receiver_name(function) is not None and owner is None:
        _make_class(tree, prepared, function, module)
    lines += python_legacy.modernised(tree, function, repairs)
    if coverage:
        marker = Marker()
        marker.mark(reachable(tree, function))
        prepared.points = marker.count
    if prepared.owner == RECEIVER_CLASS:
        lines.append(f"class {BASE_CLASS}:\n    def __init__(self, *given, **more): pass")
    if lines:
        at = next((number for number, node in enumerate(tree.body) if not _must_be_first(node)), len(tree.body))
        tree.body[at:at] = ast.parse("\n".join(lines)).body
    ast.fix_missing_locations(tree)
    prepared.leaves_nothing = not prepared.uses_files and leaves_nothing(tree)
    prepared.needs_clock |= bool(own_modules) or imports(tree, "time") or imports(tree, "datetime")
    prepared.draws = bool(own_modules) or not prepared.leaves_nothing or imports(tree, "random")
    return prepared


def _awaited_calls(tree: ast.Module) -> list[str]:
    """Names of what is called in an `await`, or for a task."""
    waiting = [
        node
        for node in walk(tree)
        if isinstance(node, ast.Await)
        or (isinstance(node, ast.Call) and (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) in _TASKS)
    ]
    calls = (one for node in waiting for one in walk(node) if isinstance(one, ast.Call))
    return sorted({one.func.id for one in calls if isinstance(one.func, ast.Name)})


def _must_be_first(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def _name_lambdas(tree: ast.Module) -> None:
    """Functions that are written as `f = lambda x: …` become ordinary ones."""
    for at, node in enumerate(tree.body):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Lambda)
            and isinstance(node.targets[0], ast.Name)
        ):
            body: list[ast.stmt] = [ast.copy_location(ast.Return(node.value.body), node)]
            made = ast.FunctionDef(node.targets[0].id, node.value.args, body, [])
            tree.body[at] = ast.fix_missing_locations(ast.copy_location(made, node))


# What to call.


def is_program(tree: ast.Module) -> bool:
    """Whether a text is a whole program: it has no function, or it reads input outside of functions or starts one that
    does."""
    if not any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for node in walk(tree)):
        return bool(tree.body)
    reads = any(
        (isinstance(node, ast.Name) and node.id in _READS) or (isinstance(node, ast.Attribute) and node.attr == "stdin")
        for node in walk(tree)
    )
    return reads and any(_does_something(node) for node in tree.body)


def _does_something(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
        return True
    return isinstance(node, ast.Assign) and any(
        isinstance(one, ast.Name) and one.id in _READS for one in walk(node.value)
    )


def chosen(tree: ast.Module, entry: str | None) -> tuple[FunctionNode, ast.ClassDef | FunctionNode | None]:
    """The function to call and what is around it; without a name, the last one that no other calls.

    Raises:
        UndecidedError: there is none.
    """
    found: list[tuple[FunctionNode, ast.ClassDef | FunctionNode | None]] = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append((node, None))
        elif isinstance(node, ast.ClassDef):
            found += [(one, node) for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
        elif isinstance(node, (ast.If, ast.Try)):
            found += [(one, None) for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if entry is not None:
        owner, _, name = entry.rpartition(".")
        owner = owner.rpartition(".")[2]
        found = [one for one in found if one[0].name == name and (not owner or (one[1] and one[1].name == owner))]
    # Overloads are declared before the function that runs.
    found = [one for one in found if not _is_overload(one[0])] or found
    public = [one for one in found if not (one[0].name.startswith("__") and one[1] is not None)] or found
    if not public:
        raise UndecidedError(FUNCTION, entry or "")
    called: set[str] = set()
    for function, _ in public:
        for inner in walk(function):
            mentioned = getattr(inner, "attr", None) or getattr(inner, "id", None)
            if mentioned and mentioned != function.name:
                called.add(mentioned)
    free = [one for one in public if one[0].name not in called] or public
    tests = [one for one in free if not one[0].name.startswith("test")] or free
    return tests[-1]


def _is_overload(function: FunctionNode) -> bool:
    names = (getattr(one, "attr", None) or getattr(one, "id", None) for one in function.decorator_list)
    return "overload" in names


def _leave_out_imports(tree: ast.Module, part: ast.Module, own: frozenset[str], repairs: list[str]) -> None:
    """Imports of packages that the function does not use; those that it uses are part of it."""
    used = {node.id for node in walk(part) if isinstance(node, ast.Name)}
    kept: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            tops = {one.split(".")[0] for one in modules}
            names = {(one.asname or one.name).split(".")[0] for one in node.names}
            if used & names or "*" in names:
                part.body.append(node)
            elif not tops <= (sys.stdlib_module_names | own) or tops & {"tkinter", "turtle", "curses"}:
                repairs.append("left out the import of " + ", ".join(sorted(tops)))
                continue
        kept.append(node)
    tree.body = kept


# What it is given.


def _make_class(tree: ast.Module, prepared: Prepared, function: FunctionNode, module: Module) -> None:
    """Put methods without a class into one; its objects have the fields that the methods read."""
    methods = [
        node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and receiver_name(node)
    ]
    if any(isinstance(node, ast.Name) and node.id == "dir" for node in walk(function)):
        # What a class has besides its methods nobody knows.
        raise UndecidedError(RECEIVER, "dir")
    name = receiver_name(function) or "self"
    written = {one.name for one in methods}
    types = module.receiver(function, name, written)
    body: list[ast.stmt] = [*methods]
    made = ast.ClassDef(RECEIVER_CLASS, [ast.Name(BASE_CLASS, ast.Load())], [], body, [])
    at = next(number for number, node in enumerate(tree.body) if node is methods[0])
    kept = [node for node in tree.body if not any(node is one for one in methods)]
    tree.body = [*kept[:at], made, *kept[at:]]
    classes = {
        node.args[0].id
        for node in walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super" and node.args
        if isinstance(node.args[0], ast.Name)
    }
    for one in sorted(classes):
        alias = ast.Assign([ast.Name(one, ast.Store())], ast.Name(RECEIVER_CLASS, ast.Load()))
        tree.body.insert(tree.body.index(made) + 1, alias)
        prepared.parameters = [parameter for parameter in prepared.parameters if parameter.name != one]
    prepared.owner = RECEIVER_CLASS
    prepared.parameters.append(Parameter(name, types, False, "self"))
    prepared.repairs.append("a class around methods")
