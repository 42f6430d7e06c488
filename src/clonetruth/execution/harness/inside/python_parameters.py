"""Runs inside the sandbox: what a call of a function is given, and a method besides: what its class is constructed
with, and calls that come before and behind, because what an object does depends on what was done with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from clonetruth.execution.harness.inside.python_annotations import FunctionNode, annotated, as_class
from clonetruth.execution.harness.inside.python_types import DEFAULT, Module
from clonetruth.execution.harness.inside.python_walk import walk

BEFORE, AFTER = "calls before", "call behind"
"""Names of parameters that no function has: a list of calls that come first, and one that follows."""

_CHANGES = frozenset(
    ("append", "extend", "insert", "add", "update", "pop", "popitem", "popleft", "appendleft", "remove", "discard",
     "clear", "setdefault", "sort", "reverse", "push", "put", "move_to_end", "write", "rotate", "subtract", "heappush",
     "heappop")
)  # fmt: skip
"""Methods of containers that change them."""
_MOST_CALLS = 6
_LETTERS = "abcdefgh"


class Parameter:
    """Something that a call is given.

    Attributes:
        name: as written.
        types: what may be passed, the likeliest first.
        optional: whether it has a default.
        how: `argument`, `keyword`, `star`, `keywords`; `constructor` for one of the class; `before` and `after` for
            further calls; `self` and `global` for what is not written as a parameter.
    """

    def __init__(self, name: str, types: list[str], optional: bool, how: str) -> None:
        self.name, self.types, self.optional, self.how = name, types, optional, how

    def said(self) -> dict[str, Any]:
        """As JSON."""
        implicit = self.how in ("self", "global")
        role = self.how if self.how in ("constructor", "before", "after") else ""
        return {
            "name": self.name,
            "types": self.types,
            "optional": self.optional,
            "implicit": implicit,
            "role": role,
            "how": self.how,
        }


def receiver_name(function: FunctionNode) -> str | None:
    """The name of the first parameter if it stands for an object."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    return names[0] if names[:1] in (["self"], ["cls"], ["this"]) else None


def parameters_of(module: Module, function: FunctionNode, owner: ast.AST | None) -> list[Parameter]:
    """What a call of a function is given.

    Args:
        module: the module of the function.
        function: what is called.
        owner: the class that it is in, if it is in one.
    """
    skip = 1 if (isinstance(owner, ast.ClassDef) and not _is_static(function)) or receiver_name(function) else 0
    given = _arguments(module, function, skip)
    if isinstance(owner, ast.ClassDef) and skip and not _is_decorated(function, "classmethod"):
        if function.name == "__init__":
            return given
        made = _constructed(module, owner)
        # What may be left out comes last, so that inputs that are written down need not have it.
        needed, optional = ([one for one in made if one.optional is is_optional] for is_optional in (False, True))
        return [*needed, *given, *optional, *_further_calls(module, function, owner)]
    return [*given, *_repeated(module, function)] if owner is None and not skip else given


# The object.


def _constructed(module: Module, owner: ast.ClassDef) -> list[Parameter]:
    """What the constructor of a class takes, its own or that of a class of the module that it is derived from."""
    constructor = _member(module, owner, "__init__")
    if constructor is not None:
        taken = _arguments(module, constructor, 1)
        return [
            Parameter(one.name, one.types, one.optional, "constructor")
            for one in taken
            if one.how in ("argument", "keyword")
        ]
    return [
        Parameter(name, [*types, *([DEFAULT] if optional else ())], optional, "constructor")
        for name, types, optional in _data_fields(module, owner)
    ]


def _data_fields(module: Module, owner: ast.ClassDef) -> Iterator[tuple[str, list[str], bool]]:
    """The fields of a data class, with their types and whether they have a default."""
    if not any("dataclass" in ast.unparse(one) for one in owner.decorator_list):
        return
    for one in _above(module, owner)[::-1]:
        for field in one.body:
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            is_made = field.value is not None and "init=False" in ast.unparse(field.value)
            if not is_made and "ClassVar" not in ast.unparse(field.annotation):
                types = annotated(field.annotation, module.declared.type_of) or ["int"]
                yield field.target.id, types, field.value is not None


def _above(module: Module, owner: ast.ClassDef) -> list[ast.ClassDef]:
    """A class and those of the module that it is derived from."""
    found = [owner]
    for one in found:
        for base in one.bases:
            node = module.classes.get(base.id) if isinstance(base, ast.Name) else None
            if node is not None and node not in found:
                found.append(node)
    return found


def _member(module: Module, owner: ast.ClassDef, name: str) -> FunctionNode | None:
    """A method of a class, or of one that it is derived from."""
    members = (one for kind in _above(module, owner) for one in kind.body)
    return next((one for one in members if isinstance(one, FunctionNode) and one.name == name), None)


# What is done with it.


def _further_calls(module: Module, function: FunctionNode, owner: ast.ClassDef) -> list[Parameter]:
    """Calls of methods that change the object, and one that shows what is left of it."""
    methods = {
        one.name: one
        for kind in _above(module, owner)[::-1]
        for one in kind.body
        if isinstance(one, FunctionNode) and not one.decorator_list
    }
    # A method that changes what a method changes which it calls changes the object, too.
    changing = {name for name, one in methods.items() if _changes(one)}
    calling = {name for name, one in methods.items() if _called_on_self(one) & changing}
    called = {
        name: kind
        for name, one in methods.items()
        if (name == function.name or not name.startswith("_")) and name in changing | calling
        if (kind := _as_call(module, one)) is not None
    }
    found: list[Parameter] = []
    if called:
        found.append(Parameter(BEFORE, [f"list[{_one_of(list(called.values())[:_MOST_CALLS])}]"], True, "before"))
    if function.name in changing | calling:
        shown = [
            kind
            for name, one in methods.items()
            if name != function.name and not name.startswith("_") and _says(one)
            if (kind := _as_call(module, one)) is not None
        ]
        # How an object keeps what it has is its own affair: its fields only matter where nothing else shows that.
        is_silent = not shown and not _says(function)
        fields = ", ".join(f'"{name}"' for name in _public_fields(module, owner)) if is_silent else ""
        shown = [*shown[:_MOST_CALLS], *([f"choice[{fields}]"] if fields else [])]
        if shown:
            # What it returns itself is seen where nothing follows.
            found.append(Parameter(AFTER, [_one_of([*([DEFAULT] if _says(function) else []), *shown])], True, "after"))
    return found


def _repeated(module: Module, function: FunctionNode) -> list[Parameter]:
    """Calls of a function that keeps something in its default values, which the next call finds. One that replaces None
    by a new container takes such calls, too, in case the other side is of the first kind."""
    defaults = [*function.args.defaults, *function.args.kw_defaults]
    keeps = any(map(_is_new_container, defaults))
    if not keeps and any(isinstance(one, ast.Constant) and one.value is None for one in defaults):
        names = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)}
        assigned = (node for node in walk(function) if isinstance(node, ast.Assign))
        makes = any(
            isinstance(one.targets[0], ast.Name)
            and one.targets[0].id in names
            and any(map(_is_new_container, walk(one.value)))
            for one in assigned
        )
        if not makes:
            return []
    elif not keeps:
        return []
    needed = _as_call(module, function, 0, optional=False) if isinstance(function, ast.FunctionDef) else None
    if needed is None:
        return []
    return [Parameter(BEFORE, [*([] if keeps else [DEFAULT]), f"list[{_one_of([needed])}]"], True, "before")]


def _is_new_container(node: ast.AST | None) -> bool:
    is_call = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "dict", "set")
    return is_call or isinstance(node, (ast.List, ast.Dict, ast.Set))


def _one_of(kinds: list[str]) -> str:
    return f"union[{', '.join(dict.fromkeys(kinds))}]"


def _as_call(module: Module, function: FunctionNode, skip: int = 1, optional: bool = True) -> str | None:
    """A call of a method as a type: an object with its arguments, by place; None if it cannot be called by place.

    Args:
        module: the module of the method.
        function: the method.
        skip: how many parameters are not given.
        optional: whether arguments that have a default are given, too.
    """
    needed = [one for one in _arguments(module, function, skip) if optional or not one.optional]
    types: list[str] = []
    for one in needed:
        # What is only kept may be anything.
        kind = next((kind for kind in one.types if kind != DEFAULT), "int")
        if one.how != "argument" or kind.startswith(("function", "procedure")):
            if one.optional:
                break
            return None
        types.append(kind)
    if len(types) > len(_LETTERS):
        return None
    taken = ", ".join(f"{name}: {one}" for name, one in zip(_LETTERS, types, strict=False))
    return f"{as_class(function.name)}{{{taken}}}"


def _changes(function: FunctionNode) -> bool:
    """Whether a method changes a field of its object, as far as its text shows."""
    if function.name.startswith("__"):
        return False
    for node in walk(function):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if _begins_with_self(node):
                return True
        elif isinstance(node, ast.Call):
            called = node.func
            is_change = isinstance(called, ast.Attribute) and called.attr in _CHANGES
            if is_change and isinstance(called, ast.Attribute):
                of = called.value
                if isinstance(of, (ast.Attribute, ast.Subscript, ast.Call)) and _begins_with_self(of):
                    return True
            if getattr(called, "attr", getattr(called, "id", "")) in _CHANGES and any(
                map(_begins_with_self, node.args)
            ):
                return True
    return False


def _called_on_self(function: FunctionNode) -> set[str]:
    """The methods of its object that a method calls."""
    return {
        node.func.attr
        for node in walk(function)
        if isinstance(node, ast.Call)
        if isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    }


def _begins_with_self(node: ast.expr) -> bool:
    is_field = False
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node, is_field = (node.func if isinstance(node, ast.Call) else node.value), True
    return is_field and isinstance(node, ast.Name) and node.id == "self"


def _says(function: FunctionNode) -> bool:
    """Whether a function returns something."""
    return any(
        (isinstance(node, ast.Return) and node.value is not None) or isinstance(node, (ast.Yield, ast.YieldFrom))
        for node in walk(function)
    )


def _public_fields(module: Module, owner: ast.ClassDef) -> list[str]:
    """Fields that a constructor sets, properties, and fields of a data class, whose names do not begin with an
    underscore."""
    found = [name for name, *_ in _data_fields(module, owner)]
    constructor = _member(module, owner, "__init__")
    for node in walk(constructor) if constructor is not None else ():
        is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_set and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found.append(node.attr)
    found += [
        one.name
        for kind in _above(module, owner)
        for one in kind.body
        if isinstance(one, ast.FunctionDef) and _is_decorated(one, "property")
    ]
    return [name for name in dict.fromkeys(found) if not name.startswith("_")]


# Arguments.


def _is_decorated(function: FunctionNode, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in function.decorator_list)


def _is_static(function: FunctionNode) -> bool:
    return _is_decorated(function, "staticmethod")


def _arguments(module: Module, function: FunctionNode, skip: int) -> list[Parameter]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    found = []
    for one, default in list(zip(positional, defaults, strict=True))[skip:]:
        types = module.parameter(function, one, default)
        found.append(Parameter(one.arg, types, default is not None, "argument"))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        types = module.parameter(function, one, default)
        found.append(Parameter(one.arg, types, default is not None, "keyword"))
    if arguments.vararg is not None:
        uses = module.uses(function)
        scores = module.scores(uses.names.get(arguments.vararg.arg, []), uses, 0)
        lists = sorted((one for one in scores if one.startswith("list")), key=lambda one: -scores[one])
        found.append(Parameter(arguments.vararg.arg, [*lists, "list[int]"], True, "star"))
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, ["map[str, int]"], True, "keywords"))
    return found
