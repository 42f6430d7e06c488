"""The pieces of a block of code: which functions belong together, and which stand for themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from clonetruth.code import Extraction, Form, Function, extract, form_digest, language

MAIN = frozenset({"main", "Main", "__main__"})
"""Names of functions that try others out."""
_RECEIVERS = frozenset({b"self", b"cls", b"this"})
_FRAME = re.compile(
    r"""
    /\*.*?(?:\*/|\Z) | //[^\n]* | \#[^\n]*                                     # comments
    | ^[ \t]*(?:import|package|using|from)\b[^\n]*                            # what other code is used
    | ^[ \t]*(?:(?:public|private|protected|internal|abstract|final|static|sealed|export|partial)[ \t]+)*
      (?:class|struct|interface|record|namespace)\b[^\n{:;]*[{:]?             # the line that opens a class
    | [{}\s;]
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""What may surround functions without being shared by them."""


@dataclass(frozen=True)
class SeedFunctions:
    """The functions of a seed.

    Attributes:
        language: its language.
        forms: their forms (`text_form`).
    """

    language: str
    forms: tuple[bytes, ...]

    @classmethod
    def of(cls, text: str, name: str) -> SeedFunctions:
        """Those of a text: a seed may have a class and imports around them."""
        return cls(name, tuple(text_form(one.text, name) for one in _own(text, name)))


@dataclass(frozen=True)
class AnswerPiece:
    """A piece of a block.

    Attributes:
        text: its text.
        functions: number of functions in it.
    """

    text: str
    functions: int


def code_pieces(code: str, extraction: Extraction, sound: Sequence[Function], seed: SeedFunctions) -> list[AnswerPiece]:
    """Independent functions one by one; functions that call each other, or share the state of a class, together.

    A model that repeats the seed next to what it was asked for has written two functions: the seed is a separate piece,
    unless the others call it. Of a seed with several functions, the methods of a class are one implementation.

    Args:
        code: the block.
        extraction: its functions.
        sound: those of them that parse.
        seed: the functions that the model was asked about.
    """
    own = [one for one in sound if one.name not in MAIN] or list(sound)
    if len(own) == 1:
        return [AnswerPiece(own[0].text, 1)]
    name = extraction.parsed.language.name
    calls = {one: _calls(one, extraction) for one in own}
    lone = len(seed.forms) == 1
    copies = [one for one in own if lone and name == seed.language and text_form(one.text, name) in seed.forms]
    called = {called for one in own if one not in copies for called in calls[one]}
    copies = [one for one in copies if one.name not in called]
    rest = [one for one in own if one not in copies]
    pieces = [AnswerPiece(one.text, 1) for one in copies]
    names = {one.name for one in rest}
    in_class = any(one.class_path for one in rest)
    together = any(names & calls[one] for one in rest) or (in_class and (not lone or _shares_state(extraction)))
    if len(rest) < 2 or not together:
        return [*pieces, *(AnswerPiece(one.text, 1) for one in rest)]
    whole = not copies and not extraction.problems
    return [*pieces, AnswerPiece(code if whole else "\n\n".join(one.text for one in rest), len(rest))]


def _calls(one: Function, extraction: Extraction) -> frozenset[str]:
    """The names that a function calls, apart from itself."""
    texts = extraction.tokens(one).texts
    names = (text.decode("utf-8", errors="replace") for text, after in pairwise(texts) if after == b"(")
    return frozenset(name for name in names if name != one.name)


def _shares_state(extraction: Extraction) -> bool:
    """Whether the functions of a class share it with anything else, or use the object that they are called on."""
    methods = [one for one in extraction.functions if one.class_path]
    if any(text in _RECEIVERS for one in methods for text in extraction.tokens(one).texts):
        return True
    parsed, rest = extraction.parsed, list[bytes]()
    end = parsed.start
    for one in sorted(extraction.functions, key=lambda each: each.start):
        rest.append(parsed.source[end : one.start])
        end = max(end, one.end)
    between = b"\n".join([*rest, parsed.source[end : parsed.end]]).decode("utf-8", errors="replace")
    return bool(_FRAME.sub("", between))


def functions_alone(text: str, name: str) -> str:
    """The functions of a text without the class and the imports around them; the text itself if there are none."""
    return "\n".join(one.text for one in _own(text, name)) or text


def _own(text: str, name: str) -> list[Function]:
    """The functions of a text, without those that try others out."""
    found = extract(text, language(name), lone=True).functions
    return [one for one in found if one.name not in MAIN] or list(found)


def text_form(text: str, name: str) -> bytes:
    """What is the same for texts that differ in layout and comments only."""
    return form_digest(text, language(name), Form.TYPE1) or text.encode("utf-8", errors="replace")
