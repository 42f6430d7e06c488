"""From a bare fragment of JavaScript or TypeScript to a script with something to call.

Nothing is executed here: the text is parsed on the host, and the script runs in the sandbox. Every repair is recorded.
What cannot run has a reason from a closed list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.harness import Code, EntryParameter, Reason
from clonetruth.execution.harness.javascript.coverage import instrument
from clonetruth.execution.harness.javascript.entries import ScriptEntry, choose_entry, entries_of
from clonetruth.execution.harness.javascript.imported_types import imported_types
from clonetruth.execution.harness.javascript.modules import as_script
from clonetruth.execution.harness.javascript.names import free_names, needs_of, node_class
from clonetruth.execution.harness.javascript.project_modules import ProjectModules, project_modules
from clonetruth.execution.harness.javascript.receivers import receiver_parameters
from clonetruth.execution.harness.javascript.types import (
    TypeReader,
    documented_types,
    literal_type,
    parameter_names,
    pattern_of,
    without_fractions,
)
from clonetruth.execution.harness.javascript.typescript_types import DeclaredTypes, declarations
from clonetruth.execution.harness.text_edits import text_of
from clonetruth.execution.inputs.types import InputType

_WRAPPERS = (
    ("", "", ""),
    ("class Fragment {\n", "\n}", "class around the method"),
    ("const fragment = {\n", "\n}", "object around the method"),
    ("const fragment = ", "", "name for the function"),
)
_SPLIT_OPERATORS = re.compile(r"(?<=[=!<>+\-*/%&|^?]) (?==)|(?<==) (?=[=>])|(?<=&) (?=&)|(?<=\|) (?=\|)|(?<=\+) (?=\+)")
_READS_INPUT = re.compile(
    r"process\s*\.\s*stdin|readFileSync\s*\(\s*(?:0\b|['\"]/dev/stdin)|require\s*\(\s*['\"](?:node:)?readline"
    r"|from\s*['\"](?:node:)?readline|\breadline\s*\(|\bprompt\s*\("
)

_CALLBACK = re.compile(r":?\s*\(([^()]*)\)\s*=>")
_CONVERTED = re.compile(
    r"\b(bigint|(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array|(?:Readonly)?Map|(?:Readonly)?Set)\b"
)


class UndecidedFragmentError(Exception):
    """A fragment that cannot run."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class PreparedScript:
    """A fragment that can run.

    Attributes:
        script: what runs, with counters for coverage.
        entry: what to call; None for a whole program.
        parameters: of the entry.
        conversions: how the arguments are passed, by parameter: "bigint", "Map", the name of a typed array, "rest", or
            "callback" with the number of its parameters.
        repairs: what was changed.
        points: the number of counters.
        modules: the files of its project that it requires.
    """

    script: str
    entry: ScriptEntry | None
    parameters: tuple[EntryParameter, ...] = ()
    conversions: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    points: int = 0
    modules: ProjectModules = field(default_factory=ProjectModules)


def prepare_script(code: Code) -> PreparedScript:
    """Make a fragment callable, or a program if there is no function, or it reads standard input itself.

    Raises:
        UndecidedFragmentError: it cannot run.
    """
    text, root, repairs = _parsed(code.text, code.language)
    found = entries_of(root)
    entry = choose_entry(found, code.entry)
    if entry is None and code.entry is not None:
        raise UndecidedFragmentError(Reason.PARSE if root.has_error else Reason.FUNCTION, code.entry)
    outside = _text_outside(root, found)
    is_main = entry is not None and code.entry is None and entry.name == "main" and not parameter_names(entry.function)
    if entry is None or is_main or (code.entry is None and _READS_INPUT.search(outside)):
        if root.has_error:
            raise UndecidedFragmentError(Reason.PARSE)
        if not text.strip() or not re.search(r"\w", outside):
            raise UndecidedFragmentError(Reason.FUNCTION)
        return PreparedScript(as_script(text, code.language), None, repairs=tuple(repairs))
    script = as_script(text, code.language)
    tree = language("javascript").parser.parse(script.encode("utf-8", "replace"))
    modules = project_modules(script, code)
    if (needed := needs_of(tree.root_node, modules.own)) is not None:
        raise UndecidedFragmentError(*needed)
    header = _header(tree.root_node, repairs)
    counted, points = (script, 0) if tree.root_node.has_error else instrument(tree.root_node, script, entry.name)
    parameters, conversions = _parameters(root, entry, found, imported_types(root, code))
    return PreparedScript(header + counted, entry, parameters, conversions, tuple(repairs), points, modules)


def _parsed(text: str, name: str) -> tuple[str, tree_sitter.Node, list[str]]:
    """The text, its tree and the repairs that it needed. What nothing repairs is left to the engine to refuse."""
    parser = language(name).parser
    first: tree_sitter.Node | None = None
    for joined in (text, _SPLIT_OPERATORS.sub("", text)):
        for before, after, repair in _WRAPPERS:
            candidate = f"{before}{joined}{after}"
            root = parser.parse(candidate.encode("utf-8", "replace")).root_node
            first = first or root
            if not root.has_error and not _is_lone_function(root):
                operators = ["joined operators"] if joined != text else []
                return candidate, root, [*operators, *([repair] if repair else [])]
    assert first is not None
    return text, first, []


def _is_lone_function(root: tree_sitter.Node) -> bool:
    """Whether a text is nothing but a function without a name."""
    statements = [one for one in root.named_children if one.type != "comment"]
    if len(statements) == 1 and statements[0].type == "labeled_statement":
        # A property of an object: `name: function () {}`.
        return "function" in text_of(statements[0]).partition(":")[2][:20]
    if len(statements) != 1 or statements[0].type != "expression_statement":
        return False
    value = statements[0].named_children[0]
    while value.type == "parenthesized_expression":
        value = value.named_children[0]
    return value.type in ("arrow_function", "function_expression", "generator_function")


def _text_outside(root: tree_sitter.Node, found: list[ScriptEntry]) -> str:
    """What runs when a text is loaded."""
    functions = {(one.function.start_byte, one.function.end_byte) for one in found}
    kept = [
        text_of(node)
        for node in root.named_children
        if node.type not in ("comment", "function_declaration", "class_declaration", "generator_function_declaration")
        and not any(start >= node.start_byte and end <= node.end_byte for start, end in functions)
    ]
    return "\n".join(kept)


def _header(root: tree_sitter.Node, repairs: list[str]) -> str:
    """Definitions of what a fragment uses without defining it.

    Raises:
        UndecidedFragmentError: something cannot be defined.
    """
    lines: list[str] = []
    for name, how in free_names(root).items():
        if isinstance(how, Reason):
            raise UndecidedFragmentError(how, name)
        if how == "class":
            lines.append(node_class(root, name))
            repairs.append(f"class {name}")
        else:
            lines.append(f"var {name} = require('{how}');")
            repairs.append(f"import of {how}")
    return " ".join(lines) + ("\n" if lines else "")


def _parameters(
    root: tree_sitter.Node, entry: ScriptEntry, found: list[ScriptEntry], imported: Mapping[str, tree_sitter.Node]
) -> tuple[tuple[EntryParameter, ...], tuple[str, ...]]:
    """What is given to a function, and to the class of a method, each with how it is passed."""
    declared = DeclaredTypes({**imported, **declarations(root)})
    reader = TypeReader(root, {one.name: one.function for one in found})

    def read(function: tree_sitter.Node) -> list[tuple[EntryParameter, str]]:
        before = function if function.type == "method_definition" else entry.statement
        return list(_read_parameters(function, declared, reader, documented_types(_comment_before(before))))

    own = read(entry.function)
    if entry.class_node is not None:
        around = receiver_parameters(root, entry, read)
        # What may be left out comes last, so that inputs that are written down need not have it.
        own = [*(one for one in around if not one[0].optional), *own, *(one for one in around if one[0].optional)]
    return tuple(one for one, _ in own), tuple(how for _, how in own)


def _read_parameters(
    function: tree_sitter.Node, declared: DeclaredTypes, reader: TypeReader, said: Mapping[str, str]
) -> Iterator[tuple[EntryParameter, str]]:
    listed = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    nodes = [single] if single else [one for one in listed.named_children if one.type != "comment"] if listed else []
    for node in nodes:
        pattern = pattern_of(node)
        if pattern.type == "this":
            continue
        name = text_of(pattern)
        annotation = node.child_by_field_name("type")
        default = node.child_by_field_name("value") or node.child_by_field_name("right")
        written = text_of(annotation) or said.get(name, "")
        types = declared.types(annotation) or (declared.read(said[name]) if name in said else ())
        if not types and default is not None and (literal := literal_type(default)) is not None:
            types = (literal,)
        if not types and pattern.type == "identifier":
            types = reader.inferred(function, name)
        elif not types and pattern.type == "object_pattern":
            types = reader.destructured(function, pattern)
        types = without_fractions(name, types)
        is_rest = "rest_pattern" in (node.type, *(child.type for child in node.children))
        if is_rest and not types:
            types = tuple(InputType("list", (one,)) for one in (InputType("int"), InputType("str")))
        optional = default is not None or node.type == "optional_parameter"
        keeps_null = re.search(r"\bnull\b", written) is not None
        types = tuple(replace(one, optional=False) if one.kind != "object" and not keeps_null else one for one in types)
        parameter = EntryParameter(name, types, optional, passed="rest" if is_rest else "")
        yield parameter, "rest" if is_rest else _conversion(written, function, name)


def _conversion(written: str, function: tree_sitter.Node, name: str) -> str:
    """How a value is passed that several types of JavaScript can stand for."""
    callback = _CALLBACK.match(written)
    if callback:
        return f"callback{callback[1].count(':')}"
    found = _CONVERTED.search(written)
    if found:
        return found[1].removeprefix("Readonly")
    body = text_of(function)
    escaped = re.escape(name)
    if re.search(rf"\b{escaped}\s*\.\s*(?:get|set|has|delete)\s*\(|\b{escaped}\s*\.\s*size\b", body):
        return "Map"
    if re.search(rf"\b{escaped}\s*(?:[-+*/%<>]|[=!]==?)\s*\d+n\b|\d+n\s*[-+*/%<>=!]+\s*{escaped}\b", body):
        return "bigint"
    return ""


def _comment_before(node: tree_sitter.Node) -> str:
    before = node.prev_sibling
    return text_of(before) if before is not None and before.type == "comment" else ""
