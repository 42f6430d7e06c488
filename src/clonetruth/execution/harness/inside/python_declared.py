"""Runs inside the sandbox: the types of classes that a fragment defines, so that annotations can name them.

An enumeration has its members, a class with declared fields (a data class, a named tuple) has those, and any other
class what its constructor takes.
"""

from __future__ import annotations

import ast

from clonetruth.execution.harness.inside.python_annotations import annotated

_ENUMERATIONS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_DEEPEST = 3


class DeclaredClasses:
    """The classes of a module, by name."""

    def __init__(self, tree: ast.Module) -> None:
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self._above: list[str] = []

    def __contains__(self, name: str) -> bool:
        return name in self._classes

    def type_of(self, name: str) -> str | None:
        """The type of a class, as `execution.inputs.types` writes it; None if nothing says how to make one."""
        node = self._classes.get(name)
        if node is None or len(self._above) >= _DEEPEST:
            return None
        if name in self._above:
            # An object that holds others of its class; only the innermost class can be named.
            return name if self._above[-1] == name else None
        bases = [_last(one) for one in node.bases]
        if any(one in _ENUMERATIONS for one in bases):
            members = [target.id for one in node.body if isinstance(one, ast.Assign) for target in one.targets
                       if isinstance(target, ast.Name) and not target.id.startswith("_")]  # fmt: skip
            return f"{name}<{', '.join(members)}>" if members else None
        self._above.append(name)
        try:
            fields = self._fields(node, bases)
        finally:
            self._above.pop()
        if not fields or None in fields.values():
            return None
        return f"{name}{{{', '.join(f'{field}: {kind}' for field, kind in fields.items())}}}"

    def _fields(self, node: ast.ClassDef, bases: list[str]) -> dict[str, str | None]:
        """What the constructor of a class must be given, and what else it takes where the type is written."""
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                return self._taken(one)
        is_data = any(_last(one) in ("dataclass", "define", "frozen") for one in node.decorator_list)
        if not is_data and "NamedTuple" not in bases:
            return {}
        found: dict[str, str | None] = {}
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


def _last(node: ast.expr) -> str:
    """The last part of a name such as `enum.Enum` or `dataclass(frozen=True)`."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
