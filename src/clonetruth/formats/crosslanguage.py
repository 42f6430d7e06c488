"""GPTCloneBench's cross-language files: an input function, and a model's translations into other languages.

A file begins with ``#input`` and a function; after ``#====`` and ``#gpt output===`` comes the model's answer,
with a heading (``Python:``, ``// C#``, ``C Implementation:``) or a fenced block for each language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_LANGUAGES = {
    "python": "python",
    "python3": "python",
    "py": "python",
    "c": "c",
    "c++": "cpp",
    "cpp": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "csharp": "csharp",
    "c sharp": "csharp",
    "java": "java",
}
_NAME = r"(?P<name>c\s?sharp|c\+\+|c#|cpp|cs|c|python\s?[23]?|py|java)"
_HEADING = re.compile(
    r"\s*(?:\d[.)]\s*)?(?://+|#+|/\*+|\*+|--)?\s*(?:in\s+)?"
    rf"{_NAME}\s*(?:implementation|code|version|equivalent|program|function|translation)?\s*:?\s*(?:\*+/?|-+|=+)?\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*```\s*(?P<name>[\w+#]*)\s*")
_SEED = re.compile(r"\A\s*#input[ \t]*\n(?P<seed>.*?)^#=+\s*#gpt output=*[ \t]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class LanguageBlock:
    """The code in one language. Lines are 1-based and inclusive; `language` is empty if the file does not name it."""

    language: str
    text: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class CrossLanguageFile:
    """The input function (the file's name determines its language) and the blocks of the answer."""

    seed: LanguageBlock
    blocks: tuple[LanguageBlock, ...]


def parse_cross_language(text: str) -> CrossLanguageFile | None:
    """Parse a file; None if the marks or the input function are missing."""
    marks = _SEED.match(text)
    if not marks:
        return None
    lines = text.split("\n")
    start = text.count("\n", 0, marks.start("seed"))
    answer = text.count("\n", 0, marks.end()) + 1
    seed = _block("", lines, start, text.count("\n", 0, marks.end("seed")))
    if seed is None:
        return None
    return CrossLanguageFile(seed, tuple(_answer_blocks(lines, answer)))


def answer_blocks(text: str) -> list[LanguageBlock]:
    """The blocks of a model's answer: fenced ones, or if there are none those below a heading with a language."""
    return _answer_blocks(text.split("\n"), 0)


def _answer_blocks(lines: list[str], answer: int) -> list[LanguageBlock]:
    fenced = any(_FENCE.fullmatch(line) for line in lines[answer:])
    return _fenced(lines, answer) if fenced else _headed(lines, answer)


def _headed(lines: list[str], answer: int) -> list[LanguageBlock]:
    languages = [(index, _heading(lines[index])) for index in range(answer, len(lines))]
    headings = [(index, language) for index, language in languages if language]
    headings.append((len(lines), ""))
    blocks = [_block(language, lines, index + 1, end) for (index, language), (end, _) in pairwise(headings)]
    return [block for block in blocks if block]


def _fenced(lines: list[str], answer: int) -> list[LanguageBlock]:
    """The fenced blocks. A fence without a language takes that of the heading before it."""
    blocks: list[LanguageBlock | None] = []
    headed, opened = "", None
    for index in range(answer, len(lines)):
        fence = _FENCE.fullmatch(lines[index])
        if fence and opened is None:
            headed, opened = _language(fence["name"]) or headed, index
        elif fence and opened is not None:
            blocks.append(_block(headed, lines, opened + 1, index))
            headed, opened = "", None
        elif opened is None:
            headed = _heading(lines[index]) or headed
    if opened is not None:
        blocks.append(_block(headed, lines, opened + 1, len(lines)))
    return [block for block in blocks if block]


def _heading(line: str) -> str:
    match = _HEADING.fullmatch(line) if len(line) < 80 else None
    return _language(match["name"]) if match else ""


def _language(name: str) -> str:
    plain = re.sub(r"\s*[23]$", "", " ".join(name.lower().split()))
    return _LANGUAGES.get(plain, "")


def _block(language: str, lines: list[str], start: int, end: int) -> LanguageBlock | None:
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return LanguageBlock(language, "\n".join(lines[start:end]), start + 1, end) if end > start else None
