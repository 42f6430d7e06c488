"""What may be passed to functions of JavaScript and TypeScript: from annotations, comments, defaults and use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from clonetruth.execution.harness.text_edits import text_of, walk
from clonetruth.execution.inputs.types import InputType

INT, FLOAT, STR, BOOL = InputType("int"), InputType("float"), InputType("str"), InputType("bool")
DATE = InputType("datetime")
BYTE = InputType("int", bits=8, signed=False)
NODE_FIELDS = ("val", "value", "data", "key", "left", "right", "next", "prev", "children", "neighbors", "random")
"""Fields of nodes, in the order in which constructors usually take them."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_TEXT_METHODS = words(
    "charAt charCodeAt codePointAt split toUpperCase toLowerCase trim trimStart trimEnd substring substr replace "
    "replaceAll startsWith endsWith padStart padEnd repeat match matchAll localeCompare normalize search"
)
_LIST_METHODS = words(
    "push pop shift unshift sort map filter reduce reduceRight forEach splice every some find findIndex flat "
    "flatMap reverse fill join findLast copyWithin"
)
_DATE_METHODS = words(
    "getTime getTimezoneOffset toISOString toDateString "
    "getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds "
    "getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds getUTCMilliseconds"
)
_EITHER_METHODS = words("length slice indexOf lastIndexOf includes concat at")
_SAME_ELEMENTS = words("sort filter slice reverse concat toSorted toReversed")
_CALLBACKS = words("map filter forEach every some find findIndex flatMap findLast")
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})
_COMPARISONS = frozenset({"<", ">", "<=", ">="})
_EQUALITIES = frozenset({"==", "===", "!=", "!=="})
_FUNCTIONS = (
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function",
)
_TRANSPARENT = ("parenthesized_expression", "non_null_expression", "as_expression")
_PATTERNS = ("object_pattern", "array_pattern")
_NAMES_IN_PATTERNS = ("identifier", "shorthand_property_identifier_pattern")
_OF_TEXTS = words("String encodeURIComponent decodeURIComponent escape unescape parseInt parseFloat JSON.parse")
_FUNCTION_NAME = re.compile(r"(?i)^(fn|func|cb)$|(callback|handler|listener|predicate|iteratee|comparator|reducer)$")
"""Names of functions, for parameters that are only kept."""
_TEXT_NAME = re.compile(r"(\w*_)?(text|str|string|word|sentence|phrase|title)|\w+(Text|String|Word|Sentence|Title)")
_BYTES_NAME = re.compile(r"(?i)bytes|buffer|buf|octets|(\w+_?)?(bytes|buffer)")
_MAX_DEPTH = 4
_FURTHER = "note"


@dataclass
class UseEvidence:
    """What the uses of an expression say about its type.

    Attributes:
        votes: for "number", "text", "list", "either" (text or list), "map", "set", "node", "truth", "function".
        elements: expressions that stand for elements of it.
        patterns: patterns that take elements of it apart, such as `{ x, y }`, each with where its names are used.
        fields: of an object.
        defaults: what fields are where the object lacks them; None for fields that it must have.
        fraction: whether something says that fractions matter.
    """

    votes: Counter[str] = field(default_factory=Counter)
    elements: list[tree_sitter.Node] = field(default_factory=list)
    patterns: list[tuple[tree_sitter.Node, tree_sitter.Node]] = field(default_factory=list)
    fields: dict[str, list[tree_sitter.Node]] = field(default_factory=dict)
    defaults: dict[str, tree_sitter.Node | None] = field(default_factory=dict)
    fraction: bool = False


@dataclass(frozen=True)
class TypeReader:
    """Reads types of one text.

    Attributes:
        root: its tree.
        functions: the functions of the text by name, to follow arguments.
    """

    root: tree_sitter.Node
    functions: Mapping[str, tree_sitter.Node] = field(default_factory=dict)

    def inferred(self, function: tree_sitter.Node, name: str) -> tuple[InputType, ...]:
        """Candidates for a parameter by its uses, the likeliest first; empty if nothing is known."""
        body = function.child_by_field_name("body")
        found = self._types(self._named(body or function, name), 0, frozenset())
        if not found and _FUNCTION_NAME.search(name):
            return (InputType("function", (INT,)),)
        if STR in found and _TEXT_NAME.fullmatch(name):
            # Its length and its parts alone would be those of a list, too.
            return (STR,)
        if found[:1] == (InputType("list", (INT,)),) and _BYTES_NAME.fullmatch(name):
            return (InputType("list", (BYTE,)),)
        return found

    def destructured(self, function: tree_sitter.Node, pattern: tree_sitter.Node) -> tuple[InputType, ...]:
        """The type of a parameter that is a pattern, `{ a, b = 1, c: name }`: an object with these fields."""
        fields: list[tuple[str, InputType]] = []
        for name, (target, default) in fields_of_pattern(pattern).items():
            literal = literal_type(default) if default is not None else None
            kind = literal or next(iter(self.inferred(function, text_of(target))), STR)
            fields.append((name, kind if default is None else _left_out(kind)))
        return (InputType("object", name="Object", fields=tuple(fields)),) if fields else ()

    def _taken_apart(self, scope: tree_sitter.Node, pattern: tree_sitter.Node) -> tuple[InputType, ...]:
        """The type of an element of which a pattern takes parts: an object, or a list of one length."""
        if pattern.type == "object_pattern":
            return self.destructured(scope, pattern)
        names = [one for one in pattern.named_children if one.type == "identifier"]
        if len(names) < 2 or len(names) < len(pattern.named_children):
            return ()
        return (InputType("tuple", tuple(next(iter(self.inferred(scope, text_of(one))), INT) for one in names)),)

    def _field_types(self, found: UseEvidence, depth: int, followed: frozenset[str]) -> dict[str, InputType]:
        """The types of the fields of an object, by use and by what stands for those that it lacks."""
        kinds: dict[str, InputType] = {}
        for name, nodes in found.fields.items():
            types = self._types(nodes, depth + 1, followed) if depth < _MAX_DEPTH else ()
            default = found.defaults.get(name)
            default = default if default is not None else next(filter(None, map(_instead, nodes)), None)
            kind = (literal_type(default) if default is not None else None) or (types[0] if types else INT)
            kinds[name] = _left_out(kind) if default is not None else kind
        return kinds

    def _named(self, scope: tree_sitter.Node, name: str) -> list[tree_sitter.Node]:
        wanted = name.encode()
        return [one for one in walk(scope) if one.type == "identifier" and one.text == wanted]

    def _types(self, nodes: Sequence[tree_sitter.Node], depth: int, followed: frozenset[str]) -> tuple[InputType, ...]:
        found = UseEvidence()
        for node in nodes:
            self._examine(node, found, depth, followed)
        votes = found.votes
        if votes["function"] > max(votes["list"], votes["text"], votes["number"]):
            # Methods of arrays pass further arguments to a function, others do not: only what is called here is known.
            called = all(one.parent is not None and one.parent.type == "call_expression" for one in nodes)
            return (InputType("function", (INT,)), InputType("function", (BOOL,))) if called and depth == 0 else ()
        if votes["date"]:
            return (DATE,)
        if votes["node"] and not votes["number"]:
            return (_node_type(self._field_types(found, depth, followed)),)
        ranked: list[InputType] = []
        if votes["list"] or votes["either"] or found.elements:
            inner = self._types(found.elements, depth + 1, followed) if depth < _MAX_DEPTH else ()
            inner = next(filter(None, (self._taken_apart(*one) for one in found.patterns)), inner)
            lists = [InputType("list", (one,)) for one in (inner or (INT, STR))[:3]]
            is_text = votes["text"] > votes["list"]
            if is_text:
                ranked += [STR]
            elif votes["list"]:
                ranked += lists
            else:
                ranked += [*lists[:1], STR, *lists[1:]]
        elif votes["text"]:
            ranked += [STR]
        if votes["map"] > votes["list"] + votes["number"]:
            ranked = [InputType("map", (STR, INT)), InputType("map", (STR, STR)), *ranked]
        if votes["set"]:
            ranked = [InputType("set", (INT,)), InputType("set", (STR,)), *ranked]
        if votes["number"] and votes["number"] >= votes["text"] and not ranked:
            ranked += [FLOAT, INT] if found.fraction else [INT, FLOAT]
        elif votes["number"]:
            ranked += [INT]
        if votes["truth"] and not ranked:
            ranked += [BOOL]
        return tuple(dict.fromkeys(ranked))

    def _examine(self, node: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]) -> None:
        parent = node.parent
        while parent is not None and parent.type in (
            "parenthesized_expression",
            "non_null_expression",
            "as_expression",
        ):
            node, parent = parent, parent.parent
        if parent is None:
            return
        examine = getattr(self, f"_in_{parent.type}", None)
        if examine is not None:
            examine(node, parent, found, depth, followed)

    # Each method looks at an expression in one kind of surroundings.

    def _in_member_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        if parent.child_by_field_name("object") != node:
            return
        name = text_of(parent.child_by_field_name("property"))
        call = parent.parent if parent.parent is not None and parent.parent.type == "call_expression" else None
        if name in _SAME_ELEMENTS and call is not None and depth < _MAX_DEPTH:
            # What is done with a copy says what is in it.
            self._examine(call, found, depth + 1, followed)
        if name in _TEXT_METHODS:
            found.votes["text"] += 2
        elif name in _DATE_METHODS and call is not None:
            found.votes["date"] += 2
        elif name in _LIST_METHODS:
            found.votes["list"] += 2
            self._callback_elements(name, call, found)
        elif name in _EITHER_METHODS:
            found.votes["either"] += 1
        elif name in ("get", "set", "entries", "values") and call is not None:
            found.votes["map"] += 2
        elif name in ("has", "size", "delete"):
            found.votes["map"] += 1
            found.votes["set"] += 0
        elif name == "add" and call is not None:
            found.votes["set"] += 2
        elif name in ("toFixed", "toPrecision"):
            found.votes["number"] += 2
            found.fraction = True
        elif call is None and name.isidentifier() and name != "constructor":
            found.fields.setdefault(name, []).append(parent)
            found.votes["node"] += 1

    def _callback_elements(self, name: str, call: tree_sitter.Node | None, found: UseEvidence) -> None:
        arguments = call.child_by_field_name("arguments") if call is not None else None
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if first is None or first.type not in ("arrow_function", "function_expression"):
            if name == "push" and first is not None:
                found.elements.append(first)
            return
        names = parameter_patterns(first)
        wanted = names[:1] if name in _CALLBACKS else names[1:2] if name == "reduce" else names[:2]
        if name == "sort" or name in _CALLBACKS or name == "reduce":
            for one in wanted:
                if one.type in _PATTERNS:
                    found.patterns.append((first, one))
                found.elements += self._named(first, text_of(one))

    def _in_subscript_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        if parent.child_by_field_name("object") == node:
            index = parent.child_by_field_name("index")
            found.votes["map" if index is not None and index.type in ("string", "template_string") else "either"] += 1
            found.elements.append(parent)
        else:
            found.votes["number"] += 1

    def _in_for_in_statement(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        if parent.child_by_field_name("right") != node:
            return
        if text_of(parent.child_by_field_name("operator")) == "in":
            found.votes["map"] += 2
            return
        found.votes["either"] += 1
        left = parent.child_by_field_name("left")
        if left is not None and left.type == "identifier":
            found.elements += [one for one in self._named(parent, text_of(left)) if one != left]
        elif left is not None and left.type in _PATTERNS:
            found.votes["list"] += 1
            found.patterns.append((parent, left))

    def _in_binary_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        operator = text_of(parent.child_by_field_name("operator"))
        sides = [parent.child_by_field_name(one) for one in ("left", "right")]
        other = next((one for one in sides if one is not None and one != node), None)
        kind = other.type if other is not None else ""
        if operator in _ARITHMETIC:
            found.votes["number"] += 2
            found.fraction = found.fraction or (kind == "number" and "." in text_of(other))
        elif operator in _COMPARISONS:
            found.votes["number"] += 2 if kind in ("number", "unary_expression") else 1
        elif operator in _EQUALITIES or operator == "+":
            if kind == "number" or (kind == "unary_expression" and text_of(other).startswith("-")):
                found.votes["number"] += 2 if operator != "+" else 1
            elif kind in ("string", "template_string"):
                found.votes["text"] += 1
            elif kind in ("true", "false"):
                found.votes["truth"] += 1
            elif operator == "+":
                found.votes["number"] += 1
        elif operator == "in" and other == sides[0]:
            found.votes["map"] += 2
        elif operator in ("||", "??") and kind in ("object", "array"):
            # The same value, where it is given.
            found.votes["list"] += kind == "array"
            self._examine(parent, found, depth, followed)
        elif operator in ("&&", "||"):
            found.votes["truth"] += 1

    def _in_augmented_assignment_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        found.votes["number"] += 1 if text_of(parent).count("+=") else 2

    def _in_update_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        found.votes["number"] += 2

    def _in_unary_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        operator = text_of(parent.child_by_field_name("operator"))
        if operator in ("-", "~"):
            found.votes["number"] += 2
        elif operator == "!":
            found.votes["truth"] += 1
        elif operator == "typeof" and parent.parent is not None:
            said = re.search(r"['\"](\w+)['\"]", text_of(parent.parent))
            kinds = {"string": "text", "number": "number", "boolean": "truth", "function": "function"}
            if said and said[1] in kinds:
                found.votes[kinds[said[1]]] += 1

    def _in_spread_element(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        grand = parent.parent.parent if parent.parent is not None else None
        found.votes["either"] += 1
        if parent.parent is not None and parent.parent.type == "array" and depth < _MAX_DEPTH:
            self._examine(parent.parent, found, depth + 1, followed)
        if grand is not None and text_of(grand).startswith("Math."):
            found.votes["list"] += 1
            found.elements.append(grand)

    def _in_variable_declarator(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        name = parent.child_by_field_name("name")
        if parent.child_by_field_name("value") != node or name is None or depth >= _MAX_DEPTH:
            return
        if name.type == "identifier":
            scope: tree_sitter.Node | None = parent
            while scope is not None and scope.type not in (*_FUNCTIONS, "program"):
                scope = scope.parent
            if scope is not None:
                for use in self._named(scope, text_of(name)):
                    if use != name and use.start_byte != node.start_byte and text_of(use) not in followed:
                        self._examine(use, found, depth + 1, followed | {text_of(name)})
        elif name.type == "array_pattern":
            found.votes["list"] += 1
        elif name.type == "object_pattern":
            for field, (target, default) in fields_of_pattern(name).items():
                found.fields.setdefault(field, []).extend(self._named(parent, text_of(target)))
                found.defaults[field] = default
            found.votes["node"] += 1

    def _in_assignment_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        """What is kept in a field of the object is what the field is used as."""
        kept = text_of(parent.child_by_field_name("left"))
        is_own = kept.startswith("this.") and kept.count(".") == 1
        if parent.child_by_field_name("right") != node or not is_own or depth >= _MAX_DEPTH or kept in followed:
            return
        for use in walk(self.root):
            if use.type == "member_expression" and use.parent != parent and text_of(use) == kept:
                self._examine(use, found, depth + 1, followed | {kept})

    def _in_call_expression(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        if parent.child_by_field_name("function") == node:
            found.votes["function"] += 2

    def _in_template_substitution(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        found.votes["text"] += 0

    def _in_arguments(
        self, node: tree_sitter.Node, parent: tree_sitter.Node, found: UseEvidence, depth: int, followed: frozenset[str]
    ) -> None:
        call = parent.parent
        called = text_of(call.children[0] if call is not None and call.type == "call_expression" else call)
        if call is not None and call.type == "new_expression":
            made = text_of(call.child_by_field_name("constructor"))
            if made in ("Set", "Map"):
                found.votes["either"] += 1
            elif made == "Array":
                found.votes["number"] += 1
            return
        if called.startswith("Math.") or called in ("isNaN", "Number.isInteger", "isFinite", "String.fromCharCode"):
            found.votes["number"] += 2
        elif called in _OF_TEXTS:
            found.votes["text"] += 1
        elif called == "Array.isArray":
            found.votes["list"] += 1
        elif called == "Array.from":
            found.votes["either"] += 1
        elif called in ("Object.keys", "Object.entries", "Object.values"):
            found.votes["map"] += 2
        elif called in self.functions and called not in followed and depth < _MAX_DEPTH:
            place = [one.start_byte for one in parent.named_children].index(node.start_byte)
            names = parameter_names(self.functions[called])
            if place < len(names):
                for use in self._named(self.functions[called], names[place]):
                    self._examine(use, found, depth + 1, followed | {called})


def fields_of_pattern(pattern: tree_sitter.Node) -> dict[str, tuple[tree_sitter.Node, tree_sitter.Node | None]]:
    """The fields of `{ a, b = 1, c: name }`, each with its local name and its default."""
    found: dict[str, tuple[tree_sitter.Node, tree_sitter.Node | None]] = {}
    for one in pattern.named_children:
        default = one.child_by_field_name("right")
        target = one.child_by_field_name("left") or one.child_by_field_name("value") or one
        if target.type == "assignment_pattern":
            default, target = target.child_by_field_name("right"), target.child_by_field_name("left") or target
        if one.type == "rest_pattern" or target.type not in (*_NAMES_IN_PATTERNS,):
            continue
        key = one.child_by_field_name("key")
        found[text_of(key) if key is not None else text_of(target)] = target, default
    return found


def _instead(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """What stands for an expression where there is nothing: `1` of `a.b || 1`."""
    up = node.parent
    is_either = up is not None and up.type == "binary_expression" and up.child_by_field_name("left") == node
    if up is None or not is_either or text_of(up.child_by_field_name("operator")) not in ("||", "??"):
        return None
    return up.child_by_field_name("right")


def _left_out(kind: InputType) -> InputType:
    return InputType("union", (kind, InputType("default")))


def _node_type(fields: Mapping[str, InputType]) -> InputType:
    """A node of a list or a tree, from the fields that are used; another object otherwise."""
    used = set(fields)
    name = "TreeNode" if used & {"left", "right"} else "ListNode" if "next" in used else "Object"
    optional = InputType("ref", name=name, optional=True)
    if name == "Object":
        # Objects of callers have further fields: they show which of two objects with the same key is kept.
        further = () if _FURTHER in used else ((_FURTHER, INT),)
        return InputType("object", name=name, fields=(*((one, fields[one]) for one in sorted(used)), *further))
    wanted = [one for one in NODE_FIELDS if one in used]
    links = {"left", "right", "next", "prev"}
    if name == "TreeNode":
        wanted = [*(one for one in wanted if one not in links), "left", "right"]
    if not set(wanted) - links:
        wanted.insert(0, "val")
    made = tuple((one, optional if one in links else INT) for one in dict.fromkeys(wanted))
    return InputType("object", name=name, fields=made, optional=True)


def parameter_names(function: tree_sitter.Node) -> list[str]:
    """The names of the parameters of a function; patterns count as their text."""
    return list(map(text_of, parameter_patterns(function)))


def parameter_patterns(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The names and patterns of the parameters of a function."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [single]
    listed = function.child_by_field_name("parameters")
    return [pattern_of(one) for one in listed.named_children if one.type != "comment"] if listed else []


def pattern_of(parameter: tree_sitter.Node) -> tree_sitter.Node:
    """The name or pattern of a parameter, without its default and its type."""
    found = parameter.child_by_field_name("pattern") or parameter.child_by_field_name("left") or parameter
    if found.type == "rest_pattern":
        return found.named_children[0]
    return found


_DOCUMENTED = re.compile(r"@param\s*\{([^}]*)\}\s*\[?([\w$]+)")


def documented_types(comment: str) -> dict[str, str]:
    """The types that a JSDoc comment gives, by parameter.

    Example:
        >>> documented_types("/** @param {number[]} a the numbers */")
        {'a': 'number[]'}
    """
    return {name: said.strip() for said, name in _DOCUMENTED.findall(comment)}


_WHOLE_NAME = re.compile(
    r"(?i)(\w*_)?(size|count|limit|capacity|length|index|depth|rows?|columns?|cols?|pages?|times)"
    r"|\w+(?-i:Size|Count|Limit|Capacity|Length|Index|Depth)"
)


def without_fractions(name: str, types: tuple[InputType, ...]) -> tuple[InputType, ...]:
    """The types of a parameter whose name says that it counts something: no fraction is one."""
    return tuple(one for one in types if one != FLOAT) or types if _WHOLE_NAME.fullmatch(name) else types


def literal_type(node: tree_sitter.Node) -> InputType | None:
    """The type of a default value."""
    kinds = {
        "number": FLOAT if "." in text_of(node) else INT,
        "string": STR,
        "template_string": STR,
        "true": BOOL,
        "false": BOOL,
        "array": None,
        "object": None,
    }
    return kinds.get(node.type)


def without_optional(types: Iterable[InputType]) -> tuple[InputType, ...]:
    """Types without None."""
    return tuple(replace(one, optional=False) for one in types)
