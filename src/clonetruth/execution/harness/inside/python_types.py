"""Runs inside the sandbox: which types the parameters of a fragment take, from annotations, defaults, docstrings, names
and above all from use. Types are written as in `execution.inputs.types`, the likeliest first."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from clonetruth.execution.harness.inside.python_annotations import (
    FunctionNode,
    add_name,
    annotated,
    documented,
    examples,
    of_constant,
)
from clonetruth.execution.harness.inside.python_declared import DeclaredClasses, Imported
from clonetruth.execution.harness.inside.python_operators import add_arithmetic, add_comparison, add_index
from clonetruth.execution.harness.inside.python_uses import (
    Uses,
    aliases,
    asked_keys,
    expects,
    fields_of_texts,
    is_asked_for_type,
    is_key_use,
    is_plain_use,
    joins_text,
    looped,
    part,
)
from clonetruth.execution.harness.inside.python_walk import walk

DEFAULT = "default"
"""Stands for an argument that is left out."""

MOST_TYPES = 5
_DEEPEST = 3

_METHODS = {
    "str": "split upper lower strip replace startswith endswith find isdigit isalpha isupper islower isspace encode "
    "format lstrip rstrip splitlines rfind title capitalize zfill ljust rjust center swapcase isalnum translate "
    "partition join rsplit isnumeric isdecimal casefold",
    "list": "append extend sort insert reverse appendleft popleft",
    "map": "keys values items get setdefault update popitem iteritems has_key itervalues iterkeys",
    "set": "add discard union intersection difference issubset issuperset symmetric_difference",
}
_KINDS = {method: kind for kind, methods in _METHODS.items() for method in methods.split()}
_LINKS = ("next", "left", "right", "prev", "previous", "parent", "child", "random", "successor")
_MANY_LINKS = (
    "successors",
    "children",
    "neighbors",
    "neighbours",
    "adjacent",
    "edges",
    "incoming_nodes",
    "outgoing_nodes",
)
_TAKES = {
    "int": "range chr bin hex oct factorial isqrt gcd comb perm",
    "float": "sqrt floor ceil log log2 log10 exp sin cos tan round fabs radians degrees isnan",
    "str": "ord literal_eval",
    "list": "sum sorted enumerate zip reversed tuple list set max min any all Counter deque permutations combinations "
    "mean median accumulate heapify shuffle frozenset product",
    "iterator": "next",
}
_TAKEN = {function: kind for kind, functions in _TAKES.items() for function in functions.split()}
_PASSES_ON = ("enumerate", "sorted", "reversed", "set", "zip")
_CONTENTS = ("data", "val", "value", "key", "item")
"""Fields of nodes, whose names say nothing."""
_WITH_TEXTS = {
    "list[int]": "list[str]",
    "map[str, int]": "map[str, str]",
    "list[tuple[int, int]]": "list[tuple[int, str]]",
    "iterator[int]": "iterator[str]",
    "list[list[int]]": "list[list[str]]",
}


class Module:
    """The functions of a fragment by name, each with how it uses names."""

    def __init__(self, tree: ast.Module, imported: Imported | None = None) -> None:
        self.functions = {
            one.name: one for one in walk(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        self.classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
        self.whole = Uses(tree)
        self.text_fields = fields_of_texts(tree) if self.classes else frozenset()
        self.declared = DeclaredClasses(tree, imported)
        self._uses: dict[int, Uses] = {}

    def uses(self, function: ast.AST) -> Uses:
        if id(function) not in self._uses:
            self._uses[id(function)] = Uses(function)
        return self._uses[id(function)]

    # -- parameters -----------------------------------------------------------------------------------------------

    def parameter(self, function: FunctionNode, argument: ast.arg, default: ast.expr | None) -> list[str]:
        """The types of a parameter."""
        found: list[str] = []
        if argument.annotation is not None:
            found += annotated(argument.annotation, self.declared.type_of)
        found += documented(function, argument.arg)
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if argument.arg in names and names[:1] not in (["self"], ["cls"]):
            found += examples(function, names.index(argument.arg))
        if default is not None:
            found += of_constant(default)
        uses = self.uses(function)
        scores = self.scores(uses.names.get(argument.arg, []), uses, 0)
        if not found:
            if not uses.names.get(argument.arg):
                # Nothing looks at it.
                found = ["int"]
            add_name(argument.arg.lower(), scores)
            places = uses.names.get(argument.arg, [])
            if all(is_plain_use(one, uses) for one in places) or any(is_key_use(one, uses) for one in places):
                # What is only compared or reckoned with, or is a key, is not a function, whatever its name says.
                scores = {kind: score for kind, score in scores.items() if not kind.startswith("function")}
        ordered = sorted(scores, key=lambda one: -scores[one])
        if argument.annotation is not None and found[:1] == ["int"]:
            # Where a whole number is declared, another number is not an input.
            ordered = [one for one in ordered if one != "float"]
        if found and "{" in found[0] and not self._is_declared(found[0]):
            # An object has the fields that are used.
            found = [one for one in ordered if "{" in one] + found
        found += ordered
        if default is not None and DEFAULT not in found:
            found.insert(1, DEFAULT)
        found = list(dict.fromkeys(found))
        # Whose elements are declared to be numbers has no texts.
        return found[:MOST_TYPES] if isinstance(argument.annotation, ast.Subscript) else with_texts(found)

    def _is_declared(self, kind: str) -> bool:
        """Whether a type is an object of a class of the fragment, or a container of such objects."""
        return "record{" in kind or any(name in self.declared for name in re.findall(r"(\w+)\{", kind))

    def variable(self, name: str) -> list[str]:
        """The types of a name that nothing defines."""
        scores = self.scores(self.whole.names.get(name, []), self.whole, 0)
        if not any(one.startswith(("function", "procedure", name)) for one in scores):
            add_name(name.lower(), scores)
        return with_texts(sorted(scores, key=lambda one: -scores[one]))

    def receiver(self, function: FunctionNode, name: str, known: Iterable[str]) -> list[str]:
        """The types of `self`: an object with the fields that are read, apart from the methods in `known`."""
        nodes = [node for one in self.functions.values() for node in self.uses(one).names.get(name, [])]
        fields = self._fields(nodes, self.whole, 0, set(known))
        if not fields:
            return ["Receiver{}"]
        likely = ", ".join(f"{field}: {types[0]}" for field, types in fields.items())
        found = ["Receiver{" + likely + "}"]
        for field in fields:
            for other in fields[field][1:3]:
                parts = (f"{one}: {other if one == field else types[0]}" for one, types in fields.items())
                found.append("Receiver{" + ", ".join(parts) + "}")
        return found[:MOST_TYPES]

    # -- use ------------------------------------------------------------------------------------------------------

    def scores(self, nodes: Sequence[ast.expr], uses: Uses, depth: int) -> dict[str, float]:
        """Types with scores, by how the value is used."""
        scores: dict[str, float] = defaultdict(float)
        everywhere = [*nodes, *(other for node in nodes for other in aliases(node, uses))] if depth < 2 else list(nodes)
        for node in everywhere:
            self._use(node, uses, depth, scores)
        if asked_keys(everywhere, uses):
            scores["map[_key_, _inner_]"] += 1 + max(scores.values(), default=0)
        elements = self._elements(everywhere, uses)
        calls = [up for node in everywhere if isinstance(up := uses.parent(node), ast.Call) and up.func is node]
        if calls:
            scores[self._function(calls, uses, depth)] += 5
        fields = self._fields(everywhere, uses, depth, set()) if depth < 2 else {}
        fields = {
            name: types
            for name, types in fields.items()
            if name not in _KINDS and name not in ("count", "index", "copy", "pop", "remove", "clear")
        }
        if fields:
            scores[_object(fields)] += 4
        inner = self._inner(elements, uses, depth)
        key = self._key(everywhere, uses, depth)
        if depth == 0 and any(is_asked_for_type(one, uses) for one in elements):
            scores["list[any]"] += 1.6
        return {
            kind.replace("_inner_", inner).replace("_key_", key): score for kind, score in scores.items() if score > 0
        }

    def _key(self, nodes: Sequence[ast.expr], uses: Uses, depth: int) -> str:
        """The type of the keys of a map: by loops over it and by what it is asked for."""
        keys = [use for name in asked_keys(nodes, uses) for use in uses.names.get(name, [])]
        for node in nodes:
            up = uses.parent(node)
            if isinstance(up, ast.Subscript) and up.value is node and isinstance(up.slice, ast.Tuple):
                return f"tuple[{', '.join('int' for _ in up.slice.elts)}]"
            target: ast.expr | None = None
            if isinstance(up, (ast.For, ast.comprehension)) and up.iter is node:
                target = up.target
            elif isinstance(up, ast.Attribute) and up.attr in ("items", "keys", "iteritems", "iterkeys"):
                target = looped(up, uses)
                if isinstance(target, ast.Tuple) and up.attr.endswith("items"):
                    target = target.elts[0]
            if isinstance(target, ast.Tuple):
                return f"tuple[{', '.join('int' for _ in target.elts)}]"
            if isinstance(target, ast.Name):
                keys += uses.names.get(target.id, [])
        scores = self.scores(keys, uses, depth + 1) if keys and depth < 2 else {}
        # A key that is asked for has the type that it has elsewhere.
        least = 0.5 if asked_keys(nodes, uses) else 2
        best = _best(scores) if max(scores.values(), default=0) >= least else "str"
        return best if best.startswith(("int", "str", "tuple", "float")) else "str"

    def _inner(self, elements: Sequence[ast.expr], uses: Uses, depth: int) -> str:
        if depth >= _DEEPEST or not elements:
            return "int"
        tuples = [one for one in elements if isinstance(one, ast.Tuple)]
        if tuples:
            parts = []
            for part in tuples[0].elts:
                names = uses.names.get(part.id, []) if isinstance(part, ast.Name) else []
                parts.append(_best(self.scores(names, uses, depth + 1)))
            return f"tuple[{', '.join(parts)}]"
        return _best(self.scores(elements, uses, depth + 1))

    def _elements(self, nodes: Sequence[ast.expr], uses: Uses) -> list[ast.expr]:
        """Expressions that are elements of the value: loop variables and what an index gives."""
        found: list[ast.expr] = []
        for node in nodes:
            up = uses.parent(node)
            target: ast.expr | None = None
            if isinstance(up, (ast.For, ast.comprehension)) and up.iter is node:
                target = up.target
            elif isinstance(up, ast.Subscript) and up.value is node and not isinstance(up.slice, ast.Slice):
                found.append(up)
            elif isinstance(up, ast.Call) and isinstance(up.func, ast.Name) and up.func.id in _PASSES_ON:
                above = uses.parent(up)
                if isinstance(above, (ast.For, ast.comprehension)) and above.iter is up:
                    target = part(up, up.func.id, node, above.target)
            elif isinstance(up, ast.Attribute) and up.attr in ("items", "values", "iteritems", "itervalues"):
                target = looped(up, uses)
                if isinstance(target, ast.Tuple) and up.attr.endswith("items"):
                    target = target.elts[-1]
            elif isinstance(up, ast.Attribute) and up.attr == "popitem":
                assigned = uses.parent(call) if (call := uses.parent(up)) is not None else None
                targets = assigned.targets if isinstance(assigned, ast.Assign) else []
                target = targets[0].elts[-1] if targets and isinstance(targets[0], ast.Tuple) else None
            if isinstance(target, ast.Name):
                found += uses.names.get(target.id, [])
            elif isinstance(target, ast.Tuple):
                found.append(target)
        return found

    def _function(self, calls: Sequence[ast.Call], uses: Uses, depth: int) -> str:
        """The type of what is called: a function by what becomes of its result; its calls matter if nothing does."""
        dropped = any(isinstance(uses.parent(call), ast.Expr) for call in calls)
        scores = self.scores(calls, uses, depth + 1) if depth < _DEEPEST else {}
        result = _best(scores) if max(scores.values(), default=0) > 1 else "any"
        if result == "any" and any(_is_question(call.func) for call in calls):
            result = "bool"
        return f"{'procedure' if dropped else 'function'}[{result}]"

    def _fields(self, nodes: Sequence[ast.expr], uses: Uses, depth: int, known: set[str]) -> dict[str, list[str]]:
        by_name: dict[str, list[ast.expr]] = defaultdict(list)
        for node in nodes:
            # Nodes of several functions: the parent is asked where all are known.
            up = self.whole.parent(node) or uses.parent(node)
            if not isinstance(up, ast.Attribute) or up.attr in known or up.attr.endswith("__"):
                continue
            if isinstance(up.ctx, ast.Load) or isinstance(self.whole.parent(up), ast.AugAssign):
                by_name[up.attr].append(up)
        found: dict[str, list[str]] = {}
        for name, places in by_name.items():
            scores = self.scores(places, self.whole, depth + 1)
            if name not in _CONTENTS and not any(one.startswith(("function", "procedure")) for one in scores):
                add_name(name.strip("_").lower(), scores)
            found[name] = sorted(scores, key=lambda one: -scores[one]) or ["int"]
        return found

    def _use(self, node: ast.expr, uses: Uses, depth: int, scores: dict[str, float]) -> None:
        up = uses.parent(node)
        if isinstance(up, ast.Attribute):
            self._method(up, uses, scores)
        elif isinstance(up, ast.Call) and up.func is not node:
            self._passed(node, up, depth, scores, uses)
        elif isinstance(up, ast.Subscript) and up.value is node:
            add_index(up, scores)
            if expects(up, "KeyError", uses):
                scores["map[_key_, _inner_]"] += 3
        elif isinstance(up, (ast.Subscript, ast.Slice)):
            scores["int"] += 1
        elif isinstance(up, (ast.For, ast.comprehension)) and up.iter is node:
            scores["list[_inner_]"] += 2
            scores["str"] += 0.8
        elif isinstance(up, ast.BinOp):
            add_arithmetic(node, up, scores)
            if isinstance(up.op, ast.Mult) and joins_text(uses.parent(up), uses):
                scores["str"] += 3 if up.left is node else 1
        elif isinstance(up, ast.UnaryOp):
            kind = "bool" if isinstance(up.op, ast.Not) else "int"
            scores[kind] += 0.3 if kind == "bool" else 2
        elif isinstance(up, ast.AugAssign):
            is_text = isinstance(up.target, ast.Attribute) and up.target.attr in self.text_fields
            scores["str" if is_text else "int"] += 4 if is_text else 1
        elif isinstance(up, ast.Compare):
            add_comparison(node, up, scores)
        elif isinstance(up, (ast.If, ast.While, ast.IfExp)) and up.test is node:
            scores["bool"] += 0.5
        elif isinstance(up, ast.BoolOp):
            scores["bool"] += 0.4
        elif isinstance(up, ast.FormattedValue):
            scores["str"] += 0.3
        elif isinstance(up, ast.Starred):
            scores["list[_inner_]"] += 1
        elif isinstance(up, ast.Assign) and isinstance(up.targets[0], ast.Tuple):
            parts = ", ".join("int" for _ in up.targets[0].elts)
            scores[f"tuple[{parts}]"] += 3

    def _method(self, attribute: ast.Attribute, uses: Uses, scores: dict[str, float]) -> None:
        called = isinstance(above := uses.parent(attribute), ast.Call) and above.func is attribute
        kind = _KINDS.get(attribute.attr)
        if kind and called:
            full = {"list": "list[_inner_]", "map": "map[_key_, _inner_]", "set": "set[int]"}.get(kind, kind)
            scores[full] += 4
            if attribute.attr == "update":
                scores["map[str, int]"] += 1
        elif attribute.attr in ("__getitem__", "__contains__"):
            scores["map[_key_, _inner_]"] += 4
        elif attribute.attr in ("count", "index", "copy", "pop", "remove", "clear"):
            scores["list[_inner_]"] += 2

    def _passed(self, node: ast.expr, call: ast.Call, depth: int, scores: dict[str, float], uses: Uses) -> None:
        function = call.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if name == "len":
            scores["list[_inner_]"] += 1.5
            scores["str"] += 1.3
        elif name == "isinstance" and call.args[0] is node and len(call.args) > 1:
            for one in annotated(call.args[1]):
                scores[one] += 1.5
        elif name in ("map", "filter", "reduce") and len(call.args) > 1:
            scores["function[int]" if call.args[0] is node else "list[int]"] += 2
        elif name == "int":
            scores["str"] += 1
            scores["int"] += 0.9
        elif name in ("str", "print", "float", "abs", "divmod", "pow"):
            scores["int"] += 0.7
            scores["float"] += 0.3
        elif name == "join":
            scores["list[str]"] += 3
        elif name == "update":
            scores["map[_key_, _inner_]"] += 2
        elif name in ("append", "add", "insert", "index", "count", "remove"):
            scores["int"] += 0.2
        elif name in ("max", "min") and len(call.args) > 1:
            scores["int"] += 1
        elif name in ("split", "strip", "replace", "startswith", "endswith", "find"):
            scores["str"] += 2
        elif name in self.functions and depth == 0 and not call.keywords:
            self._handed_on(node, call, self.functions[name], scores)
        elif name in _TAKEN:
            kind = _TAKEN[name]
            full = {"list": "list[_inner_]", "iterator": "iterator[_inner_]"}.get(kind, kind)
            scores[full] += 2
            if kind == "float":
                scores["int"] += 1.5
            if kind == "list":
                scores["str"] += 0.3

    def _handed_on(self, node: ast.expr, call: ast.Call, function: FunctionNode, scores: dict[str, float]) -> None:
        """What the function that gets the value does with it."""
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        names = names[1:] if names[:1] == ["self"] else names
        place = next((at for at, one in enumerate(call.args) if one is node), None)
        if place is not None and place < len(names):
            inner = self.uses(function)
            for kind, score in self.scores(inner.names.get(names[place], []), inner, 1).items():
                scores[kind] += score


def with_texts(types: Sequence[str]) -> list[str]:
    """Types, at most as many as are tried; containers of numbers also with texts, because numbers are what is assumed
    where nothing says what is inside."""
    first = list(types[:MOST_TYPES])
    more = [_WITH_TEXTS[one] for one in first if one in _WITH_TEXTS]
    return list(dict.fromkeys([*first, *more]))[: MOST_TYPES + 1]


def _is_question(function: ast.expr) -> bool:
    """Whether the name of a function, such as `is_list`, says that it answers yes or no."""
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return re.match(r"_?(is|has|can|should)(_|[A-Z])", name) is not None


def _best(scores: dict[str, float]) -> str:
    return max(scores, key=lambda one: scores[one]) if scores else "int"


def _object(fields: dict[str, list[str]]) -> str:
    """An object; fields that link it to others of its kind say what it is."""
    links = [name for name in fields if name in _LINKS]
    many = [name for name in fields if name in _MANY_LINKS]
    if many:
        parts = [f"{one}: {'list[GraphNode]' if one in many else types[0]}" for one, types in fields.items()]
        return f"GraphNode{{{', '.join(parts)}}}"
    name = (
        "TreeNode"
        if "left" in fields or "right" in fields
        else "ListNode"
        if "next" in fields or "successor" in fields
        else "Item"
    )
    parts = [f"{one}: {name + '?' if one in links else types[0]}" for one, types in fields.items()]
    if links and not any(one in fields for one in ("val", "value", "data", "key", "item")):
        parts.insert(0, "val: int")
    if name == "TreeNode":
        parts += [f"{one}: TreeNode?" for one in ("left", "right") if one not in fields]
    return f"{name}{{{', '.join(parts)}}}" + ("?" if links else "")
