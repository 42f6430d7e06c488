"""What a text of Java declares, as the compiler says it: which method to call, and which inputs it takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clonetruth.execution.harness.harness import EntryKind, EntryParameter
from clonetruth.execution.harness.java.receivers import receiver_parameters
from clonetruth.execution.inputs.types import InputType

_NUMBERS = {
    "byte": InputType("int", bits=8),
    "short": InputType("int", bits=16),
    "int": InputType("int", bits=32),
    "long": InputType("int", bits=64),
    "float": InputType("float", bits=32),
    "double": InputType("float", bits=64),
    "boolean": InputType("bool"),
    "char": InputType("char"),
}
_BOXES = {
    "Byte": "byte",
    "Short": "short",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "Boolean": "boolean",
    "Character": "char",
}
_SCALARS = {
    "String": InputType("str"),
    "CharSequence": InputType("str"),
    "StringBuilder": InputType("str"),
    "StringBuffer": InputType("str"),
    "Scanner": InputType("str"),
    **dict.fromkeys(("InputStream", "Reader", "BufferedReader", "StringReader"), InputType("str")),
    "Date": InputType("int", bits=64),
    "LocalDate": InputType("date"),
    "LocalTime": InputType("time"),
    "LocalDateTime": InputType("datetime"),
    "Duration": InputType("duration"),
    "BigInteger": InputType("int"),
    "BigDecimal": InputType("decimal"),
    "Number": InputType("int", bits=32),
    "Random": InputType("int", bits=32),
    "Comparator": InputType("bool"),
}
_LISTS = [
    "List",
    "ArrayList",
    "LinkedList",
    "Collection",
    "Iterable",
    "AbstractList",
    "Queue",
    "Deque",
    "ArrayDeque",
    "Stack",
    "Vector",
    "PriorityQueue",
]
_SETS = ["Set", "HashSet", "TreeSet", "LinkedHashSet", "SortedSet", "NavigableSet"]
_MAPS = ["Map", "HashMap", "TreeMap", "LinkedHashMap", "SortedMap", "NavigableMap", "Hashtable"]
_ITERATORS = ("Iterator", "ListIterator", "Stream", "Enumeration")
_FUNCTIONS = [
    "Function",
    "UnaryOperator",
    "BinaryOperator",
    "BiFunction",
    "Predicate",
    "IntPredicate",
    "IntUnaryOperator",
    "IntBinaryOperator",
    "Supplier",
    "Consumer",
]
_FREE = (InputType("int", bits=32), InputType("str"))
"""What stands for a type variable, the likeliest first."""
_ANYTHING = tuple(replace(one, optional=True) for one in _FREE)
"""What stands for an object of any class: nothing, too."""
_INSIDE = "[]"
"""Marks that a type is that of elements of a list or set."""
_DEEPER = "{}"
"""Marks that a type is inside of another container."""


_IMMUTABLE = frozenset(
    {"boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String"}
    | {f"java.lang.{one}" for one in ("Boolean", "Character", "Integer", "Long", "Float", "Double")}
)
"""Types of constants that no call can change."""


_MOST_IMPLEMENTATIONS = 4


@dataclass(frozen=True)
class JavaMethod:
    """A method that can be called.

    Attributes:
        owner: its class, as the JVM names it.
        owner_name: its class, as written.
        name: its name.
        parameters: its parameters.
        types: the types of its parameters without their arguments, as the JVM names them.
        kind: whether it is a program's main method.
        is_static: whether it needs no object.
        calls: names that it calls.
    """

    owner: str
    owner_name: str
    name: str
    parameters: tuple[EntryParameter, ...]
    types: tuple[str, ...]
    kind: EntryKind
    is_static: bool
    calls: frozenset[str] = frozenset()


@dataclass
class JavaDeclarations:
    """The classes of a text.

    Attributes:
        classes: what the compiler says of each.
    """

    classes: Sequence[Mapping[str, Any]]
    by_name: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name = {str(one["qualified"]): one for one in self.classes}

    def has_state(self, owner: str, inputs: Collection[str]) -> bool:
        """Whether a call can leave something for the next one: variables that belong to classes, apart from those of
        the owner that are inputs, which every call gets anew."""
        return any(
            "static" in one["modifiers"]
            and not ("final" in one["modifiers"] and (kind["kind"] == "ENUM" or one["type"] in _IMMUTABLE))
            and not (str(kind["binary"]) == owner and one["name"] in inputs)
            for kind in self.classes
            for one in kind["fields"]
        )

    def variables(self, owner: str, made: Collection[str]) -> tuple[str, ...]:
        """Variables that belong to a class, in alphabetical order, apart from those that were made."""
        return tuple(
            sorted(
                str(one["name"])
                for kind in self.classes
                for one in kind["fields"]
                if str(kind["binary"]) == owner
                and "static" in one["modifiers"]
                and "final" not in one["modifiers"]
                and one["name"] not in made
            )
        )

    def has_no_objects(self, owner: str) -> bool:
        """Whether a class is abstract: a method of it needs an object of another one."""
        return any(
            one["binary"] == owner and (one["kind"] == "INTERFACE" or "abstract" in one["modifiers"])
            for one in self.classes
        )

    def methods(self, fields: Sequence[str] = (), made: Collection[str] = ()) -> list[JavaMethod]:
        """All methods with a body, in their order.

        Args:
            fields: fields of the outermost class that are further parameters.
            made: classes and methods that the fragment misses and that were made for it: they are not called.
        """
        found = []
        for kind in self.classes:
            if kind["kind"] in ("INTERFACE", "ANNOTATION_TYPE") or kind["name"] in made:
                continue
            for method in kind["methods"]:
                if method["name"].startswith("<") or {"abstract", "native"} & set(method["modifiers"]):
                    continue
                written = [str(one) for _, one in method["parameters"]]
                if method["name"] in made and (kind is not self.classes[0] or _is_made(str(method["name"]), written)):
                    continue
                if kind["kind"] == "ENUM" and method["name"] in ("values", "valueOf"):
                    continue
                found.append(self._method(kind, method, fields if kind is self.classes[0] else ()))
        return found

    def field_types(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Fields of the outermost class with their types."""
        known = {str(one["name"]): str(one["type"]) for one in self.classes[0]["fields"]}
        return [(name, known[name]) for name in names]

    def _method(self, kind: Mapping[str, Any], method: Mapping[str, Any], fields: Sequence[str]) -> JavaMethod:
        variables = {**kind["variables"], **method["variables"]}
        is_static = "static" in method["modifiers"]
        written = [str(type_) for _, type_ in method["parameters"]]
        is_main = (
            method["name"] == "main" and is_static and written in (["java.lang.String[]"], ["java.lang.String..."])
        )
        parameters = [EntryParameter(str(name), self.types(str(one), variables)) for name, one in method["parameters"]]
        parameters += [
            EntryParameter(name, self.types(one, variables), implicit=True) for name, one in self.field_types(fields)
        ]
        return JavaMethod(
            str(kind["binary"]),
            str(kind["name"]),
            str(method["name"]),
            tuple(parameters),
            tuple(self.erased(one, variables) for one in written),
            EntryKind.PROGRAM if is_main else EntryKind.FUNCTION,
            is_static,
            frozenset(map(str, method["calls"])) - {method["name"]},
        )

    def with_receiver(self, method: JavaMethod, texts: Mapping[str, str]) -> JavaMethod:
        """A method with what makes its object and is done with it.

        Args:
            method: a method that needs an object.
            texts: the methods of the text by qualified name.
        """
        kind = next(one for one in self.classes if str(one["binary"]) == method.owner)
        own = {name.rpartition(".")[2]: text for name, text in texts.items() if method.owner_name in name.split(".")}
        found = receiver_parameters(kind, method.name, own, lambda written: self.types(written, kind["variables"]))
        return replace(method, parameters=(*method.parameters, *found))

    def erased(self, written: str, variables: Mapping[str, str], depth: int = 0) -> str:
        """A type as the JVM names it."""
        written = re.sub(r"\.\.\.$", "[]", written)
        plain = _without_arguments(written)
        array = plain[plain.index("[") :] if "[" in plain else ""
        plain = plain.removesuffix(array)
        if plain in variables and depth < 4:
            return self.erased(variables[plain].partition("&")[0], variables, depth + 1) + array
        known = self.by_name.get(plain)
        return (str(known["binary"]) if known else plain) + array

    def types(self, written: str, variables: Mapping[str, str], above: tuple[str, ...] = ()) -> tuple[InputType, ...]:
        """What can be passed for a type; `none` if nothing can be made."""
        if written.strip() in ("java.lang.Object...", "Object..."):
            # What is written one by one is of several classes.
            return (InputType("list", (InputType("union", _ANYTHING),)), *self._around("list", ["Object"], {}, above))
        written = re.sub(r"\.\.\.$", "[]", written.strip())
        if written in variables:
            bound = variables[written]
            comparable = bound.startswith(("java.lang.Object", "java.lang.Comparable"))
            return _FREE if comparable else self.types(bound, {}, above)
        if written.endswith("[]"):
            return self._around("list", [written[:-2]], variables, above)
        if written in _NUMBERS:
            return (_NUMBERS[written],)
        name, arguments = _split(written)
        known = self.by_name.get(name)
        if known is not None:
            return self._object(known, arguments, variables, above)
        simple = name.rpartition(".")[2]
        if simple.startswith("?"):
            bound = re.sub(r"^\?\s*(?:extends|super)?\s*", "", written)
            return self.types(bound, variables, above) if bound else _FREE
        if simple in _BOXES:
            return (_NUMBERS[_BOXES[simple]],)
        if simple in _SCALARS:
            return (_SCALARS[simple],)
        if simple in ("Object", "Serializable"):
            return _ANYTHING
        if simple == "Comparable":
            return _FREE
        for kind, names, count in (
            ("list", _LISTS, 1),
            ("set", _SETS, 1),
            ("map", _MAPS, 2),
            ("iterator", _ITERATORS, 1),
        ):
            if simple in names:
                return self._around(kind, arguments or ["java.lang.Object"] * count, variables, above)
        if simple == "IntStream":
            return self._around("iterator", ["int"], variables, above)
        if simple in ("Entry", "SimpleEntry"):
            return self._around("tuple", arguments, variables, above)
        if simple == "Optional":
            return self.types(arguments[0], variables, above) if arguments else _FREE
        if simple in _FUNCTIONS:
            return (InputType("bool"),)
        return (InputType("none"),)

    def _around(
        self, kind: str, inner: Sequence[str], variables: Mapping[str, str], above: tuple[str, ...]
    ) -> tuple[InputType, ...]:
        """A container: the likeliest types inside, and one alternative of the first of them."""
        mark = _INSIDE if kind in ("list", "set") else _DEEPER
        choices = [self.types(one, variables, (*above, mark)) for one in inner]
        if any(one[0].kind == "none" for one in choices):
            return (InputType("none"),)
        found = [InputType(kind, tuple(one[0] for one in choices))]
        if len(choices[0]) > 1:
            found.append(InputType(kind, tuple(one[-1] for one in choices)))
        return tuple(found)

    def _again(self, known: Mapping[str, Any], above: tuple[str, ...]) -> tuple[InputType, ...]:
        """A class within itself: a link, a list or set of links, or in other containers one that goes no deeper."""
        name = str(known["name"])
        if above[-1] == name:
            return (InputType("ref", name=name, optional=True),)
        if above[-2:] == (name, _INSIDE):
            return (InputType("ref", name=name),)
        if above[-1] not in (_INSIDE, _DEEPER):
            return (InputType("none"),)
        plain = [(str(one["name"]), self.types(str(one["type"]), {}, above)[0]) for one in known["fields"]
                 if str(one["type"]) in _NUMBERS or str(one["type"]) == "java.lang.String"]  # fmt: skip
        return (InputType("object", name=name, fields=tuple(plain)),)

    def _object(
        self, known: Mapping[str, Any], arguments: Sequence[str], variables: Mapping[str, str], above: tuple[str, ...]
    ) -> tuple[InputType, ...]:
        name = str(known["name"])
        if known["kind"] == "ENUM":
            members = tuple(map(str, known["constants"]))
            return (InputType("enum", name=name, members=members),) if members else (InputType("none"),)
        if known["kind"] == "INTERFACE" or "abstract" in known["modifiers"]:
            return self._implementations(known, above)
        if name in above:
            return self._again(known, above)
        if sum(one not in (_INSIDE, _DEEPER) for one in above) > 2:
            return (InputType("none"),)
        own = dict(zip(known["variables"], [*arguments, *["java.lang.Object"] * 4], strict=False))
        fields = []
        for one in known["fields"]:
            if "static" in one["modifiers"] or re.match(r"this\$|\$", str(one["name"])):
                continue
            written = str(one["type"])
            choices = self.types(own.get(written, written), {**variables, **own}, (*above, name))
            if choices[0].kind != "none":
                fields.append((str(one["name"]), choices[0]))
        return (InputType("object", name=name, fields=tuple(fields), optional=_links(fields, name)),)

    def _implementations(self, known: Mapping[str, Any], above: tuple[str, ...]) -> tuple[InputType, ...]:
        """An object of any of the classes of the text that implement an interface, or extend an abstract class."""
        if str(known["name"]) in above:
            return (InputType("none"),)
        found: list[InputType] = []
        for one in self.classes:
            parents = (_without_arguments(str(parent)) for parent in one.get("parents", ()))
            if str(known["qualified"]) in parents and one["kind"] in ("CLASS", "RECORD", "INTERFACE"):
                (kind, *_) = self._object(one, (), {}, (*above, str(known["name"])))
                found += kind.inner if kind.kind == "union" else [kind] if kind.kind == "object" else []
        kinds = tuple(dict.fromkeys(found))[:_MOST_IMPLEMENTATIONS]
        return (InputType("union", kinds) if len(kinds) > 1 else kinds[0],) if kinds else (InputType("none"),)


def with_null(parameter: EntryParameter, text: str) -> EntryParameter:
    """A parameter that may be null, if the code asks whether it is; where it does not mention null, no object is."""
    name = re.escape(parameter.name)
    if not re.search(r"\bnull\b", text):
        return replace(parameter, types=tuple(map(_never_null, parameter.types)))
    if parameter.implicit or not re.search(rf"\b{name}\s*[!=]=\s*null\b|\bnull\s*[!=]=\s*{name}\b", text):
        return parameter
    return replace(parameter, types=tuple(replace(one, optional=True) for one in parameter.types))


def _never_null(kind: InputType) -> InputType:
    """A type without null, except for links between objects, which end with it."""
    is_link = kind.kind in ("ref", "object")
    return replace(kind, optional=kind.optional and is_link, inner=tuple(map(_never_null, kind.inner)))


def _is_made(name: str, written: Sequence[str]) -> bool:
    """Whether a method takes what methods take that were made because the fragment misses them."""
    return list(written) in (["java.lang.Object..."], ["java.lang.Object[]"]) or name in ("swap", "print", "println")


def _links(fields: Sequence[tuple[str, InputType]], name: str) -> bool:
    """Whether an object links to others of its class: then none at all is a value, too."""
    return any(one.kind == "ref" and one.name == name for _, one in fields)


def _without_arguments(written: str) -> str:
    """A type without what is between angle brackets."""
    depth, kept = 0, []
    for letter in written:
        depth += letter == "<"
        if not depth:
            kept.append(letter)
        depth -= letter == ">"
    return "".join(kept)


def _split(written: str) -> tuple[str, list[str]]:
    """A type's name and its arguments."""
    start = written.find("<")
    if start < 0 or not written.endswith(">"):
        return _without_arguments(written), []
    inner, depth, parts = written[start + 1 : -1], 0, [""]
    for letter in inner:
        depth += (letter == "<") - (letter == ">")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return written[:start], [one.strip() for one in parts]


def choose_method(methods: Sequence[JavaMethod], entry: str | None, text: str) -> JavaMethod | None:
    """The method to call.

    With a name, `name` or `Class.name`, the last such method. Without one: main, if it reads input or there is nothing
    else; otherwise the last method that no other calls. A main method that reads nothing only shows the others. Of
    overloads, the one with the fewest parameters.
    """
    if entry is not None:
        owner, _, name = entry.rpartition(".")
        named = [one for one in methods if one.name == name and (not owner or one.owner_name == owner)]
        return _outermost(named[-1], named) if named else None
    main = [one for one in methods if one.kind is EntryKind.PROGRAM]
    others = [one for one in methods if one.kind is EntryKind.FUNCTION]
    if main and (not others or re.search(r"System\s*\.\s*in\b|\bargs\s*(\[|\.\s*length)", text)):
        return main[-1]
    called = {name for one in others for name in one.calls}
    free = [one for one in others if one.name not in called] or others
    usual = [one for one in free if one.name not in ("toString", "equals", "hashCode", "compareTo", "compare")] or free
    return _outermost(usual[-1], usual) if usual else (main[-1] if main else None)


def _outermost(chosen: JavaMethod, methods: Sequence[JavaMethod]) -> JavaMethod:
    """Of overloads the last one with the fewest parameters: the others often do its work."""
    same = [one for one in methods if (one.owner, one.name) == (chosen.owner, chosen.name)]
    return min(reversed(same), key=lambda one: len(one.parameters))
