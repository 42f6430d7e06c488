"""Names of a script of JavaScript: what it uses without defining it, and what it needs that no sandbox has."""

from __future__ import annotations

import re
from collections.abc import Collection

import tree_sitter

from clonetruth.execution.harness.harness import Reason
from clonetruth.execution.harness.javascript.types import NODE_FIELDS, words
from clonetruth.execution.harness.text_edits import text_of, walk

_GLOBALS = words(
    "undefined NaN Infinity globalThis global arguments this Object Array String Number Boolean Symbol BigInt "
    "Math JSON Date RegExp Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Error TypeError RangeError "
    "SyntaxError ReferenceError EvalError URIError AggregateError ArrayBuffer SharedArrayBuffer DataView "
    "Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array "
    "Float64Array BigInt64Array BigUint64Array Atomics Intl Function eval parseInt parseFloat isNaN isFinite "
    "encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape console process setTimeout "
    "setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask structuredClone "
    "TextEncoder TextDecoder URL URLSearchParams Buffer btoa atob module exports require __covered "
    "FinalizationRegistry Iterator async"
)
_MODULES = words("assert buffer crypto events path querystring string_decoder url util")
_NEEDS = {
    **dict.fromkeys(("fs", "fs/promises", "__dirname", "__filename"), Reason.FILE),
    **dict.fromkeys(
        ("http", "https", "net", "tls", "dgram", "dns", "http2", "fetch", "XMLHttpRequest", "WebSocket", "axios"),
        Reason.NETWORK,
    ),
    **dict.fromkeys(
        ("document", "window", "alert", "confirm", "localStorage", "sessionStorage", "navigator", "HTMLElement", "$"),
        Reason.SCREEN,
    ),
    **dict.fromkeys(("jQuery", "requestAnimationFrame", "Image", "location", "canvas"), Reason.SCREEN),
    **dict.fromkeys(("child_process", "cluster", "worker_threads", "Worker"), Reason.PROCESS),
    **dict.fromkeys(("prompt", "readline", "readline/promises"), Reason.INPUT),
    **dict.fromkeys(("performance", "perf_hooks"), Reason.CLOCK),
    **dict.fromkeys(("_", "lodash", "underscore", "moment", "React", "Vue", "angular"), Reason.PACKAGE),
}
_MODULE = re.compile(r"^\(\s*['\"](?:node:)?([^'\"]+)['\"]\s*\)$")
_CLOCK = re.compile(r"process\s*\.\s*hrtime")
_BINDING = (
    "variable_declarator",
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "class_declaration",
    "class",
)
_PATTERNS = ("array_pattern", "object_pattern", "rest_pattern", "formal_parameters", "pair_pattern")


def needs_of(root: tree_sitter.Node, own: Collection[str] = ()) -> tuple[Reason, str] | None:
    """What a script needs that no sandbox has: files, networks, screens, the time, packages. None if nothing.

    Args:
        root: of its tree.
        own: names of modules that it can require, besides those of node.
    """
    for node in walk(root):
        if node.type == "call_expression" and text_of(node.child_by_field_name("function")) == "require":
            said = re.search(
                r"^\(\s*['\"](?:node:)?([^'\"]+)['\"]\s*\)$", text_of(node.child_by_field_name("arguments"))
            )
            if said and said[1] not in _MODULES and said[1] not in own:
                return _NEEDS.get(said[1], Reason.PACKAGE), said[1]
        elif node.type in ("call_expression", "new_expression"):
            clock = _CLOCK.match(text_of(node))
            if clock:
                return Reason.CLOCK, clock[0]
        elif node.type == "member_expression" and text_of(node) == "process.stdin":
            return Reason.INPUT, "process.stdin"
    return None


def free_names(root: tree_sitter.Node) -> dict[str, str | Reason]:
    """Names that are read somewhere and bound nowhere, with what to do: the module to import, "class" to define one,
    or the reason why nothing helps."""
    read: dict[str, list[tree_sitter.Node]] = {}
    bound: set[str] = set()
    for node in walk(root):
        if node.is_missing:  # what does not parse has no name there
            continue
        if node.type == "shorthand_property_identifier_pattern":
            bound.add(text_of(node))
        elif node.type in ("identifier", "shorthand_property_identifier"):
            if _binds(node):
                bound.add(text_of(node))
            else:
                read.setdefault(text_of(node), []).append(node)
    found: dict[str, str | Reason] = {}
    for name in sorted(read.keys() - bound - _GLOBALS):
        if any(node.parent is not None and text_of(node.parent).startswith("typeof") for node in read[name]):
            continue
        if name in _NEEDS:
            found[name] = _NEEDS[name]
        elif name in _MODULES:
            found[name] = name
        elif name[:1].isupper() and any(_is_constructed(node) for node in read[name]):
            found[name] = "class"
        else:
            found[name] = Reason.SYMBOL
    return found


def _binds(node: tree_sitter.Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    kind = parent.type
    if kind in _BINDING:
        return parent.child_by_field_name("name") == node
    if kind in ("assignment_expression", "assignment_pattern", "object_assignment_pattern", "for_in_statement"):
        return parent.child_by_field_name("left") == node
    if kind in ("arrow_function", "catch_clause"):
        return node in (parent.child_by_field_name("parameter"),)
    return kind in _PATTERNS


def _is_constructed(node: tree_sitter.Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "new_expression"


def node_class(root: tree_sitter.Node, name: str) -> str:
    """A class such as `ListNode`, from the fields that the fragment uses."""
    used = {text_of(node) for node in walk(root) if node.type == "property_identifier"}
    fields = [one for one in NODE_FIELDS if one in used] or ["val"]
    body = " ".join(f"this.{one} = {one} === undefined ? null : {one};" for one in fields)
    return f"class {name} {{ constructor({', '.join(fields)}) {{ {body} }} }}"
