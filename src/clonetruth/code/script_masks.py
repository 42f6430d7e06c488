"""Blanks in place of what a lexer without a grammar cannot delimit in JavaScript and TypeScript.

Template strings, regular expressions and, if wanted, JSX elements become parentheses of the same length. The code in
the braces of an element stays, in parentheses; line breaks stay. What is before a slash tells a regular expression from
a division.
"""

from __future__ import annotations

import re

import numpy as np

from clonetruth.code.language import SLASH_COMMENT

_QUOTED = SLASH_COMMENT + rb"|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'"
_REGEX = rb"/(?![*/])(?:[^/\\\[\n]++|\\.|\[(?:[^\]\\\n]++|\\.)*+\])++/[A-Za-z]*+"
_BEFORE_REGEX = (
    rb"(?:[=(,:\[!&|?{};~^%*>]|(?<!\})\}|(?<!\+)\+|(?<!-)-"
    rb"|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|instanceof|yield|await)\b)"
)
_SPACE = rb"(?:\s++|" + SLASH_COMMENT + rb")*+"
_OPAQUE = re.compile(_QUOTED + rb"|(`)|" + _BEFORE_REGEX + _SPACE + rb"(" + _REGEX + rb")", re.DOTALL)
_REGEX_FOLLOWS = re.compile(_BEFORE_REGEX + rb"\Z")
_ELEMENT_FOLLOWS = re.compile(
    rb"(?:[=(,:\[!&|?{};>]|\b(?:return|case|default|yield|await|else|do))" + _SPACE + rb"\Z", re.DOTALL
)
_FAR = 400
"""More than the comments before an element have, in characters."""
_LONGEST_WORD = len(b"instanceof")

_TO_OPAQUE = re.compile(rb"(?:[^\"'`/]++|" + _QUOTED + rb"|[\"'])*+", re.DOTALL)
_NO_ELEMENT = rb"<(?![A-Za-z_$]|\s*+>)"
_TO_ELEMENT = re.compile(rb"(?:[^\"'`/<]++|" + _NO_ELEMENT + rb"|" + _QUOTED + rb"|[\"'])*+", re.DOTALL)
_TO_BRACE = re.compile(rb"(?:[^\"'`/<{}]++|" + _NO_ELEMENT + rb"|" + _QUOTED + rb"|[\"'])*+", re.DOTALL)
"""What is before the next token that matters."""

_WHOLE_REGEX = re.compile(_REGEX, re.DOTALL)
_IN_TEMPLATE = re.compile(rb"`|\\.|\$\{", re.DOTALL)
_IN_CODE = re.compile(rb"[{}`]|" + _QUOTED + rb"|[(,=:]\s*" + _REGEX, re.DOTALL)
_TYPE_ARGUMENTS = rb"(?:<(?:[^<>(){}]++|<[^<>(){}]*+>)*+>)?+"
_TAG = re.compile(rb"<(?:([A-Za-z_$][\w$.:-]*+)" + _TYPE_ARGUMENTS + rb"|(?=\s*+>))")
_IN_TAG = re.compile(SLASH_COMMENT + rb"|[{>]|/\s*+>|\"[^\"]*+\"|'[^']*+'|<", re.DOTALL)
_AMONG_CHILDREN = re.compile(rb"[{}]|</\s*+([\w$.:-]*+)\s*+>|<")
_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def masked(text: bytes, elements: bool = False) -> bytes:
    """Return the text with parentheses in place of each template string, regular expression and, if wanted, element.

    Returns:
        The same object if there is none of them, or if one does not end.
    """
    pieces: list[bytes] = []
    try:
        end = _mask_code(text, 0, pieces, _TO_ELEMENT if elements else _TO_OPAQUE)
    except RecursionError:
        return text
    return b"".join(pieces) if end >= 0 and len(pieces) > 1 else text


def without_literals(text: bytes) -> bytes:
    """Return the text with blanks in place of each template string and regular expression."""
    parentheses = masked(text)
    if parentheses is text:
        return text
    old, new = np.frombuffer(text, np.uint8), np.frombuffer(parentheses, np.uint8)
    return np.where(old == new, old, np.uint8(ord(" "))).tobytes()


def _mask_code(text: bytes, start: int, pieces: list[bytes], plain: re.Pattern[bytes]) -> int:
    """Mask code, up to the end of the text or, inside of an element, from an opening brace to its partner.

    Returns:
        The position after it; -1 if it, or something in it, does not end.
    """
    inside = plain is _TO_BRACE
    depth = 0
    position = start
    copied = start + inside
    while True:
        since, position = position, _end(plain, text, position)
        found = text[position : position + 1]
        end = -1
        element: list[bytes] = []
        if not found:
            pieces.append(text[copied:])
            return -1 if inside else len(text)
        if found == b"`":
            end = _template_end(text, position + 1)
            if end < 0:
                return -1
        elif found == b"/":
            end = _regex_end(text, since, position)
        elif found == b"<":
            if _ELEMENT_FOLLOWS.search(text, max(0, position - _FAR), position):
                end = _mask_element(text, position, element)
        elif found == b"{":
            depth += 1
        elif found == b"}":
            depth -= 1
            if not depth:
                pieces.append(text[copied:position])
                return position + 1
        if end < 0:
            position += 1
            continue
        pieces += text[copied:position], *(element or (b"(", _blank(text, position + 1, end - 1), b")"))
        copied = position = end


def _blank(text: bytes, start: int, end: int) -> bytes:
    return text[start:end].translate(_BLANKS)


def _regex_end(text: bytes, position: int, slash: int) -> int:
    """The position after the regular expression that begins with a slash; -1 if there is none.

    Args:
        text: the text.
        position: where the code with the slash begins: the end of the template string or slash before it.
        slash: the position of the slash, which is not in a comment or string.
    """
    end = _end(_WHOLE_REGEX, text, slash)
    if end < 0:
        return -1
    before = text[position:slash].rstrip()
    if before.endswith(b"*/") or b"\n" in text[position + len(before) : slash]:  # perhaps a comment is before it
        while (match := _OPAQUE.search(text, position, end)) is not None and match.end() <= slash:
            position = match.end()
        return end if match and match.lastindex == 2 and match.start(2) == slash else -1
    return -1 if _REGEX_FOLLOWS.search(before, max(len(before) - _LONGEST_WORD, 0)) is None else end


def _end(pattern: re.Pattern[bytes], text: bytes, position: int) -> int:
    """The end of the match of a pattern at a position; -1 if there is none."""
    match = pattern.match(text, position)
    return match.end() if match else -1


def _mask_element(text: bytes, start: int, pieces: list[bytes]) -> int:
    """Mask the element that begins at a position.

    Returns:
        The position after it; -1 if none begins there.
    """
    opening = _TAG.match(text, start)
    if opening is None:
        return -1
    position = opening.end()
    pieces += b"(", _blank(text, start + 1, position)
    in_tag = True
    while (match := (_IN_TAG if in_tag else _AMONG_CHILDREN).search(text, position)) is not None:
        found = match[0]
        pieces.append(_blank(text, position, match.start()))
        position = match.end()
        if found == b"{":
            pieces.append(b"(")
            position = _mask_code(text, match.start(), pieces, _TO_BRACE)
            pieces.append(b")")
        elif found == b"<":
            position = -1 if in_tag else _mask_element(text, match.start(), pieces)
        elif found == b"}":
            position = -1
        elif not in_tag or (found[:1] == b"/" and found[1:2] not in b"/*"):
            if not in_tag and match[1] != (opening[1] or b""):
                return -1
            pieces += _blank(text, match.start(), position - 1), b")"
            return position
        else:
            pieces.append(_blank(text, match.start(), position))
            in_tag = found != b">"
        if position < 0:
            return -1
    return -1


def _template_end(text: bytes, position: int) -> int:
    """The position after the template string whose text begins at a position; -1 if it does not end."""
    while (match := _IN_TEMPLATE.search(text, position)) is not None:
        position = match.end()
        if match[0] == b"`":
            return position
        depth = int(match[0] == b"${")
        while depth:
            inner = _IN_CODE.search(text, position)
            if inner is None:
                return -1
            position = inner.end()
            depth += {b"{": 1, b"}": -1}.get(inner[0], 0)
            if inner[0] == b"`":
                position = _template_end(text, position)
                if position < 0:
                    return -1
    return -1
