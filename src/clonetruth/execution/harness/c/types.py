"""Types of C and C++ as declarations write them, and the types of inputs that fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from clonetruth.execution.harness.passed_functions import passed_function
from clonetruth.execution.inputs.types import InputType

_QUALIFIERS = re.compile(
    r"\b(?:const|volatile|static|inline|register|extern|constexpr|restrict|__restrict__|__restrict|struct|enum|class"
    r"|typename|mutable|virtual|explicit|noexcept)\b|\b(?:std|boost)\s*::|\b__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]"
)
_TOKEN = re.compile(r"\s*([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*|\d+|[<>,*&()\[\]]|\S)")

_INTEGERS = {
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "int8_t": (8, True),
    "int16_t": (16, True),
    "int32_t": (32, True),
    "int64_t": (64, True),
    "uint8_t": (8, False),
    "uint16_t": (16, False),
    "uint32_t": (32, False),
    "uint64_t": (64, False),
    "size_t": (64, False),
    "ssize_t": (64, True),
    "ptrdiff_t": (64, True),
    "intptr_t": (64, True),
    "uintptr_t": (64, False),
    "intmax_t": (64, True),
    "uintmax_t": (64, False),
    "int_fast32_t": (64, True),
    "uint": (32, False),
    "byte": (8, False),
    "__int64": (64, True),
    "wchar_t": (32, True),
}
_MOST_TAKEN = 4
_BOOLS = ("bool", "_Bool", "boolean")
SEQUENCES = ("vector", "deque", "list", "stack", "queue", "forward_list", "array", "valarray", "initializer_list")
_SETS = ("set", "unordered_set")
_MULTISETS = ("multiset", "unordered_multiset", "priority_queue")
MAPS = ("map", "unordered_map")
_TEXTS = ("string", "string_view", "basic_string")
POINTERS = ("unique_ptr", "shared_ptr")
TEMPLATES = (*SEQUENCES, *_SETS, *_MULTISETS, *MAPS, *POINTERS, "pair", "tuple", "optional")
WORDS = frozenset({"unsigned", "signed", "short", "long", "int", "char", "float", "double"})


@dataclass(frozen=True)
class CType:
    """A type.

    Attributes:
        kind: int, float, bool, char, str, text (`std::string`), void, struct, pointer, array, template, function, or
            opaque for what is not known.
        written: what a declaration writes for it, without pointers; references and qualifiers are left out.
        bits: of a number.
        signed: whether a whole number can be negative.
        name: of a structure, an enumeration or a template.
        inner: what a pointer points to, the arguments of a template, or what a function returns and takes.
        size: how many elements an array has, as an expression.
        constant: whether what it points to cannot be changed.
    """

    kind: str
    written: str = ""
    bits: int = 0
    signed: bool = True
    name: str = ""
    inner: tuple[CType, ...] = ()
    size: str = ""
    constant: bool = False

    @property
    def target(self) -> CType:
        """What a pointer or an array has inside."""
        return self.inner[0]

    def pointer(self, constant: bool = False) -> CType:
        """The type of a pointer to this; one to a function is written like the function."""
        if self.kind == "function":
            return self
        return CType("pointer", f"{self.written}*", inner=(self,), constant=constant)

    def array(self, size: str) -> CType:
        """The type of an array of this."""
        return CType("array", self.written, inner=(self,), size=size)

    @property
    def is_scalar(self) -> bool:
        """Whether it is a number, a character or a truth value."""
        return self.kind in ("int", "float", "bool", "char")


OPAQUE = CType("opaque")
VOID = CType("void", "void")
INT = CType("int", "int", 32)


@dataclass
class TypeTable:
    """The types that a piece of code declares.

    Attributes:
        aliases: what other names stand for.
        structs: the fields of structures and classes that are plain data.
        classes: names of classes that cannot be made field by field.
        enums: enumerations by name, with their members and the values of these; none where they are not known.
        tags: names that C knows only behind the word "struct".
        parameters: names that stand for types in templates.
    """

    aliases: dict[str, CType] = field(default_factory=dict)
    structs: dict[str, tuple[tuple[str, CType], ...]] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    parameters: Mapping[str, CType] = field(default_factory=dict)

    def read(self, text: str, *, cpp: bool = False) -> CType:
        """The type that a text says; opaque if it is not known."""
        constant = re.search(r"\bconst\b", text) is not None
        tokens = [one.strip() for one in _TOKEN.findall(_QUALIFIERS.sub(" ", text))]
        found = self._read(tokens, cpp)
        return found if not tokens else OPAQUE if not constant else replace(OPAQUE, constant=True)

    def _read(self, tokens: list[str], cpp: bool) -> CType:
        words: list[str] = []
        while tokens and re.match(r"[A-Za-z_]", tokens[0]) and (not words or tokens[0] in WORDS or words[-1] in WORDS):
            if words and tokens[0] not in WORDS:
                break
            words.append(tokens.pop(0))
        found = self._named(words, tokens, cpp)
        while tokens and tokens[0] in ("*", "&"):
            if tokens.pop(0) == "*":
                found = found.pointer()
        return found

    def _named(self, words: list[str], tokens: list[str], cpp: bool) -> CType:
        if not words:
            return OPAQUE
        name = words[0]
        if len(words) == 1 and tokens and tokens[0] == "<":
            return self._template(name, tokens, cpp)
        if set(words) <= WORDS:
            return _number(words)
        if name in self.parameters:
            return self.parameters[name]
        if name in self.aliases:
            return self.aliases[name]
        if name in self.enums:
            return CType("int", f"enum {name}" if name in self.tags and not cpp else name, 32, name=name)
        if name in self.structs:
            return CType("struct", f"struct {name}" if name in self.tags and not cpp else name, name=name)
        if name in _INTEGERS:
            bits, signed = _INTEGERS[name]
            return CType("int", name, bits, signed)
        if name in _BOOLS:
            return CType("bool", "bool" if cpp else name)
        if name == "void":
            return VOID
        if name == "auto":
            return CType("auto", "auto")
        if cpp and name in _TEXTS:
            return CType("text", "std::string" if name != "string_view" else "std::string_view", name=name)
        return CType("opaque", name, name=name)

    def _template(self, name: str, tokens: list[str], cpp: bool) -> CType:
        tokens.pop(0)
        if cpp and name == "function":
            return self._function(tokens)
        inner: list[CType] = []
        size = ""
        while tokens and tokens[0] != ">":
            if tokens[0].isdigit():
                size = tokens.pop(0)
            else:
                inner.append(self._read(tokens, cpp))
            if tokens and tokens[0] == ",":
                tokens.pop(0)
            elif tokens and tokens[0] != ">":
                return OPAQUE
        if tokens:
            tokens.pop(0)
        if not cpp or name not in TEMPLATES:
            return CType("opaque", name, name=name)
        written = f"std::{name}<{', '.join([one.written for one in inner] + [size] * bool(size))}>"
        return CType("template", written, name=name, inner=tuple(inner), size=size)

    def _function(self, tokens: list[str]) -> CType:
        """The type of `std::function`, behind its first bracket."""
        inner = [self._read(tokens, cpp=True)]
        while tokens and tokens[0] in "(,":
            tokens.pop(0)
            if tokens[:1] != [")"]:
                inner.append(self._read(tokens, cpp=True))
        is_whole = tokens[:2] == [")", ">"]
        del tokens[:2]
        return CType("function", "std::function", name="function", inner=tuple(inner)) if is_whole else OPAQUE

    # -- inputs ---------------------------------------------------------------------------------------------------

    def input_type(self, kind: CType, inside: tuple[str, ...] = ()) -> InputType | None:
        """The type of inputs that fits a value of this type; None if none can be made.

        Args:
            kind: the type.
            inside: the structures around it.
        """
        if kind.kind == "int" and self.enums.get(kind.name):
            return InputType("choice", members=tuple(map(str, dict.fromkeys(self.enums[kind.name].values()))))
        if kind.kind == "int":
            return InputType("int", bits=kind.bits, signed=kind.signed)
        if kind.kind == "float":
            return InputType("float", bits=kind.bits)
        if kind.kind in ("bool", "char"):
            return InputType(kind.kind)
        if kind.kind in ("str", "text"):
            return InputType("str")
        if kind.kind == "struct":
            return self._object(kind, inside)
        if kind.kind == "pointer" and kind.target.kind == "struct":
            if kind.target.name in inside:
                return InputType("ref", name=kind.target.name, optional=True)
            made = self._object(kind.target, inside)
            return made and replace(made, optional=self.is_linked(kind.target.name))
        if kind.kind in ("pointer", "array") and kind.target.kind == "char":
            return InputType("str")
        if kind.kind in ("array", "pointer"):
            return self._container("list", kind.inner, inside)
        if kind.kind == "template":
            return self._of_template(kind, inside)
        if kind.kind == "function":
            return None if inside else self.passed(kind, "")
        return None

    def passed(self, kind: CType, name: str) -> InputType | None:
        """What is passed for a function that a parameter of a name takes."""
        result, *taken = kind.inner
        if len(taken) > _MOST_TAKEN or not (result.is_scalar or result.kind == "void"):
            return None
        given = [None if _has_entries(one) else self.input_type(one, (kind.name or name,)) for one in taken]
        return passed_function(name, given, self.input_type(result) if result.is_scalar else None)

    def is_linked(self, name: str) -> bool:
        """Whether a structure points to others of its kind."""
        return any(one.kind == "pointer" and one.target.name == name for _, one in self.structs.get(name, ()))

    def _object(self, kind: CType, inside: tuple[str, ...]) -> InputType | None:
        if kind.name in inside:
            return None
        fields: list[tuple[str, InputType]] = []
        # A structure without fields is none that can be made.
        for name, one in self.structs.get(kind.name, ()):
            made = self.input_type(one, (*inside, kind.name)) if _is_plain_field(one) else None
            if made is None:
                return None
            fields.append((name, made))
        return InputType("object", name=kind.name, fields=tuple(fields)) if fields else None

    def _of_template(self, kind: CType, inside: tuple[str, ...]) -> InputType | None:
        if kind.name in SEQUENCES or kind.name in _MULTISETS:
            return self._container("list", kind.inner[:1], inside)
        if kind.name in _SETS:
            return self._container("set", kind.inner[:1], inside)
        if kind.name in MAPS:
            return self._container("map", kind.inner[:2], inside)
        if kind.name in ("pair", "tuple"):
            return self._container("tuple", kind.inner, inside)
        if kind.name == "optional" and kind.inner:
            made = self.input_type(kind.inner[0], inside)
            return made and replace(made, optional=True)
        return None

    def _container(self, name: str, inner: tuple[CType, ...], inside: tuple[str, ...]) -> InputType | None:
        made = [self.input_type(one, inside) for one in inner]
        found = tuple(one for one in made if one is not None)
        return InputType(name, found) if found and len(found) == len(inner) else None


def _has_entries(kind: CType) -> bool:
    """Whether values of a type are not ordered, or are written by their place."""
    if kind.kind == "pointer":
        return kind.target.kind not in ("char", "struct")
    return kind.name in (*MAPS, *_SETS) or (kind.kind == "template" and any(map(_has_entries, kind.inner)))


def _is_plain_field(kind: CType) -> bool:
    """Whether a field can be filled: lists in structures would need a length."""
    is_list = kind.kind == "pointer" and kind.target.kind not in ("struct", "char")
    return not is_list and not (kind.kind == "array" and kind.target.kind == "array")


def _number(words: list[str]) -> CType:
    written = " ".join(words)
    signed = "unsigned" not in words
    if "char" in words:
        if len(words) == 1:
            return CType("char", "char", 8)
        return CType("int", written, 8, signed)
    if "float" in words or "double" in words:
        return CType("float", written, 32 if "float" in words else 64)
    if "short" in words:
        return CType("int", written, 16, signed)
    return CType("int", written, 64 if "long" in words else 32, signed)
