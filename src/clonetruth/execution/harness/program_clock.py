"""Programs that ask for the time, made to see a clock that stands still: most only tell a person how long they took.

What two programs print then differs by what they do, not by when they ran. A program that waits until some time has
passed comes to no end. Only programs are changed, and the result says so; harnesses of Python and JavaScript stop the
clock of all code.
"""

from __future__ import annotations

import re
from dataclasses import replace

from clonetruth.execution.harness.harness import Code
from clonetruth.execution.harness.java.text import masked

REPAIR = "the clock stands still"

_JAVA_MAIN = re.compile(r"\bstatic\s+(?:\w+\s+)*void\s+main\s*\(")
_MILLISECONDS = "1710505845678L"
"""The same moment as in `inside/python_clock.py`."""
_JAVA_CLOCKS = (
    (re.compile(r"\b(?:java\.lang\.)?System\s*\.\s*currentTimeMillis\s*\(\s*\)"), _MILLISECONDS),
    (re.compile(r"\b(?:java\.lang\.)?System\s*\.\s*nanoTime\s*\(\s*\)"), "45678901000L"),
    (re.compile(r"\bnew\s+(?:java\.util\.)?Date\s*\(\s*\)"), f"new java.util.Date({_MILLISECONDS})"),
)


def with_stopped_clock(code: Code) -> Code:
    """The same program with constants in place of the time; the code itself if there is nothing to change.

    Example:
        >>> program = "class A { public static void main(String[] a) { long start = System.nanoTime(); } }"
        >>> with_stopped_clock(Code(program, "java")).text
        'class A { public static void main(String[] a) { long start = 45678901000L; } }'
    """
    if code.language != "java" or code.entry is not None or not _JAVA_MAIN.search(masked(code.text)):
        return code
    text = code.text
    for pattern, constant in _JAVA_CLOCKS:
        # From the end, so that the places of those before do not move.
        for found in reversed(list(pattern.finditer(masked(text)))):
            text = text[: found.start()] + constant + text[found.end() :]
    return code if text == code.text else replace(code, text=text)
