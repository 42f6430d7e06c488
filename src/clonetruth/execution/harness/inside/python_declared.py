"""Runs inside the sandbox: the types of classes that a fragment or a file of its project defines, so that annotations
can name them.

An enumeration has its members, a class with declared fields (a data class, a named tuple) has those, a typed dictionary
its keys, and any other class what its constructor takes. A protocol or an abstract class is any of the classes that
implement it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from clonetruth.execution.harness.inside.python_annotations import KNOWN_TYPES, FunctionNode, annotated, as_class

Declaration = ast.ClassDef | ast.expr
Imported = Callable[[ast.Import | ast.ImportFrom], Iterator[ast.Module]]

_ENUMERATIONS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_ABSTRACT = ("Protocol", "ABC", "ABCMeta")
_NO_ALIAS = (ast.Constant, ast.Call, ast.Lambda)
_DEEPEST = 3
_MOST_MODULES = 20
_MOST_IMPLEMENTATIONS = 4


class DeclaredClasses:
    """The classes and names of types of a module, by name."""

    def __init__(self, tree: ast.Module, imported: Imported | None = None) -> None:
        self._declarations: dict[str, Declaration] = {}
        self._above: list[str] = []
        self._imported = imported
        self._imports: list[ast.Import | ast.ImportFrom] = []
        self._add(tree)

    def _add(self, tree: ast.Module) -> None:
        """What a module declares; what it imports is read when it is asked for."""
        for node in _statements(tree.body):
            if isinstance(node, ast.ClassDef):
                self._declarations.setdefault(node.name, node)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._add_alias(node.targets[0].id, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                if _last(node.annotation) == "TypeAlias":
                    self._add_alias(node.target.id, node.value)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self._imports.append(node)

    def _find(self, name: str) -> Declaration | None:
        """What a name stands for, in the module or in one of the project that it is imported from."""
        if name in self._declarations or name in KNOWN_TYPES or self._imported is None:
            return self._declarations.get(name)
        for _ in range(_MOST_MODULES):
            wanted = next((one for one in self._imports if _may_bring(one, name)), None)
            if wanted is None or name in self._declarations:
                break
            self._imports.remove(wanted)
            for module in self._imported(wanted):
                self._add(module)
        return self._declarations.get(name)

    def _add_alias(self, name: str, value: ast.expr) -> None:
        """A name of a type, such as `Key = int | str`, `UserId = NewType("UserId", int)` or a type variable."""
        if isinstance(value, ast.Call) and _last(value.func) == "NewType" and len(value.args) > 1:
            value = value.args[1]
        elif isinstance(value, ast.Call) and _last(value.func) == "TypeVar":
            bound = next((one.value for one in value.keywords if one.arg == "bound"), None)
            if bound is None and len(value.args) < 3:
                return
            value = bound or ast.Subscript(ast.Name("Union"), ast.Tuple(value.args[1:]))
        if not isinstance(value, _NO_ALIAS) or isinstance(getattr(value, "value", None), str):
            self._declarations.setdefault(name, value)

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def type_of(self, name: str) -> str | None:
        """The type of a class, as `execution.inputs.types` writes it; None if nothing says how to make one."""
        node = self._find(name)
        if node is None or len(self._above) >= _DEEPEST:
            return None
        if name in self._above:
            # An object that holds others of its class; only the innermost class can be named.
            is_object = isinstance(node, ast.ClassDef) and "TypedDict" not in self._bases(node)
            return as_class(name) if is_object and self._above[-1] == name else None
        self._above.append(name)
        try:
            if not isinstance(node, ast.ClassDef):
                return next(iter(annotated(node, self.type_of)), None)
            return self._implementations(node) or self._type(node)
        finally:
            self._above.pop()

    def _type(self, node: ast.ClassDef) -> str | None:
        bases = self._bases(node)
        if any(one in _ENUMERATIONS for one in bases):
            members = [target.id for one in node.body if isinstance(one, ast.Assign) for target in one.targets
                       if isinstance(target, ast.Name) and not target.id.startswith("_")]  # fmt: skip
            return f"{as_class(node.name)}<{', '.join(members)}>" if members else None
        if "TypedDict" in bases:
            keys = self._keys(node)
            return f"record{{{', '.join(f'{key}: {kind}' for key, kind in keys.items())}}}" if keys else None
        fields = self._fields(node, bases)
        if not fields or None in fields.values():
            return None
        return f"{as_class(node.name)}{{{', '.join(f'{field}: {kind}' for field, kind in fields.items())}}}"

    def _bases(self, node: ast.ClassDef) -> list[str]:
        """The names of a class's bases, those of its bases in the same project included."""
        found: list[str] = []
        waiting = [*node.bases, *(one.value for one in node.keywords)]
        while waiting and len(found) < _MOST_MODULES:
            name = _last(waiting.pop(0))
            found.append(name)
            base = self._find(name)
            if isinstance(base, ast.ClassDef) and base is not node:
                waiting += base.bases
        return found

    def _implementations(self, node: ast.ClassDef) -> str | None:
        """Any of the classes that implement a protocol or an abstract class, or that are derived from a class; None if
        there are none."""
        own = [_last(one) for one in (*node.bases, *(one.value for one in node.keywords))]
        is_protocol = "Protocol" in own
        is_abstract = any(one in _ABSTRACT for one in own) or any(map(_is_abstract, node.body))
        needed = {one.name for one in node.body if isinstance(one, FunctionNode) and not one.name.startswith("__")}
        found: list[str] = []
        for one in self._declarations.values():
            if not isinstance(one, ast.ClassDef) or one is node or one.name in self._above:
                continue
            has = {inner.name for inner in one.body if isinstance(inner, FunctionNode)}
            implements = node.name in self._bases(one) or (is_protocol and needed and needed <= has)
            is_open = any(map(_is_abstract, one.body)) or "Protocol" in map(_last, one.bases)
            kind = self._type(one) if implements and not is_open else None
            found += [kind] if kind else []
        if not found:
            return None
        itself = None if is_abstract else self._type(node)
        whole = list(dict.fromkeys([*([itself] if itself else []), *found]))[:_MOST_IMPLEMENTATIONS]
        return f"union[{', '.join(whole)}]" if len(whole) > 1 else whole[0]

    def _keys(self, node: ast.ClassDef) -> dict[str, str]:
        """The keys of a typed dictionary; those that may be absent have a union with what is left out."""
        found: dict[str, str] = {}
        for one in node.bases:
            base = self._find(_last(one))
            if isinstance(base, ast.ClassDef) and base is not node:
                found |= self._keys(base)
        is_total = not any(one.arg == "total" and getattr(one.value, "value", True) is False for one in node.keywords)
        for member in node.body:
            if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                note = member.annotation
                mark = _last(note.value) if isinstance(note, ast.Subscript) else ""
                kind = self._kind(note) or "any"
                is_needed = mark == "Required" or (is_total and mark != "NotRequired")
                found[member.target.id] = kind if is_needed else f"union[{kind}, default]"
        return found

    def _fields(self, node: ast.ClassDef, bases: list[str]) -> dict[str, str | None]:
        """What the constructor of a class must be given, and what else it takes where the type is written."""
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                return self._taken(one)
        is_data = any(_last(one) in ("dataclass", "define", "frozen") for one in node.decorator_list)
        found: dict[str, str | None] = {}
        for base in (self._find(_last(one)) for one in node.bases):
            if isinstance(base, ast.ClassDef) and base is not node:
                found |= self._fields(base, bases)
        if not is_data and "NamedTuple" not in bases:
            return found
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                kind = self._kind(one.annotation)
                if kind is not None or (one.value is None and "ClassVar" not in ast.unparse(one.annotation)):
                    found[one.target.id] = kind
        return found

    def _taken(self, constructor: ast.FunctionDef) -> dict[str, str | None]:
        arguments = constructor.args
        if arguments.posonlyargs or any(default is None for default in arguments.kw_defaults):
            return {}
        names = arguments.args[1:]
        needed = len(names) - len(arguments.defaults)
        kinds = {one.arg: self._kind(one.annotation) for one in names}
        return {name: kind for at, (name, kind) in enumerate(kinds.items()) if kind is not None or at < needed}

    def _kind(self, annotation: ast.expr | None) -> str | None:
        found = annotated(annotation, self.type_of) if annotation is not None else []
        return found[0] if found else None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, those below a condition (`if TYPE_CHECKING`) included."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try)):
            yield from _statements([*node.body, *node.orelse])


def _may_bring(statement: ast.Import | ast.ImportFrom, name: str) -> bool:
    """Whether an import may bring a name: by itself, with all others, or as an attribute of a module."""
    return isinstance(statement, ast.Import) or any(
        name in (one.name, one.asname) or one.name == "*" for one in statement.names
    )


def _is_abstract(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode) and any(_last(one) == "abstractmethod" for one in node.decorator_list)


def _last(node: ast.expr) -> str:
    """The last part of a name such as `enum.Enum`, `dataclass(frozen=True)` or `Protocol[T]`."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
