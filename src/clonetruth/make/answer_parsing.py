"""From a model's answer to code: every answer, and every piece of code in it, is kept with what became of it.

Real answers are fenced or not, have headings by language or number, explain instead of answering, repeat the question,
use another language, do not parse, or end in the middle because the number of tokens was limited.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from clonetruth.code import LANGUAGES, Extraction, extract, language
from clonetruth.formats.crosslanguage import answer_blocks
from clonetruth.make.code_pieces import SeedFunctions, code_pieces, functions_alone, text_form


class AnswerFate(StrEnum):
    """What became of an answer."""

    CODE = "code"
    UNUSABLE = "no usable code"
    PROSE = "prose only"
    REFUSED = "refused"
    EMPTY = "empty"
    CUT_OFF = "cut off"
    UNEXPLAINED = "unexplained"


class SnippetFate(StrEnum):
    """What became of a piece of code in an answer."""

    ACCEPTED = "accepted"
    COPY = "copy of the seed"
    REPEATED = "repeats another"
    OTHER_LANGUAGE = "other language"
    SYNTAX = "syntax error"
    CUT_OFF = "cut off"
    NO_FUNCTION = "no function"
    PROSE = "prose"
    TOO_LONG = "too long"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Snippet:
    """A piece of code in an answer.

    Attributes:
        language: its language; empty if unknown.
        text: the code.
        fate: what became of it.
        functions: number of functions in it.
    """

    language: str
    text: str
    fate: SnippetFate
    functions: int = 0


@dataclass(frozen=True)
class ParsedAnswer:
    """An answer with the code in it.

    Attributes:
        fate: what became of it.
        snippets: the pieces of code, in order.
        missing: languages that were asked for and are in no accepted piece.
    """

    fate: AnswerFate
    snippets: tuple[Snippet, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Snippet, ...]:
        """The pieces that can be used."""
        return tuple(one for one in self.snippets if one.fate is SnippetFate.ACCEPTED)


@dataclass(frozen=True)
class AnswerContext:
    """What is known of a question.

    Attributes:
        seed: the code in it.
        seed_language: its language.
        languages: the languages that were asked for.
        cut_off: whether the server says that the answer reached the limit of tokens.
        refused: whether the server says that the model refused.
    """

    seed: str
    seed_language: str
    languages: tuple[str, ...]
    cut_off: bool = False
    refused: bool = False


MOST_CHARACTERS = 100_000
"""Characters of code in an answer that are read; a model that loops writes more."""
MOST_BLOCK = 20_000
"""Characters of one block. On some texts a parser's memory grows with the square of their length."""
_MOST_GUESSED = 10_000
"""Characters up to which a text is tried in languages that nobody asked for."""
MOST_BLOCKS = 200
"""Blocks of an answer that are read."""

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE_LINE = re.compile(r"^\s*```", re.MULTILINE)
_NUMBERED = re.compile(
    r"^\s*(?:[#*/]+\s*)?(?:(?:implementation|solution|clone|version|variant|approach|example|option|function|method|"
    r"type[- ]?[34](?:\s+clone)?)\s*#?\d*\s*[:.)-]|\d{1,2}\s*[.):])\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(?:sorry|i (?:cannot|can't|can not|won't)|as an ai|unable to (?:help|assist|provide|translate|convert)|"
    r"(?:not|isn't) (?:possible|feasible|applicable|directly (?:possible|translatable))|no (?:direct )?equivalent)",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*(?:def |class |return\b|import |#include|public |static |using |for\b.*:|if\b.*:)"
)
_NOTHING = re.compile(r"n/?a|none|not (?:applicable|possible|available)\b.*", re.IGNORECASE)
_WORDS = re.compile(r"\W*[A-Z][\w'’`-]*(?:[ ,/]+[\w'’`\"().#+-]+){3}", re.IGNORECASE)
"""The first words of a sentence. Characters that separate words are in no word, so that no line takes long."""
_ENDS = re.compile(r"[.:!?)`\w]")
_CODE_SHARE = 0.3
"""From this share of lines that look like code on, a text without functions is not prose."""


def parse_answer(text: str, context: AnswerContext) -> ParsedAnswer:
    """Find the code in an answer.

    Args:
        text: the answer.
        context: what was asked, and what the server said of the answer.
    """
    plain = _THOUGHTS.sub("", text.replace("\r\n", "\n")).strip("\n")
    if not plain.strip():
        return ParsedAnswer(AnswerFate.REFUSED if context.refused else AnswerFate.EMPTY, missing=context.languages)
    blocks = _blocks(plain)
    unclosed = len(_FENCE_LINE.findall(plain)) % 2 == 1
    snippets: list[Snippet] = []
    left = MOST_CHARACTERS
    for number, (name, code) in enumerate(blocks):
        if len(code) > left or number == MOST_BLOCKS:
            snippets.append(Snippet(name, code[:left], SnippetFate.TOO_LONG))
            break
        if len(code) > MOST_BLOCK:
            snippets.append(Snippet(name, code, SnippetFate.TOO_LONG))
            continue
        left -= len(code)
        last = number + 1 == len(blocks)
        snippets += _snippets(name, code, context, cut_off=last and (unclosed or context.cut_off))
    snippets = _without_repeats(snippets, context)
    found = {one.language for one in snippets if one.fate is SnippetFate.ACCEPTED}
    missing = tuple(one for one in context.languages if one not in found)
    return ParsedAnswer(_fate(plain, snippets, context), tuple(snippets), missing)


def _fate(text: str, snippets: Sequence[Snippet], context: AnswerContext) -> AnswerFate:
    fates = {one.fate for one in snippets}
    if SnippetFate.ACCEPTED in fates:
        return AnswerFate.CODE
    if context.refused:
        return AnswerFate.REFUSED
    if SnippetFate.CUT_OFF in fates or (context.cut_off and not snippets):
        return AnswerFate.CUT_OFF
    if fates <= {SnippetFate.PROSE}:
        return AnswerFate.REFUSED if _REFUSAL.search(text) else AnswerFate.PROSE
    return AnswerFate.UNEXPLAINED if fates <= {SnippetFate.PROSE, SnippetFate.UNEXPLAINED} else AnswerFate.UNUSABLE


def _blocks(text: str) -> list[tuple[str, str]]:
    """The blocks of an answer, with their language if it is stated; without fences and headings, all of it."""
    stated = [(one.language, one.text) for one in answer_blocks(text)]
    if not stated or not _FENCE_LINE.search(text):
        # A heading that comes late must not hide what comes before it.
        first = text.find(stated[0][1]) if stated else len(text)
        before = [("", part) for part in _numbered_parts(text[:first]) if _looks_like_code(part)]
        stated = [*before, *((name, part) for name, code in stated for part in _numbered_parts(code))]
    return stated or [("", part) for part in _numbered_parts(text)]


def _numbered_parts(text: str) -> list[str]:
    """The parts below numbered headings; the whole text if there are none."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if len(line) < 120 and _NUMBERED.match(line)]
    if not starts:
        return [text]
    parts = []
    for start, end in pairwise([*starts, len(lines)]):
        match = _NUMBERED.match(lines[start])
        rest = match["rest"] if match else ""
        parts.append("\n".join([rest if _CODE_LINE.search(rest) else "", *lines[start + 1 : end]]).strip("\n"))
    before = "\n".join(lines[: starts[0]])
    return [part for part in ([before] if _looks_like_code(before) else []) + parts if part.strip()]


def _snippets(name: str, code: str, context: AnswerContext, *, cut_off: bool) -> list[Snippet]:
    """The pieces of code in a block: independent functions each, or the block as one."""
    known = name if name in LANGUAGES else ""
    chosen, extraction = _read(code, [known] if known else _likely(code, context))
    sound = [one for one in extraction.functions if one.sound]
    if not sound:
        fate = _why_unusable(code, extraction, known=bool(known), cut_off=cut_off)
        return [Snippet(chosen if known or extraction.functions else "", code, fate)]
    fate = SnippetFate.ACCEPTED if chosen in context.languages else SnippetFate.OTHER_LANGUAGE
    pieces = code_pieces(code, extraction, sound, SeedFunctions.of(context.seed, context.seed_language))
    found = [Snippet(chosen, piece.text, fate, piece.functions) for piece in pieces]
    if cut_off and extraction.problems:
        found.append(Snippet(chosen, "", SnippetFate.CUT_OFF))
    return found


def _why_unusable(code: str, extraction: Extraction, *, known: bool, cut_off: bool) -> SnippetFate:
    if _is_prose(code) and not extraction.functions:
        return SnippetFate.PROSE
    if cut_off:
        return SnippetFate.CUT_OFF
    if not known and not _looks_like_code(code):
        return SnippetFate.UNEXPLAINED
    return SnippetFate.SYNTAX if extraction.problems else SnippetFate.NO_FUNCTION


def _is_prose(text: str) -> bool:
    """Whether most of a text is sentences, or says that there is nothing."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    sentences = sum(_is_sentence(line) for line in lines)
    return 2 * sentences > len(lines) and not _looks_like_code(text)


def _is_sentence(line: str) -> bool:
    return bool(_NOTHING.fullmatch(line) or (_WORDS.match(line) and _ENDS.match(line[-1])))


def _likely(code: str, context: AnswerContext) -> list[str]:
    """The languages that a text may be in, likely ones first."""
    # Languages of extras are not guessed: what an answer is must not depend on what is installed.
    guessed = [] if len(code) > _MOST_GUESSED else [one for one in LANGUAGES if not LANGUAGES[one].extra]
    others = [one for one in guessed if one not in context.languages]
    return [*context.languages, *dict.fromkeys([context.seed_language, *others])]


def _read(code: str, languages: Sequence[str]) -> tuple[str, Extraction]:
    """The language in which most of a text parses, earlier ones first, and its functions in that language."""
    best: tuple[tuple[int, int], str, Extraction] | None = None
    for name in languages:
        found = extract(code, language(name), lone=True)
        sound = sum(len(one.text) for one in found.functions if one.sound)
        rank = (-sound, len(found.problems))
        if best is None or rank < best[0]:
            best = (rank, name, found)
        if not found.problems and sound >= len(code.strip()):
            break  # no other language can read more of it
    assert best is not None
    return best[1], best[2]


def _without_repeats(snippets: Sequence[Snippet], context: AnswerContext) -> list[Snippet]:
    """Mark what is the seed again, or an earlier piece, apart from layout and comments."""
    seed = _digest(context.seed, context.seed_language)
    seen: set[bytes] = set()
    marked = []
    for one in snippets:
        fate = one.fate
        if fate is SnippetFate.ACCEPTED:
            digest = _digest(one.text, one.language)
            fate = SnippetFate.COPY if digest == seed else SnippetFate.REPEATED if digest in seen else fate
            seen.add(digest)
        marked.append(replace(one, fate=fate))
    return marked


def _digest(text: str, name: str) -> bytes:
    return text_form(functions_alone(text, name), name)


def _looks_like_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and sum(bool(_CODE_LINE.search(line)) for line in lines) >= _CODE_SHARE * len(lines)
