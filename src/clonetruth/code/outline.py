"""The functions of files, recognised from tokens alone.

Parsing costs three times as much as lexing, and most functions that a clone search reads have no clones. In a language
whose functions can be recognised by brackets and keywords, only doubtful files are parsed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from clonetruth.code.brackets import Flags
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Lexed
from clonetruth.registry import Registry


class Outline(ABC):
    """The functions of lexed texts, in order of their start, as `extract` finds them with its default options.

    Attributes:
        masks: whether the functions are to be located in `masked` texts, and lexed afterwards (class attribute).
        marks: the tokens that matter to it, each with a number from 1 to 255 (class attribute).
        name_mark: the number of all other names (class attribute).
        first: the first token of each function, annotations included.
        last: its last token.
        ends: the byte after each function, counted through all texts, as `Lexed.ends` is.
        name: the token that names it.
        doubtful: which texts need the parser; they have no functions here.
    """

    masks: ClassVar[bool] = False
    marks: ClassVar[Mapping[bytes, int]]
    name_mark: ClassVar[int]
    first: Integers
    last: Integers
    ends: Integers
    name: Integers
    doubtful: Flags

    @abstractmethod
    def __init__(self, lexed: Lexed, texts: Sequence[bytes]) -> None:
        """Outline texts that were lexed with the marks of this outline."""

    @classmethod
    def masked(cls, text: bytes) -> bytes:
        """Return a text with blanks in place of what a regular expression cannot lex; positions do not change."""
        return text

    def unlikely(self) -> Flags:
        """Which further texts may be in another language, or in none, and need the parser to tell."""
        return np.zeros(len(self.doubtful), dtype=bool)

    @abstractmethod
    def qualified_names(self, functions: Integers) -> list[str]:
        """The names of some of the functions, with their enclosing classes: ``Outer.Inner.name``."""


OUTLINES: Registry[type[Outline]] = Registry(
    "outline",
    {
        "java": "clonetruth.code.java_outline:JavaOutline",
        "c": "clonetruth.code.c_outline:COutline",
        "cpp": "clonetruth.code.cpp_outline:CppOutline",
        "go": "clonetruth.code.go_outline:GoOutline",
        "javascript": "clonetruth.code.javascript_outline:JavaScriptOutline",
        "typescript": "clonetruth.code.typescript_outline:TypeScriptOutline",
        "tsx": "clonetruth.code.typescript_outline:TsxOutline",
        "python": "clonetruth.code.indent_outline:PythonOutline",
    },
)
"""The languages whose functions can be recognised from tokens alone."""
