"""Runs inside the sandbox: types that are written: in annotations, docstrings, defaults and names of parameters."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Sequence

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Declared = Callable[[str], "str | None"]

_NAME_WEIGHT = 2.2
_NAMED = (
    (r"(matrix|grid|board|mat|maze|graph_matrix)\d?", "list[list[int]]"),
    (r"(s|st|str|string|text|word|sentence|line|name|msg|message|pattern|phrase|sub|substr|filename|path|char|ch|url"
     r"|prefix|suffix|email|password|expression|expr|haystack|needle|letter|letters|chars|alphabet|character|dirname"
     r"|directory|folder)\d?|\w+_(str|string|text|name)", "str"),
    (r"(words|strings|names|lines|strs|tokens|sentences)\d?", "list[str]"),
    (r"(lst|arr|array|nums|numbers|list|l|seq|sequence|items|values|xs|data|integers|vals|elements|a_list|points)\d?"
     r"|\w+_(list|array|nums)", "list[int]"),
    (r"(d|dic|dict|dictionary|mapping|counts|graph|kwargs)\d?|\w+_(dict|map)", "map[str, int]"),
    (r"(fn|func|function|f|callback|predicate|pred|key|cmp|comparator|op)\d?", "function[int]"),
    (r"(flag|is_\w+|has_\w+|reverse|verbose|debug|strict)", "bool"),
    (r"(head|l1|l2|list_node)", "ListNode{val: int, next: ListNode?}"),
    (r"(root|tree|root1|root2)", "TreeNode{val: int, left: TreeNode?, right: TreeNode?}"),
    (r"(n|num|number|x|y|i|j|k|m|count|total|a|b|c|year|month|day|size|length|width|height|limit|amount|target|low|high"
     r"|lo|hi|start|end|index|idx|base|exp|power|age|max_\w+|min_\w+|num_\w+|n_\w+|depth|level|position)\d?", "int"),
    (r"(price|rate|radius|ratio|weight|percent|temperature|temp|epsilon|eps|tolerance|lat|lon)\d?", "float"),
)  # fmt: skip


def of_constant(node: ast.expr) -> list[str]:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        kinds = {bool: ["bool"], int: ["int"], float: ["float", "int"], str: ["str"], bytes: ["bytes"]}
        return kinds.get(type(node.value), [])
    if isinstance(node, ast.List):
        return ["list[int]"]
    if isinstance(node, ast.Tuple):
        parts = [(of_constant(one) or ["int"])[0] for one in node.elts]
        return [f"tuple[{', '.join(parts)}]"] if parts else []
    if isinstance(node, ast.Dict):
        return ["map[str, int]"]
    return []


_SIMPLE = {
    "int": "int", "float": "float", "str": "str", "bool": "bool", "bytes": "bytes", "list": "list[int]",
    "List": "list[int]", "dict": "map[str, int]", "Dict": "map[str, int]", "set": "set[int]", "Set": "set[int]",
    "tuple": "list[int]", "Tuple": "list[int]", "Sequence": "list[int]", "Iterable": "list[int]", "Any": "any",
    "Iterator": "iterator[int]", "Callable": "function[int]", "Decimal": "decimal", "Number": "int", "complex": "float",
    "Mapping": "map[str, int]", "basestring": "str", "unicode": "str", "long": "int", "array": "list[int]",
    "integer": "int", "string": "str", "boolean": "bool", "number": "int", "dictionary": "map[str, int]",
    "Text": "str", "ListNode": "ListNode{val: int, next: ListNode?}?",
    "TreeNode": "TreeNode{val: int, left: TreeNode?, right: TreeNode?}?", "date": "date", "datetime": "datetime",
    "time": "time", "timedelta": "duration", "Path": "path", "PurePath": "path",
}  # fmt: skip
_GENERIC = {
    "list": "list", "List": "list", "set": "set", "Set": "set", "frozenset": "set", "FrozenSet": "set", "deque": "list",
    "Sequence": "list", "Iterable": "list", "Collection": "list", "Iterator": "iterator", "MutableSequence": "list",
    "Deque": "list", "Generator": "iterator",
}  # fmt: skip


KNOWN_TYPES = frozenset(
    {*_SIMPLE, *_GENERIC, "Optional", "Union", "Literal", "object", "None", "Protocol", "ABC", "Generic", "TypedDict"}
    | {"NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "Exception", "ValueError", "ABCMeta"}
)
"""Names that no file of a project declares."""
_WORDS = re.compile(
    "int|float|decimal|bool|str|char|bytes|none|any|default|path|tuple|union|list|set|map|iterator|function|procedure"
    "|date|datetime|time|duration|choice|record"
)
"""Words of `execution.inputs.types` that a class or a method can be named, too."""
_TRANSPARENT = ("Annotated", "Final", "Required", "NotRequired", "ReadOnly", "InitVar")


def as_class(name: str) -> str:
    """The name of a class or method as `execution.inputs.types` writes it."""
    return f"'{name}" if _WORDS.fullmatch(name) else name


def annotated(note: ast.expr, declared: Declared = lambda name: None) -> list[str]:
    """The types that an annotation says; empty if it says none that can be made.

    Args:
        note: the annotation.
        declared: the type of a class of the fragment, by name; None if there is none.
    """
    if isinstance(note, ast.Constant) and isinstance(note.value, str):
        try:
            return annotated(ast.parse(note.value, mode="eval").body, declared)
        except SyntaxError:
            return []
    if isinstance(note, (ast.Name, ast.Attribute)):
        name = note.id if isinstance(note, ast.Name) else note.attr
        found = declared(name) or _SIMPLE.get(name)
        return [found] if found else []
    if isinstance(note, ast.Tuple):
        return [one for part in note.elts for one in annotated(part, declared)]
    if isinstance(note, ast.BinOp) and isinstance(note.op, ast.BitOr):
        return _union([note.left, note.right], declared)
    if isinstance(note, ast.Subscript):
        name = note.value.id if isinstance(note.value, ast.Name) else getattr(note.value, "attr", "")
        parts = note.slice.elts if isinstance(note.slice, ast.Tuple) else [note.slice]
        if name == "Optional":
            return _union([*parts, ast.Constant(None)], declared)
        if name == "Union":
            return _union(parts, declared)
        if name == "Literal":
            return _choice(parts)
        if name in _TRANSPARENT:
            return annotated(parts[0], declared)
        return _generic(name, parts, declared)
    return []


def _choice(parts: Sequence[ast.expr]) -> list[str]:
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    if len(values) < len(parts) or not all(isinstance(one, (str, int)) for one in values):
        return []
    return [f"choice[{', '.join(map(json.dumps, values))}]"]


def _union(parts: Sequence[ast.expr], declared: Declared) -> list[str]:
    """One of several types: all of them in turn, then each alone. Numbers of two kinds are tried in turn anyway."""
    parts = [*_alternatives(parts)]
    each = [annotated(part, declared)[:1] for part in parts]
    found = list(dict.fromkeys(one for ones in each for one in ones))
    if len(found) > 1 and not {one.rstrip("?") for one in found} <= {"int", "float"}:
        found.insert(0, f"union[{', '.join(found)}]")
    if any(isinstance(part, ast.Constant) and part.value is None for part in parts):
        return [one if one.endswith("?") else one + "?" for one in found]
    return found


def _alternatives(parts: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """The parts of a union, which `int | str | None` nests."""
    for part in parts:
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            yield from _alternatives([part.left, part.right])
        else:
            yield part


def _generic(name: str, parts: Sequence[ast.expr], declared: Declared) -> list[str]:
    inner = [(annotated(part, declared) or ["int"])[0] for part in parts]
    if name in _GENERIC:
        return [f"{_GENERIC[name]}[{inner[0]}]"]
    if name in ("dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "defaultdict"):
        return [f"map[{inner[0]}, {inner[-1]}]"]
    if name == "Counter":
        return [f"map[{inner[0]}, int]"]
    if name in ("tuple", "Tuple"):
        if isinstance(parts[-1], ast.Constant) and parts[-1].value is ...:
            return [f"list[{inner[0]}]"]
        return [f"tuple[{', '.join(inner)}]"]
    if name == "Callable":
        return [f"function[{inner[-1]}]"]
    return []


_DOCUMENTED = (
    r"(?::param\s+(?P<a>[\w\[\], ]+?)\s+{0}\s*:|:type\s+{0}\s*:\s*(?P<b>[\w\[\], .]+)"
    r"|^\s*{0}\s*[(:]\s*(?P<c>[\w\[\], ]+))"
)


def documented(function: FunctionNode, name: str) -> list[str]:
    """What the docstring says about a parameter, if it is a type."""
    text = ast.get_docstring(function)
    found = re.search(_DOCUMENTED.format(re.escape(name)), text, re.MULTILINE) if text else None
    if found is None:
        return []
    said = next(one for one in found.groups() if one is not None).strip().split(" or ")[0].split(",")[0]
    if "[" in said and "]" not in said:
        said = next(one for one in found.groups() if one is not None).strip()
    try:
        return annotated(ast.parse(said.split(" of ")[0].strip(), mode="eval").body)
    except SyntaxError:
        return annotated(ast.Name(said.split()[-1])) if said.split() else []


def add_name(name: str, scores: dict[str, float]) -> None:
    """What the name of a parameter says; a single letter says little."""
    for pattern, kind in _NAMED:
        if re.fullmatch(pattern, name):
            head = re.split(r"[\[{]", kind)[0]
            known = next((one for one in scores if head != kind and re.split(r"[\[{]", one)[0] == head), kind)
            scores[known] = scores.get(known, 0) + (_NAME_WEIGHT if len(name) > 2 or name == "s" else _NAME_WEIGHT / 2)
            return


def examples(function: FunctionNode, place: int) -> list[str]:
    """The types of an argument in the examples of the docstring, such as `>>> f([1], "a")`."""
    found: list[str] = []
    for text in re.findall(
        rf">>>\s*({re.escape(function.name)}\s*\(.*\))\s*$", ast.get_docstring(function) or "", re.M
    ):
        try:
            call = ast.parse(text, mode="eval").body
        except SyntaxError:
            continue
        if isinstance(call, ast.Call) and place < len(call.args):
            kind = _of_literal(call.args[place])
            found += [kind] if kind else []
    return list(dict.fromkeys(found))


def _of_literal(node: ast.expr) -> str:
    """The type of a literal; empty if it is none, or has elements of several types."""
    if isinstance(node, (ast.List, ast.Set)):
        inner = {_of_literal(one) for one in node.elts} or {"int"}
        name = "list" if isinstance(node, ast.List) else "set"
        return f"{name}[{inner.pop()}]" if len(inner) == 1 and "" not in inner else ""
    if isinstance(node, ast.Tuple):
        parts = [_of_literal(one) for one in node.elts]
        return (
            f"list[{parts[0]}]"
            if parts and len(set(parts)) == 1 and parts[0] and len(parts) > 2
            else (f"tuple[{', '.join(parts)}]" if parts and all(parts) else "")
        )
    if isinstance(node, ast.Dict) and node.keys and node.keys[0] is not None:
        key, value = _of_literal(node.keys[0]), _of_literal(node.values[0])
        return f"map[{key}, {value}]" if key and value else ""
    return (of_constant(node) or [""])[0]
