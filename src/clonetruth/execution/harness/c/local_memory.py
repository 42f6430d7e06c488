"""Functions that return their own memory: the place of a local variable, which is gone when they return.

A compiler may return null in its place, so that no check at run time sees it: such statements say themselves that they
are undefined behaviour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clonetruth.execution.harness.c.functions import CFragment, CFunction

WHAT = "local memory"
"""What `Observation.ended` says of it."""
_RETURN = re.compile(
    r"\breturn\b(?P<place>\s*(?:\([\w\s]+\*+\s*\)\s*)?\(?\s*(?P<address>&\s*)?(?P<name>[A-Za-z_]\w*)\s*\)?)\s*;"
)
_KEEPS = re.compile(r"\b(?:static|extern|thread_local|_Thread_local)\b")
_NO_TYPES = re.compile(r"(?:return|else|case|goto|new|delete|throw|typedef)\b")


def with_undefined_returns(fragment: CFragment) -> str:
    """The text of a fragment, in which a function that returns its own memory says so."""
    source = fragment.text.encode("utf-8", "surrogateescape")
    edits = sorted({edit for one in fragment.functions for edit in _returns(one, source)}, reverse=True)
    for at in edits:
        source = source[:at] + f' ct_undefined("{WHAT}"),'.encode() + source[at:]
    return source.decode("utf-8", "surrogateescape")


def _returns(function: CFunction, source: bytes) -> Iterator[int]:
    """Where such a statement has what it returns, in bytes of the text."""
    body = function.body
    start = source.find(body.encode("utf-8", "replace"), function.start)
    if function.returned.kind != "pointer" or start < 0:
        return
    taken = {one.name for one in function.parameters if not one.reference}
    for found in _RETURN.finditer(body):
        name, is_address = found["name"], found["address"] is not None
        if _is_local(name, body[: found.start()], is_array=not is_address) or (is_address and name in taken):
            yield start + len(body[: found.start("place")].encode("utf-8", "replace"))


def _is_local(name: str, before: str, *, is_array: bool) -> bool:
    """Whether text before a statement declares a variable that ends with its function; an array, if that is asked."""
    behind = r"\s*\[" if is_array else r"\s*(?:[;,=]|\[)"
    pattern = rf"[;{{}}]\s*(?P<kind>[A-Za-z_][\w\s]*?[\s*]+(?:[^;(){{}}]*,\s*\**)?){name}{behind}"
    declared = list(re.finditer(pattern, before))
    if not declared:
        return False
    kind = declared[-1]["kind"]
    return _KEEPS.search(kind) is None and _NO_TYPES.match(kind) is None
