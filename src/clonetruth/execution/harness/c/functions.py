"""Functions of C and C++ with their types, read from the tree of a fragment on the host. Nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter

from clonetruth.code import language, parse
from clonetruth.execution.harness.c.types import INT, OPAQUE, VOID, CType, TypeTable

_READS = re.compile(
    r"\b(scanf|fscanf|gets|fgets|getchar|getc|fgetc|fread|read|getline|getch|cin|argv|argc|freopen|fopen|ifstream)\b"
)
_RESULT = re.compile(r"(?!EXIT_|true\b|false\b|NULL\b)[A-Za-z_]\w*\s*(?:\(|\)?$)")
"""A main function returns what it computed: the result of a call, or a variable."""
_PRINTS = re.compile(r"\b(printf|puts|putchar|cout|scanf|cin|getchar|fgets|gets)\b")
_WRAPPERS = (
    "namespace_definition",
    "linkage_specification",
    "declaration_list",
    "template_declaration",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
)
_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")


@dataclass(frozen=True)
class CParameter:
    """A parameter of a function.

    Attributes:
        name: as written; empty if there is none.
        type: without references.
        reference: whether the function gets the caller's own object.
        optional: whether it has a default.
    """

    name: str
    type: CType
    reference: bool = False
    optional: bool = False


@dataclass(frozen=True)
class CFunction:
    """A function with a body.

    Attributes:
        name: without its class.
        owner: its class; None for a function outside of classes.
        returned: what it returns.
        parameters: what it takes.
        body: its text.
        static: whether it needs no object.
        outside: whether it is defined outside of its class.
        head: its text before the body.
        start: where it begins in the text, in bytes.
    """

    name: str
    owner: str | None
    returned: CType
    parameters: tuple[CParameter, ...]
    body: str
    static: bool = False
    outside: bool = False
    head: str = ""
    start: int = 0

    @property
    def qualified(self) -> str:
        """The name with the class."""
        return f"{self.owner}::{self.name}" if self.owner else self.name


@dataclass
class CFragment:
    """What a fragment of C or C++ has.

    Attributes:
        text: the text to compile.
        cpp: whether it is C++.
        table: its types.
        functions: its functions in order.
        globals: whether it has objects with constructors outside of functions.
        variables: what it declares outside of functions and can change, with types.
        broken: whether it does not parse.
        repairs: what was changed.
    """

    text: str
    cpp: bool
    table: TypeTable = field(default_factory=TypeTable)
    functions: list[CFunction] = field(default_factory=list)
    globals: bool = False
    variables: dict[str, CType] = field(default_factory=dict)
    broken: bool = False
    repairs: list[str] = field(default_factory=list)

    @property
    def main(self) -> CFunction | None:
        """The main function."""
        return next((one for one in self.functions if one.name == "main" and one.owner is None), None)

    @property
    def is_program(self) -> bool:
        """Whether its main function reads input, or nothing else can be called."""
        if self.main is None or self.main_computes:
            return False
        others = [one for one in self.functions if one.name != "main"]
        return not others or any(_READS.search(one.body) for one in self.functions)

    @property
    def main_computes(self) -> bool:
        """Whether the main function is one to call: it takes a number that is not the count of words, or returns more
        than a constant, and neither reads nor prints."""
        if self.main is None or _PRINTS.search(self.text):
            return False
        takes = [one.name for one in self.main.parameters if one.type.kind == "int" and one.name != "argc"]
        used = any(re.search(rf"\b{one}\b", self.main.body) for one in takes if one)
        returns = re.findall(r"\breturn\b\s*\(?\s*([^;]*)", self.main.body)
        return used or any(_RESULT.match(one.strip()) for one in returns)

    def results(self, function: CFunction) -> dict[str, CType]:
        """The variables that hold what a function computes, if it returns nothing and gets nothing to write into."""
        writes = any(one.type.kind in ("pointer", "array") or one.reference for one in function.parameters)
        if function.returned.kind != "void" or writes or function.owner is not None:
            return {}
        bodies = " ".join(one.body for one in self.functions if one.name != "main")
        pattern = r"\b{}\s*(?:\.\s*\w+\s*)?(?:[-+*/%&|^]|<<|>>)?=(?!=)|\b{}\s*(?:\+\+|--)|(?:\+\+|--)\s*{}\b"
        return {
            name: kind
            for name, kind in self.variables.items()
            if re.search(pattern.format(*[re.escape(name)] * 3), bodies)
        }

    def chosen(self, entry: str | None) -> CFunction | None:
        """The function with a name; else, of those that no other calls, the one that uses most of the others, and of
        several such the last."""
        if entry is None and self.main_computes:
            return self.main
        functions = [one for one in self.functions if one.name != "main" or entry == "main"]
        if entry is not None:
            owner, _, name = entry.replace("::", ".").rpartition(".")
            functions = [one for one in functions if one.name == name and (not owner or one.owner == owner)]
            return functions[-1] if functions else None
        special = [one for one in functions if one.name == one.owner or re.match(r"~|operator\b", one.name)]
        functions = [one for one in functions if one not in special]
        called = {name for one in functions for name in re.findall(r"\b[A-Za-z_]\w*\b", one.body) if name != one.name}
        free = [one for one in functions if one.name not in called] or functions
        return max(reversed(free), key=lambda one: len(self._reached(one, set())), default=None)

    def _reached(self, function: CFunction, seen: set[str]) -> set[str]:
        """The names of a function and of all that it calls, directly or not."""
        seen.add(function.name)
        words = set(re.findall(r"\b[A-Za-z_]\w*\b", function.body)) - seen
        for one in self.functions:
            if one.name in words and one.name not in seen:
                self._reached(one, seen)
        return seen


def read_fragment(text: str, language_name: str) -> CFragment:
    """The functions and types of a fragment."""
    cpp = language_name == "cpp"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parsed = parse(text, language(language_name), lone=True)
    before = parsed.source[: parsed.start].decode()
    fragment = CFragment(text, cpp)
    if before.strip() == "int":
        fragment.text = f"int {text}"
        fragment.repairs.append("return type int")
    reader = _Reader(fragment, parsed.source)
    reader.read_types(parsed.tree.root_node)
    reader.read_functions(parsed.tree.root_node, None)
    fragment.broken = parsed.tree.root_node.has_error
    return fragment


class _Reader:
    def __init__(self, fragment: CFragment, source: bytes) -> None:
        self.fragment, self.source, self.table = fragment, source, fragment.table
        self.cpp = fragment.cpp

    def text(self, node: tree_sitter.Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode(errors="replace")

    # -- types ----------------------------------------------------------------------------------------------------

    def read_types(self, root: tree_sitter.Node) -> None:
        nodes = list(_walk(root))
        for node in nodes:
            if node.type in _CLASSES and node.child_by_field_name("body") is not None:
                name = self.text(node.child_by_field_name("name"))
                if name:
                    self.table.structs.setdefault(name, ())
                    self.table.tags.add(name)
            elif node.type == "enum_specifier":
                name = self.text(node.child_by_field_name("name"))
                # Without a name it would be that of every number.
                if name:
                    self.table.enums.setdefault(name, self.enumerators(node))
                    self.table.tags.add(name)
            elif node.type == "template_parameter_list":
                names = [self.text(one).split()[-1] for one in node.named_children if "parameter" in one.type]
                self.table.parameters = {**self.table.parameters, **dict.fromkeys(names, INT)}
        for node in nodes:
            if node.type == "preproc_def":
                self.define(node)
            elif node.type == "type_definition":
                self.typedef(node)
            elif node.type == "alias_declaration":
                made = self.table.read(self.text(node.child_by_field_name("type")), cpp=self.cpp)
                self.table.aliases[self.text(node.child_by_field_name("name"))] = made
        for node in nodes:
            if node.type in _CLASSES and node.child_by_field_name("body") is not None:
                self.structure(node, self.text(node.child_by_field_name("name")))

    def define(self, node: tree_sitter.Node) -> None:
        """A macro that stands for a type, such as `ll`."""
        value = self.text(node.child_by_field_name("value")).strip()
        if re.fullmatch(r"[A-Za-z_][\w\s:<>,*]*", value):
            made = self.table.read(value, cpp=self.cpp)
            if made.kind != "opaque":
                self.table.aliases[self.text(node.child_by_field_name("name"))] = made

    def typedef(self, node: tree_sitter.Node) -> None:
        kind = node.child_by_field_name("type")
        body = kind.child_by_field_name("body") if kind is not None and kind.type in _CLASSES else None
        for declarator in node.children_by_field_name("declarator"):
            if kind is not None and kind.type == "enum_specifier" and kind.child_by_field_name("name") is None:
                # The enumeration has no other name.
                name = self.text(declarator)
                self.table.enums[name] = self.enumerators(kind)
                continue
            if body is not None and kind is not None and declarator.type == "type_identifier":
                name = self.text(declarator)
                inner = self.text(kind.child_by_field_name("name"))
                self.table.structs.setdefault(name, ())
                self.structure(kind, name)
                if inner and inner != name:
                    self.table.aliases[inner] = CType("struct", name, name=name)
                continue
            name, made, _ = self.declared(declarator, self.base_type(kind))
            if name and made.kind != "opaque":
                self.table.aliases.setdefault(name, made)

    def enumerators(self, node: tree_sitter.Node) -> dict[str, int]:
        """The members of an enumeration; none if the value of one of them is not written as a number."""
        found: dict[str, int] = {}
        following = 0
        body = node.child_by_field_name("body")
        for one in body.named_children if body is not None else ():
            if one.type == "enumerator":
                value = one.child_by_field_name("value")
                if value is not None and not re.fullmatch(r"-?\d+", self.text(value)):
                    return {}
                number = following if value is None else int(self.text(value))
                found[self.text(one.child_by_field_name("name"))] = number
                following = number + 1
        return found

    def structure(self, node: tree_sitter.Node, name: str) -> None:
        body = node.child_by_field_name("body")
        if body is None or not name or node.type == "union_specifier":
            self.table.structs.pop(name, None)
            return
        fields: list[tuple[str, CType]] = []
        hidden = node.type == "class_specifier"
        for one in body.named_children:
            if one.type == "access_specifier":
                hidden = self.text(one).strip(" :") != "public"
            elif one.type == "field_declaration" and "static" not in self.text(one).split():
                base = self.base_type(one.child_by_field_name("type"))
                for declarator in one.children_by_field_name("declarator"):
                    if declarator.type == "function_declarator":
                        continue
                    field_name, made, _ = self.declared(declarator, base)
                    if hidden:
                        self.table.classes.add(name)
                    fields.append((field_name, made))
        if name in self.table.classes or not fields:
            self.table.structs.pop(name, None)
            self.table.classes.add(name)
        else:
            self.table.structs[name] = tuple(fields)

    def base_type(self, node: tree_sitter.Node | None) -> CType:
        if node is None:
            return INT
        if node.type in _CLASSES or node.type == "enum_specifier":
            name = self.text(node.child_by_field_name("name"))
            return INT if node.type == "enum_specifier" and not name else self.table.read(name, cpp=self.cpp)
        return self.table.read(self.text(node), cpp=self.cpp)

    def declared(self, node: tree_sitter.Node | None, base: CType, constant: bool = False) -> tuple[str, CType, bool]:
        """The name, the type and whether it is a reference, of a declarator."""
        reference = False
        while node is not None:
            if node.type.endswith("identifier"):
                return self.text(node), base, reference
            if "pointer_declarator" in node.type:
                base, constant = base.pointer(constant), False
            elif "reference_declarator" in node.type:
                reference = not constant
            elif "array_declarator" in node.type:
                base = base.array(self.text(node.child_by_field_name("size")))
            elif "function_declarator" in node.type:
                taken = [one.type for one in self.parameters(node.child_by_field_name("parameters"), {}, passed=True)]
                base = OPAQUE if OPAQUE in taken else CType("function", inner=(base, *taken))
            inner = node.child_by_field_name("declarator")
            if inner is None:
                wanted = [one for one in node.named_children if "declarator" in one.type or "identifier" in one.type]
                inner = wanted[0] if wanted else None
            node = inner
        return "", base, reference

    # -- functions ------------------------------------------------------------------------------------------------

    def read_functions(self, node: tree_sitter.Node, owner: str | None) -> None:
        for child in node.named_children:
            if child.type == "function_definition" and child.child_by_field_name("body") is not None:
                self.function(child, owner)
            elif child.type in _CLASSES:
                self.members(child)
            elif child.type == "type_definition" or child.type == "declaration":
                for inner in child.named_children:
                    if inner.type in _CLASSES:
                        self.members(inner)
                self.note_global(child)
            elif child.type in _WRAPPERS or child.type == "ERROR":
                self.read_functions(child, owner)

    def members(self, node: tree_sitter.Node) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            self.read_functions(body, self.text(node.child_by_field_name("name")) or None)

    def note_global(self, node: tree_sitter.Node) -> None:
        kind = self.base_type(node.child_by_field_name("type"))
        if node.type == "declaration" and not re.search(r"\b(const|extern|typedef)\b", self.text(node)):
            for one in node.children_by_field_name("declarator"):
                name, declared, _ = self.declared(one, kind)
                if declared.is_scalar or declared.kind == "struct":
                    self.fragment.variables[name] = declared
        if self.cpp and node.type == "declaration" and kind.kind in ("template", "text", "opaque", "auto"):
            declarators = node.children_by_field_name("declarator")
            self.fragment.globals |= any("function_declarator" not in one.type for one in declarators)

    def function(self, node: tree_sitter.Node, owner: str | None) -> None:
        found = node.child_by_field_name("declarator")
        body = node.child_by_field_name("body")
        head = self.source[node.start_byte : body.start_byte if body else node.end_byte].decode(errors="replace")
        written = node.child_by_field_name("type")
        returned = self.base_type(written) if written is not None else VOID if self.cpp else INT
        constant = re.match(r"(?:static\s+|inline\s+)*const\b", head) is not None
        while found is not None and "function_declarator" not in found.type:
            if "pointer_declarator" in found.type:
                returned = returned.pointer(constant)
            wanted = [one for one in found.named_children if "declarator" in one.type]
            found = found.child_by_field_name("declarator") or (wanted[0] if wanted else None)
        if found is None:
            return
        trailing = next((one for one in found.named_children if one.type == "trailing_return_type"), None)
        if trailing is not None:
            returned = self.table.read(self.text(trailing).lstrip("->"), cpp=self.cpp)
        name = self.text(found.child_by_field_name("declarator")).replace(" ", "")
        outside = False
        if "::" in name and owner is None:
            owner, _, name = name.rpartition("::")
            outside = True
        if name in ("if", "while", "for", "switch", "return"):
            return
        old = {
            declared_name: kind
            for one in node.named_children
            if one.type == "declaration"
            for declared_name, kind, _ in (
                self.declared(each, self.base_type(one.child_by_field_name("type")))
                for each in one.children_by_field_name("declarator")
            )
        }
        parameters = tuple(self.parameters(found.child_by_field_name("parameters"), old))
        static = bool(re.search(r"\bstatic\b", head))
        self.fragment.functions.append(
            CFunction(name, owner, returned, parameters, self.text(body), static, outside, head, node.start_byte)
        )

    def parameters(
        self, node: tree_sitter.Node | None, old: dict[str, CType], *, passed: bool = False
    ) -> Iterator[CParameter]:
        """The parameters of a function; one that is passed to another must be taken as it is written."""
        for one in node.named_children if node is not None else ():
            if one.type == "identifier":
                yield CParameter(self.text(one), old.get(self.text(one), INT))
            elif one.type == "variadic_parameter":
                yield CParameter("...", OPAQUE)
            elif "parameter_declaration" in one.type:
                written = one.child_by_field_name("type")
                declarator = one.child_by_field_name("declarator")
                base = self.base_type(written)
                if base.kind == "void" and declarator is None:
                    continue
                if base.kind == "opaque" and declarator is None and self.text(written) in old:
                    yield CParameter(self.text(written), old[self.text(written)])
                    continue
                constant = re.search(r"\bconst\b", self.text(one)) is not None
                name, kind, reference = self.declared(declarator, base, constant)
                if passed and "&" in self.text(one):
                    kind = OPAQUE
                yield CParameter(name, kind, reference, one.type.startswith("optional"))


def _walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        pending += reversed(one.children)
