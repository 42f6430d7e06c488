"""A digest of what a Python function computes: its code, and everything of ours that it refers to.

The digest covers the function's syntax tree (not its comments, docstrings or layout), its default arguments and what it
closes over; the values of the constants that it names; and, in turn, the functions and classes that it names. So a
changed constant, a changed helper and a changed parameter all give another digest, and nobody has to remember a version
number. Functions of other packages count by name and version; those of numpy and pyarrow, whose versions are in every
manifest, by name only.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import hashlib
import importlib.metadata
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from clonetruth.errors import InputError


def code_digest(function: Callable[..., Any]) -> str:
    """The digest of a function, in hexadecimal digits.

    Raises:
        InputError: the function refers to a value that has no stable content, such as an open file.
    """
    walk = _Walk()
    walk.add("function", function)
    return walk.hexdigest()


class _Walk:
    """Adds values to a digest; what was added before is added by its number, so that recursion ends."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._numbers: dict[int, int] = {}
        self._alive: list[object] = []

    def hexdigest(self) -> str:
        return self._digest.hexdigest()

    def add(self, name: str, value: Any) -> None:
        self._write("name", name)
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            self._write(type(value).__name__, repr(value))
            return
        if id(value) in self._numbers:
            self._write("seen", str(self._numbers[id(value)]))
            return
        self._numbers[id(value)] = len(self._numbers)
        self._alive.append(value)  # an id is only unique while its object lives
        self._write("type", f"{type(value).__module__}.{type(value).__qualname__}")
        for part, content in self._parts(value):
            self.add(part, content)
        self._write("end", name)

    def _write(self, kind: str, text: str) -> None:
        data = f"{kind}:{text}".encode("utf-8", errors="surrogatepass")
        self._digest.update(len(data).to_bytes(8, "little") + data)

    def _parts(self, value: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(value, types.ModuleType):
            yield "module", value.__name__
        elif _foreign(value):
            yield "foreign", _versioned(value)
        elif isinstance(value, types.FunctionType):
            yield from _function(value)
        elif isinstance(value, types.MethodType):
            yield from (("function", value.__func__), ("self", value.__self__))
        elif isinstance(value, functools.partial):
            yield from (("function", value.func), ("arguments", value.args), ("keywords", value.keywords))
        elif isinstance(value, type):
            yield from _class(value)
        else:
            yield from _content(value)


def _function(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    wrapped = getattr(function, "__wrapped__", None)
    if wrapped is not None:
        yield "wrapped", wrapped
    yield "source", _source(function)
    yield "defaults", function.__defaults__
    yield "keyword defaults", function.__kwdefaults__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f"closure {name}", cell.cell_contents
    yield from _named(function)


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function refers to by name: globals, and members of our modules."""
    codes = [function.__code__]
    names: set[str] = set()
    while codes:
        code = codes.pop()
        names |= set(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    yield from _members("", function.__globals__, names)


def _members(prefix: str, scope: Mapping[str, Any], names: set[str]) -> Iterator[tuple[str, Any]]:
    for name in sorted(names & scope.keys()):
        value = scope[name]
        yield f"{prefix}{name}", value
        if isinstance(value, types.ModuleType) and not _foreign(value):
            # Which attributes are read of which module is not known; a name too many does no harm.
            yield from _members(f"{prefix}{name}.", vars(value), names - {name})


def _class(kind: type) -> Iterator[tuple[str, Any]]:
    yield "source", _source(kind)
    yield "bases", kind.__bases__
    for name, member in sorted(vars(kind).items()):
        unwrapped = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        if isinstance(unwrapped, types.FunctionType) and unwrapped.__module__ == kind.__module__:
            yield from ((f"{name}: {part}", content) for part, content in _named(unwrapped))


def _source(code: types.FunctionType | type) -> str:
    """The source text without comments, docstrings and layout; the byte code, where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):
        # A lambda within an expression is no statement, and the console keeps no source.
        if isinstance(code, types.FunctionType):
            return _byte_code(code.__code__)
        return code.__qualname__
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _byte_code(code: types.CodeType) -> str:
    constants = [_byte_code(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return repr((sys.version_info[:2], code.co_code, code.co_names, code.co_varnames, constants))


def _content(value: Any) -> Iterator[tuple[str, Any]]:
    """The content of a value that is data."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        yield from (("shape", repr(array.shape)), ("dtype", array.dtype.str))
        yield "values", repr(array.tolist()) if array.dtype.hasobject else np.ascontiguousarray(array).tobytes()
    elif isinstance(value, pa.Table | pa.RecordBatch | pa.Array | pa.ChunkedArray):
        yield from (("arrow", str(getattr(value, "schema", None) or value.type)), ("values", repr(value.to_pylist())))
    elif isinstance(value, pa.Schema | pa.DataType | pa.Field):
        yield "arrow", str(value)
    elif isinstance(value, enum.Enum):
        yield "member", value.name
        yield "value", value.value
    elif isinstance(value, Mapping):
        # In order: a function may depend on it.
        for number, (key, content) in enumerate(value.items()):
            yield from ((f"key {number}", key), (f"value {number}", content))
    elif isinstance(value, list | tuple):
        yield from ((f"item {number}", item) for number, item in enumerate(value))
    elif isinstance(value, set | frozenset):
        yield from ((f"item {number}", item) for number, item in enumerate(sorted(value, key=repr)))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield "class", type(value)
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    elif callable(value) and hasattr(value, "__dict__"):
        yield "class", type(value)
        yield from sorted(vars(value).items())
    else:
        raise InputError(
            f"A policy's function refers to a {type(value).__qualname__}, whose content is not known.",
            hint="Its verdicts are identified by functions, numbers, texts, arrays and collections of them.",
        )


def _foreign(value: Any) -> bool:
    """Whether something belongs to Python itself or to an installed package other than ours."""
    if isinstance(value, types.BuiltinFunctionType | types.MethodDescriptorType | np.ufunc):
        return True
    if not isinstance(value, types.FunctionType | type | types.ModuleType):
        return False
    module = value.__name__ if isinstance(value, types.ModuleType) else value.__module__
    top = (module or "").partition(".")[0]
    if top == "clonetruth":
        return False
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return top in sys.stdlib_module_names or top in sys.builtin_module_names or "site-packages" in file


def _versioned(value: Any) -> str:
    module = getattr(value, "__module__", None) or type(value).__module__ or ""
    name = f"{module}.{getattr(value, '__qualname__', getattr(value, '__name__', ''))}"
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in ("numpy", "pyarrow"):
        return name
    try:
        return f"{name} {importlib.metadata.version(top)}"
    except importlib.metadata.PackageNotFoundError:
        return name
