"""Edit sites: the positions of a fragment at which an operator can edit, and the names and comments to put there."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeVar

import tree_sitter

from clonetruth.code.forms import FragmentForms, forms_of
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.names import Name, NamePart, names_of
from clonetruth.code.parsing import Parsed, Span, parse
from clonetruth.code.pretty import DEPTH
from clonetruth.code.tokens import Lexemes, Token

# Names, comments and statements for new code. All are drawn at random; none is in the fragment already.

_NOUN_LIST = (
    "account amount anchor bucket candidate channel counter cursor delta element entry factor figure group "
    "handle holder image item journal kernel ledger margin member moment origin outcome parcel portion quota "
    "record region sample segment share signal source station summary target ticket total track union value "
    "vector weight window"
)
_VERB_LIST = "announce check count mark measure note observe record register report review trace update verify"
_REMARK_LIST = "see above; as agreed; for later; holds here; in this order; kept on purpose; once only; usual case"
_NOUNS, _VERBS, _REMARKS = _NOUN_LIST.split(), _VERB_LIST.split(), _REMARK_LIST.split("; ")
_SNAKE = ("c", "python")
"""Languages that join words with an underscore."""


def fresh_names(sites: EditSites, rng: Random, *, capital: bool = False) -> Iterator[str]:
    """Generate names that the fragment does not have, each once."""
    taken = set(sites.taken)
    snake = sites.language.name in _SNAKE and not capital
    while True:
        first, second = rng.sample(_NOUNS, 2)
        name = f"{first}_{second}" if snake else first + second.capitalize()
        name = name[0].upper() + name[1:] if capital else name
        while name in taken:
            name += str(rng.randint(0, 9))
        taken.add(name)
        yield name


def fresh_word(rng: Random, other_than: str) -> str:
    """Draw a word that differs from another one."""
    return rng.choice([noun for noun in _NOUNS if noun != other_than])


def line_comment(language: Language, rng: Random) -> bytes:
    """Draw a comment that ends with its line."""
    remark = rng.choice(_REMARKS).encode()
    comments = (mark + remark for mark in (b"// ", b"# ", b"-- "))
    return next(comment for comment in comments if re.fullmatch(language.lexicon.comment, comment))


def block_comment(language: Language, rng: Random) -> bytes | None:
    """Draw a comment that can be between two tokens; None if the language has no such comments."""
    comment = b"/* %s */" % rng.choice(_REMARKS).encode()
    return comment if re.fullmatch(language.lexicon.comment, comment, re.DOTALL) else None


def fresh_statement(sites: EditSites, rng: Random) -> bytes:
    """Draw a call of a function that is not in the fragment, with variables of the fragment."""
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    function = f"{verb}_{noun}" if sites.language.name in _SNAKE else verb + noun.capitalize()
    variables = rng.sample(sites.variables, min(len(sites.variables), rng.randint(0, 2)))
    end = "" if sites.language.indent_blocks else ";"
    return f"{function}({', '.join(variables)}){end}".encode()


NAMES = (TokenKind.IDENTIFIER, TokenKind.TYPE)
"""The token classes that are names."""

T = TypeVar("T")

_STATEMENT_LISTS = frozenset({"block", "compound_statement", "constructor_body", "statement_block"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_BLANKS = b" \t\r"


class Edit(NamedTuple):
    """Replaces the parsed source from `start` to `end` by `text`."""

    start: int
    end: int
    text: bytes


class Gap(NamedTuple):
    """The text between two tokens: nothing, white space, comments.

    Attributes:
        start, end: its span in the parsed source.
        text: its text.
        following: the token after it.
        breakable: whether the language allows a line break there; only indentation-based languages may not.
    """

    start: int
    end: int
    text: bytes
    following: str
    breakable: bool

    @property
    def ends_line(self) -> bool:
        """Whether the line ends in this gap, without a comment."""
        return self.text.lstrip(_BLANKS).startswith(b"\n")


Edits = Sequence[Edit]
"""Edits that do not overlap; empty if there is nothing to edit."""


@dataclass(frozen=True, eq=False)
class EditSites:
    """A fragment with everything that operators need, each part computed on first use."""

    parsed: Parsed

    @classmethod
    def of(cls, text: str, language: Language) -> EditSites:
        """Return the edit sites of a text, which may be a function without the class around it."""
        return cls(parse(text, language, lone=True))

    @property
    def language(self) -> Language:
        """Its language."""
        return self.parsed.language

    @property
    def sound(self) -> bool:
        """Whether all of it parsed."""
        return not self.parsed.tree.root_node.has_error

    @cached_property
    def forms(self) -> FragmentForms:
        """Its normal forms."""
        return forms_of(self.parsed)

    @cached_property
    def _lexemes(self) -> Lexemes:
        return Lexemes.of(self.parsed)

    @cached_property
    def tokens(self) -> list[Token]:
        """Its tokens, in order."""
        return self._lexemes.stream((self.parsed.start, self.parsed.end)).tokens()

    @cached_property
    def gaps(self) -> list[Gap]:
        """The gaps between consecutive tokens, except inside strings, where white space is text."""
        literals = deque((node.start_byte, node.end_byte) for node in self._nodes if _is_literal(node))
        gaps: list[Gap] = []
        depth = literal_end = 0
        for token, following in pairwise(self.tokens):
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            end = token.start + len(token.text.encode())
            while literals and literals[0][0] < end:
                literal_end = max(literal_end, literals.popleft()[1])
            if end >= literal_end:
                breakable = depth > 0 or not self.language.indent_blocks
                gaps.append(Gap(end, following.start, self.text((end, following.start)), following.text, breakable))
        return gaps

    @cached_property
    def comments(self) -> list[Span]:
        """Its comments."""
        spans = self._lexemes.comments((self.parsed.start, self.parsed.end))
        return [span for span in spans if not self.text(span).startswith(b"\\")]  # without line continuations

    @cached_property
    def names(self) -> list[Name]:
        """Its names, with their roles."""
        return names_of(self.parsed)

    @cached_property
    def variables(self) -> list[str]:
        """The names of its variables, sorted."""
        return sorted({name.text for name in self.names if name.part is NamePart.VARIABLE})

    @cached_property
    def taken(self) -> frozenset[str]:
        """The words that a new name must not equal."""
        reserved = (word.decode() for word in self.language.lexicon.words)
        return frozenset(reserved) | {token.text for token in self.tokens}

    @cached_property
    def statements(self) -> list[tree_sitter.Node]:
        """Its statements that contain no others and are in a list of statements, in order."""
        statements = sorted(
            self.parsed.captures(self.language.metrics).get("statement", ()),
            key=lambda node: (node.start_byte, -node.end_byte),
        )
        starts = [*(node.start_byte for node in statements), self.parsed.end]
        # A docstring is not edited as a statement: the normal forms treat it as a comment.
        captures = self.parsed.captures(self.language.layout, depth=DEPTH)
        dropped = {(node.start_byte, node.end_byte) for node in captures.get("drop", ())}
        return [
            node
            for node, following in zip(statements, starts[1:], strict=True)
            if following >= node.end_byte
            and node.parent is not None
            and node.parent.type in _STATEMENT_LISTS
            and (node.start_byte, node.end_byte) not in dropped
        ]

    @property
    def whole(self) -> bytes:
        """All of its text."""
        return self.text((self.parsed.start, self.parsed.end))

    def text(self, span: Span) -> bytes:
        """The text of a span."""
        return self.parsed.source[span[0] : span[1]]

    def nodes(self, *kinds: str) -> list[tree_sitter.Node]:
        """The nodes of some types, in order."""
        return [node for node in self._nodes if node.type in kinds]

    @cached_property
    def _nodes(self) -> list[tree_sitter.Node]:
        """All nodes inside the text, in order; collected without recursion, since trees can be deep."""
        nodes: list[tree_sitter.Node] = []
        pending = [self.parsed.tree.root_node]
        while pending:
            node = pending.pop()
            if self.parsed.start <= node.start_byte and node.end_byte <= self.parsed.end:
                nodes.append(node)
            pending.extend(reversed(node.children))
        return nodes

    def indentation(self, position: int) -> bytes | None:
        """The white space before a position, if nothing else is before it on its line."""
        line_break = self.parsed.source.rfind(b"\n", self.parsed.start, position)
        before = self.parsed.source[line_break + 1 : position]
        return None if line_break < 0 or before.strip(_BLANKS) else before

    def line_indentation(self, position: int) -> bytes:
        """The indentation of the line of a position."""
        begin = max(self.parsed.source.rfind(b"\n", self.parsed.start, position) + 1, self.parsed.start)
        line = self.parsed.source[begin:position]
        return line[: len(line) - len(line.lstrip(_BLANKS))]

    def whole_lines(self, span: Span) -> Span | None:
        """A span extended by its indentation and a line break, if nothing else is on its lines."""
        source, (start, end) = self.parsed.source, span
        indentation = self.indentation(start)
        line_end = source.find(b"\n", end, self.parsed.end)
        behind = source[end : self.parsed.end if line_end < 0 else line_end]
        if indentation is None or behind.strip(_BLANKS):
            return None
        first = start - len(indentation)
        return (first - 1, self.parsed.end) if line_end < 0 else (first, line_end + 1)

    def edited(self, edits: Edits) -> str:
        """The text after the edits."""
        pieces: list[bytes] = []
        position = self.parsed.start
        for edit in sorted(edits):
            pieces += self.parsed.source[position : edit.start], edit.text
            position = edit.end
        pieces.append(self.parsed.source[position : self.parsed.end])
        return b"".join(pieces).decode("utf-8", errors="replace")


def draw(items: Sequence[T], rng: Random) -> list[T]:
    """Draw one of some items; empty if there are none."""
    return [rng.choice(items)] if items else []


def _is_literal(node: tree_sitter.Node) -> bool:
    """Whether white space inside a node is, or may be, text: strings with embedded code, and JSX."""
    return "string" in node.type or node.type.startswith("jsx")
