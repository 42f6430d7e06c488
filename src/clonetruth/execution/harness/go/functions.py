"""Functions of Go with their types, read from the tree of a fragment on the host, and what a fragment lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import tree_sitter

from clonetruth.code import language, parse
from clonetruth.execution.harness.harness import EntryParameter, Reason
from clonetruth.execution.harness.passed_functions import passed_function
from clonetruth.execution.harness.receivers import ObjectMethod, calls_around, changes_what_it_named
from clonetruth.execution.inputs.types import InputType

_PACKAGES = {
    one.rpartition("/")[2]: one
    for one in [
        "fmt",
        "strings",
        "strconv",
        "math",
        "sort",
        "errors",
        "bytes",
        "unicode",
        "bufio",
        "container/heap",
        "container/list",
        "math/bits",
        "math/big",
        "os",
        "regexp",
        "unicode/utf8",
        "time",
        "math/rand",
        "sync",
        "math/cmplx",
        "hash/fnv",
        "encoding/json",
        "encoding/hex",
        "encoding/base64",
        "reflect",
        "container/ring",
        "text/tabwriter",
        "io",
    ]
}
_REFUSED = (
    (r"\bos\.(?:Open|Create|ReadFile|WriteFile|Remove)\b|\bioutil\.", Reason.FILE),
    (r"\b(?:net|http)\.\w", Reason.NETWORK),
    (r"\bexec\.Command\b", Reason.PROCESS),
    (r"\btime\.(?:Now|Since|Sleep|After|Tick)\b", Reason.CLOCK),
    (r"\bos\.Stdin\b|\bfmt\.(?:Scan|Scanf|Scanln)\b", Reason.INPUT),
)
_ASSIGNS = (
    r"(?<!\w)\*?\(?\*?{name}\)?(?:\.\w+|\[[^\]]*\])*\s*(?:,[^=\n;{]*)?(?:(?:[-+*/%|&^]|<<|>>|&\^)?=(?!=)|\+\+|--)"
    r"|\b(?:delete|copy|heap\.\w+|sort\.\w+|append)\(\s*&?{name}\b|(?<!\w){name}(?:\.\w+)+\.(?:Push|Remove|Write|Add|Set|Move)\w*\("
)
"""A receiver, or something of it, that is assigned to."""
_NUMBER = re.compile(r"(u?)int(8|16|32|64)?")
_PLAIN = {"float64": "float", "float32": "float", "string": "str", "bool": "bool", "rune": "char", "error": ""}


@dataclass(frozen=True)
class GoFunction:
    """A function.

    Attributes:
        name: without its receiver.
        receiver: the type that it is a method of; None if it is none.
        pointer: whether the receiver is a pointer.
        parameters: with types.
        body: its text.
        generic: how many types it takes.
        unknown: a parameter whose values cannot be made; None if all can.
        changes: whether it assigns to something of its receiver.
        returned: the types that it returns, as written.
        receiver_types: how many types its receiver takes.
    """

    name: str
    receiver: str | None
    pointer: bool
    parameters: tuple[EntryParameter, ...]
    body: str
    generic: int = 0
    unknown: str | None = None
    changes: bool = False
    returned: tuple[str, ...] = ()
    receiver_types: int = 0

    @property
    def is_open(self) -> bool:
        """Whether other packages can call it."""
        return self.name[:1].isupper()


@dataclass
class GoFragment:
    """What a fragment of Go has.

    Attributes:
        text: the text to compile.
        functions: its functions.
        structs: the fields of its structures.
        aliases: what other names of types stand for.
        receiver_types: the fields of structures that other packages can set, or the value of other named types, where
            these can be made.
        variables: whether it has variables outside of functions.
        broken: whether it does not parse.
        repairs: what was changed.
    """

    text: str
    functions: list[GoFunction] = field(default_factory=list)
    structs: dict[str, list[tuple[str, tree_sitter.Node]]] = field(default_factory=dict)
    aliases: dict[str, tree_sitter.Node] = field(default_factory=dict)
    receiver_types: dict[str, list[tuple[str, InputType]]] = field(default_factory=dict)
    variables: bool = False
    broken: bool = False
    repairs: list[str] = field(default_factory=list)

    @property
    def is_program(self) -> bool:
        """Whether its main function reads input, or nothing else can be called."""
        main = [one for one in self.functions if one.name == "main"]
        others = [one for one in self.functions if one.name not in ("main", "init")]
        return bool(main) and (
            not others or re.search(r"\bos\.(Stdin|Args)\b|\bfmt\.S?[fF]?[sS]can", self.text) is not None
        )

    def chosen(self, entry: str | None) -> GoFunction | None:
        """The function with a name, or the last one that no other calls."""
        functions = [one for one in self.functions if one.name not in ("main", "init", "_")]
        if entry is not None:
            owner, _, name = entry.rpartition(".")
            functions = [one for one in functions if one.name == name and (not owner or one.receiver == owner)]
            return functions[-1] if functions else None
        called = {name for one in functions for name in re.findall(r"\b\w+\b", one.body) if name != one.name}
        free = [one for one in functions if one.name not in called] or functions
        return free[-1] if free else None


def receiver_of(fragment: GoFragment, function: GoFunction) -> tuple[list[EntryParameter], GoFunction | None]:
    """What makes the object of a method and is done with it, all of which may be left out, and its constructor."""
    if function.receiver is None:
        return [], None
    names = (f"New{function.receiver}", f"new{function.receiver}", "New")
    makers = [one for name in names for one in fragment.functions if one.name == name and one.receiver is None]
    made = {function.receiver, f"*{function.receiver}"}
    makers = [
        one
        for one in makers
        if one.returned
        and one.returned[0].partition("[")[0] in made
        and one.returned[1:] in ((), ("error",))
        and one.unknown is None
        and one.generic == function.receiver_types
    ]
    found: list[EntryParameter] = []
    if makers:
        found = [EntryParameter(one.name, one.types, True, role="constructor") for one in makers[0].parameters]
    else:
        kind = fragment.receiver_types.get(function.receiver)
        found = [EntryParameter(name, (one,), True, role="constructor") for name, one in kind or ()]
    methods = [
        ObjectMethod(
            one.name,
            tuple(each.types[0] for each in one.parameters) if one.unknown is None else None,
            one.pointer and _changes(one, fragment, function.receiver),
            one.is_open,
            any(each != "error" for each in one.returned),
        )
        for one in fragment.functions
        if one.receiver == function.receiver
    ]
    return found + calls_around(methods, function.name), makers[0] if makers else None


def _changes(method: GoFunction, fragment: GoFragment, receiver: str) -> bool:
    """Whether a method changes its receiver, or calls one that does."""
    others = [one.name for one in fragment.functions if one.receiver == receiver and one.changes]
    return method.changes or any(re.search(rf"\.{one}\(", method.body) for one in others)


def refused_go(text: str) -> tuple[Reason, str] | None:
    """Why a function cannot be observed by its values, with the word that says so; None if it can."""
    plain = _without_texts(text)
    for pattern, reason in _REFUSED:
        found = re.search(pattern, plain)
        if found is not None:
            return reason, found[0]
    return None


def _without_texts(text: str) -> str:
    return re.sub(r"\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|/\*.*?\*/|//[^\n]*|'(?:[^'\\\n]|\\.)+'", '""', text, flags=re.DOTALL)


def read_go(text: str) -> GoFragment:
    """The functions and types of a fragment, with the package line and the imports that it needs."""
    text, repairs = _completed(text.replace("\r\n", "\n"))
    root = parse(text, language("go")).tree.root_node
    fragment = GoFragment(text, broken=root.has_error, repairs=repairs)
    reader = _GoReader(fragment, text.encode("utf-8", "replace"))
    reader.read(root)
    return fragment


def _completed(text: str) -> tuple[str, list[str]]:
    repairs: list[str] = []
    plain = _without_texts(text)
    used = set(re.findall(r"(?<![\w.])(\w+)\.[A-Z]\w*", plain))
    imported: dict[str, str] = {}

    def note(found: re.Match[str]) -> str:
        for alias, path in re.findall(r"(?:^|[\s(;])([\w.]+)?\s*\"([^\"]+)\"", found[0]):
            name = alias if alias and alias != "import" else path.rpartition("/")[2]
            imported[name] = f'{alias} "{path}"' if alias and alias != "import" else f'"{path}"'
        return ""

    body = re.sub(r"^import\s*(?:\([^)]*\)|[\w.]*\s*\"[^\"]+\")[ \t]*;?", note, text, flags=re.MULTILINE)
    body = re.sub(r"^\s*package\s+\w+[ \t]*;?", "", body, count=1, flags=re.MULTILINE)
    declared = set(re.findall(r"\b(\w+)\s*(?::=|,)", plain)) | set(re.findall(r"\b(?:var|type|const)\s+(\w+)", plain))
    added = sorted(one for one in used & _PACKAGES.keys() if one not in imported and one not in declared)
    dropped = sorted(one for one in imported if one not in used and one not in ("_", "."))
    if added:
        repairs.append(f"imports: {', '.join(added)}")
    if dropped:
        repairs.append(f"without imports: {', '.join(dropped)}")
    wanted = [imported[one] for one in imported if one not in dropped] + [f'"{_PACKAGES[one]}"' for one in added]
    lines = ["package main", *(f"import {one}" for one in wanted)]
    body = re.sub(r"\bfunc\s+main\s*\(\s*\)", "func ctMain()", body) if "func main" in body else body
    return "\n".join(lines) + "\n" + body.strip("\n") + "\n", repairs


class _GoReader:
    def __init__(self, fragment: GoFragment, source: bytes) -> None:
        self.fragment, self.source = fragment, source
        self.generic: set[str] = set()
        self.parameter = ""

    def text(self, node: tree_sitter.Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode(errors="replace")

    def read(self, root: tree_sitter.Node) -> None:
        for node in root.named_children:
            if node.type == "type_declaration":
                for one in node.named_children:
                    self.read_type(one)
            self.fragment.variables |= node.type == "var_declaration"
        for node in root.named_children:
            if node.type in ("function_declaration", "method_declaration"):
                self.function(node)
        self.generic = set()
        for name in {one.receiver for one in self.fragment.functions if one.receiver is not None}:
            fields = [(each, kind) for each, kind in self.fragment.structs.get(name, ()) if each[:1].isupper()]
            if name in self.fragment.aliases:
                fields = [("", self.fragment.aliases[name])]
            made = [(each, self.input_type(kind, (name,))) for each, kind in fields]
            self.fragment.receiver_types[name] = [(each or "value", kind) for each, kind in made if kind is not None]

    def read_type(self, node: tree_sitter.Node) -> None:
        name, kind = self.text(node.child_by_field_name("name")), node.child_by_field_name("type")
        if kind is None:
            return
        if kind.type != "struct_type":
            self.fragment.aliases[name] = kind
            return
        fields: list[tuple[str, tree_sitter.Node]] = []
        for one in (each for inner in kind.named_children for each in inner.named_children):
            inner_type = one.child_by_field_name("type")
            names = one.children_by_field_name("name")
            if inner_type is not None:
                fields += [(self.text(each), inner_type) for each in names]
        self.fragment.structs[name] = fields

    def function(self, node: tree_sitter.Node) -> None:
        name = self.text(node.child_by_field_name("name"))
        types = node.child_by_field_name("type_parameters")
        self.generic = set()
        for one in types.named_children if types is not None else ():
            self.generic.update(self.text(each) for each in one.children_by_field_name("name"))
        receiver = node.child_by_field_name("receiver")
        written = re.search(r"(\w*)\s*(\*?)\s*(\w+)\s*(?:\[([^\]]*)\])?\s*\)$", self.text(receiver))
        owner, pointer, itself = (written[3], bool(written[2]), written[1]) if written else (None, False, "")
        taken = [one.strip() for one in written[4].split(",")] if written and written[4] else []
        self.generic.update(taken)
        parameters: list[EntryParameter] = []
        unknown: str | None = None
        for parameter, kind, variadic in self.parameters(node.child_by_field_name("parameters")):
            self.parameter = parameter
            made = self.input_type(kind)
            if made is not None and variadic:
                made = InputType("list", (made,))
            if made is None:
                unknown = unknown or f"{parameter} {self.text(kind)}"
            parameters.append(EntryParameter(parameter, (made,) if made is not None else ()))
        body = self.text(node.child_by_field_name("body"))
        self.fragment.functions.append(
            GoFunction(
                "main" if name == "ctMain" else name,
                owner,
                pointer,
                tuple(parameters),
                body,
                len(self.generic) - len(taken),
                unknown,
                bool(itself)
                and (
                    re.search(_ASSIGNS.replace("{name}", itself), body) is not None
                    or changes_what_it_named(body, rf"\b{itself}\.")
                ),
                tuple(self.results(node.child_by_field_name("result"))),
                len(taken),
            )
        )

    def results(self, node: tree_sitter.Node | None) -> Iterator[str]:
        if node is not None and node.type != "parameter_list":
            yield self.text(node)
        elif node is not None:
            yield from (self.text(kind) for _, kind, _ in self.parameters(node))

    def parameters(self, node: tree_sitter.Node | None) -> Iterator[tuple[str, tree_sitter.Node, bool]]:
        for one in node.named_children if node is not None else ():
            kind = one.child_by_field_name("type")
            if kind is None:
                continue
            names = [self.text(each) for each in one.children_by_field_name("name")] or [""]
            for name in names:
                yield name, kind, one.type == "variadic_parameter_declaration"

    def input_type(self, node: tree_sitter.Node, inside: tuple[str, ...] = ()) -> InputType | None:
        if node.type == "parenthesized_type":
            return self.input_type(node.named_children[0], inside)
        if node.type in ("slice_type", "array_type"):
            element = node.child_by_field_name("element")
            inner = self.input_type(element, inside) if element is not None else None
            if self.text(element) in ("byte", "uint8") and node.type == "slice_type":
                return InputType("union", (InputType("str"), InputType("bytes")))
            return inner and InputType("list", (inner,))
        if node.type == "map_type":
            parts = [node.child_by_field_name("key"), node.child_by_field_name("value")]
            made = [self.input_type(one, inside) for one in parts if one is not None]
            key_and_value = tuple(one for one in made if one is not None)
            return InputType("map", key_and_value) if len(key_and_value) == 2 else None
        if node.type == "pointer_type":
            target = self.text(node.named_children[0])
            if target in self.fragment.structs:
                if target in inside:
                    return InputType("ref", name=target, optional=True)
                return self.structure(target, inside, optional=True)
            return self.input_type(node.named_children[0], inside)
        if node.type == "function_type":
            return None if any(one in self.fragment.structs for one in inside) else self.passed(node, inside)
        if node.type == "interface_type":
            return InputType("any") if self.text(node).replace(" ", "") == "interface{}" else None
        return self.named(self.text(node), inside)

    def passed(self, node: tree_sitter.Node, inside: tuple[str, ...]) -> InputType | None:
        """What is passed for a function; where it returns an error, too, that is one if there is no other result."""
        name = self.parameter
        taken = list(self.parameters(node.child_by_field_name("parameters")))
        returned = node.child_by_field_name("result")
        results = [returned] if returned is not None and returned.type != "parameter_list" else []
        if returned is not None and not results:
            results = [kind for _, kind, _ in self.parameters(returned)]
        fails = len(results) == 2 and self.text(results[1]) == "error"
        if any(variadic for *_, variadic in taken) or len(results) > (2 if fails else 1):
            return None
        kinds = [self.input_type(kind, inside) for _, kind, _ in taken]
        result = self.input_type(results[0], inside) if results else None
        if results and (result is None or result.optional):
            return None
        made = passed_function(name, kinds, replace(result, optional=fails) if result is not None else None)
        if made is None or not any("char" in str(kind) for kind in kinds):
            return made
        # Letters are numbers here, and texts in other languages.
        return replace(made, inner=(made.inner[0], *(made.inner[1:] or [InputType("ref", name="letters")])))

    def named(self, name: str, inside: tuple[str, ...]) -> InputType | None:
        number = _NUMBER.fullmatch(name)
        if name in self.generic:
            return InputType("int", bits=64)
        if number is not None:
            return InputType("int", bits=int(number[2] or 64), signed=not number[1])
        if name == "byte":
            return InputType("int", bits=8, signed=False)
        if name == "any":
            return InputType("any")
        if _PLAIN.get(name):
            return InputType(_PLAIN[name], bits=32 if name == "float32" else 0)
        if name in self.fragment.structs and name not in inside:
            return self.structure(name, inside, optional=False)
        if name in self.fragment.aliases and name not in inside:
            return self.input_type(self.fragment.aliases[name], (*inside, name))
        return None

    def structure(self, name: str, inside: tuple[str, ...], optional: bool) -> InputType | None:
        fields = []
        for field_name, kind in self.fragment.structs[name]:
            made = self.input_type(kind, (*inside, name))
            if made is None:
                return None
            fields.append((field_name, made))
        return InputType("object", name=name, fields=tuple(fields), optional=optional) if fields else None
