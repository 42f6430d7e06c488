"""Template strings and regular expressions of JavaScript are found without a grammar."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code.javascript_outline import JavaScriptOutline
from clonetruth.code.script_masks import _OPAQUE, _template_end

_WORDS = ["return", "in", "of", "typeof", "//", "/*", "*/", "${", "++", "--", "=>"]
_PIECES = [*_WORDS, *"a{}()[]'\"\\=+-*,;:?g<>!1\n //``"]
texts = st.lists(st.sampled_from(_PIECES), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("text", "opaque"),
    [
        ("a = /b'c/g.test(d) / e / f;", ["/b'c/g"]),
        ("a = /* why */ /b/; c = // how\n /d[/]e/", ["/b/", "/d[/]e/"]),
        ("return /x/; a++ / b / c; (a) / b; `t ${ `u` + /v}/ } w` / 2", ["/x/", "`t ${ `u` + /v}/ } w`"]),
        ("'`' + \"`\" // `\n+ `a`", ["`a`"]),
        ("x\n/y/g", []),
        ("`no end", []),
    ],
)
def test_opaque_texts_become_parentheses(text: str, opaque: list[str]) -> None:
    masked = JavaScriptOutline.masked(text.encode()).decode()
    assert len(masked) == len(text)
    changed = [text[found.start() : found.end()] for found in re.finditer(r"\( *\)", masked)]
    assert [one for one in changed if not one.startswith("(")] == opaque


@given(texts)
def test_masking_is_a_search_for_one_opaque_text_after_the_other(text: str) -> None:
    assert JavaScriptOutline.masked(text.encode()) == _searched(text.encode())


def _searched(text: bytes) -> bytes:
    """The same in a simple way, which takes four times as long."""
    masked, position = text, 0
    while (match := _OPAQUE.search(text, position)) is not None:
        position = match.end()
        if match.lastindex is not None:
            start = match.start(match.lastindex)
            position = _template_end(text, position) if match.lastindex == 1 else position
            if position < 0:
                return text
            masked = (
                masked[:start]
                + b"("
                + re.sub(rb"[^\n]", b" ", text[start + 1 : position - 1])
                + b")"
                + masked[position:]
            )
    return masked
