"""The definition of a language: one frozen object, made in one file of `languages/`.

Adding a language takes a file there (grammar, token classes, queries) and a line in `languages/__init__.py`.
Everything else in this package is written once, for all languages.

The queries are tree-sitter queries with these capture names:

`structure` -- functions and their enclosing scopes
    ``@function`` a named function, method or constructor, and ``@function.last`` the node after it with which it
    ends, if the grammar has no node for both (all functions of a language have it, or none); ``@name`` its name
    (with ``@name.last`` if it has several tokens: ``operator +``); ``@owner`` the class of a function that is
    defined outside of it (``A::f``, a receiver in Go); ``@parameter`` the type of a parameter; ``@scope`` and
    ``@scope.name`` an enclosing class (or the like); ``@lambda`` an anonymous function, ``@value`` one
    that is the value of a ``@function`` (``f = () => 1``); ``@type`` an identifier that names a type;
    ``@opaque.string`` (``.character``, ``.text``) a token that only the grammar can delimit (a template
    string, a regular expression); ``@opaque.keyword`` a word that only the grammar can distinguish from a
    name (``override``, ``get``).

`layout` -- the pretty-printer: where line breaks go (see `pretty.py`)
    ``@after``, ``@after2`` one or two line breaks at the node's end; ``@before`` one at its start;
    ``@drop`` the node's tokens are dropped (an empty statement); ``@open`` and ``@close`` a bracket that
    changes the indentation; ``@terminate`` a statement that ends in an unwritten or optional terminator;
    ``@block`` a block shown by layout alone; ``@line.begin`` and ``@line.end`` the first and last node of
    a separate line (a preprocessor directive): a line break before it, an end mark and a line break after
    it; ``@tie`` a node that the next token must touch (the name of a macro with parameters).

`names` -- the role of each name (see `names.py` and `abstraction.py`)
    ``@variable`` a declaration of a variable; ``@field`` one of a member of the object; ``@own.member`` the
    use of such a member on the object itself (``this.x``); ``@own.type``, ``@own.function`` a declaration of
    a type or function; ``@type`` the use of a type; ``@call`` the name of a called function; ``@keep`` a
    name that is never a variable (a member, a label, an annotation, an import; with ``@call``, ``@type`` or
    ``@own.*``: a name in a separate name space); ``@fixed`` a name that stays unchanged everywhere
    (``main``); ``@shorthand`` a key that is its own value (``{a}``); ``@package`` the package line.
    Nodes of type ``identifier`` that are not captured refer to whatever has that name.

`metrics` -- what `metrics.py` counts
    ``@statement``, ``@expression``, ``@loop``, ``@cast``; ``@throw`` an exception is thrown; ``@exception``
    an exception type that a handler names, or a handler without one; ``@parameters`` the parameter list of a
    function and ``@parameter`` its entries; ``@lambda.parameters`` the list of an anonymous function.

`calls` -- calls and arities (see `callgraph.py`); each match is one call, or one parameter list
    ``@call.function`` the name of a called function outside of classes; ``@call.member`` one that may be a member
    of an enclosing class; ``@call.named`` one after ``@call.object``; ``@call.type`` the class of a new object;
    ``@call.own`` a constructor that calls another of its class; ``@call.arguments`` the arguments of any of them,
    if they can be counted, and ``@argument.rest`` one that stands for any number of them; ``@parameters`` the
    parameter list of a function; ``@parameter.optional`` an entry that a call may leave out, ``@parameter.rest``
    one that takes any number of arguments, ``@parameter.none`` one that takes none.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import compress, count
from operator import itemgetter
from typing import Any

import tree_sitter as ts

from clonetruth.errors import MissingExtraError


class TokenKind(IntEnum):
    """The class of a token.

    `TRIVIA` is white space and comments; `OPAQUE` and `SPLIT` exist inside the lexer only.
    """

    TRIVIA = 0
    IDENTIFIER = 1
    TYPE = 2
    KEYWORD = 3
    OPERATOR = 4
    PUNCTUATION = 5
    NUMBER = 6
    STRING = 7
    CHARACTER = 8
    BOOLEAN = 9
    NULL = 10
    LAYOUT = 11
    OTHER = 12
    OPAQUE = 13
    SPLIT = 14
    TEXT = 15


LITERALS = frozenset(
    {
        TokenKind.NUMBER,
        TokenKind.STRING,
        TokenKind.CHARACTER,
        TokenKind.BOOLEAN,
        TokenKind.NULL,
        TokenKind.TEXT,
    }
)
"""The token classes that are literals."""


TYPE_MARK, OPAQUE_MARK, SPLIT_MARK = b"\0", b"\1", b"\2"
"""Bytes that the lexer uses as marks, and parsed source never contains: before an identifier that names a type, in
place of a token that the grammar delimits, and between two texts."""


@dataclass(frozen=True)
class Lexicon:
    """The tokens of a language, as regular expressions over UTF-8 bytes.

    Names are tried first, then the others in this order; a byte that none of them matches is a separate token.

    Args:
        comment: comments.
        string: string literals that a regular expression can delimit.
        character: character literals.
        number: numeric literals.
        identifier: names and keywords.
        operators: operators of more than one character, in any order; single characters need not be listed.
        words: words that look like identifiers but are not, with their classes (keyword, boolean, null).
        punctuation: the operators that are punctuation.
        word_like_literal: the strings and characters that begin like a name (``u8"x"``), tried before names.
        code_inside: how the tokens begin around which only the grammar knows the tokens (strings with embedded code,
            directives), if there are only these. A division sign after a value is not one of them.
        markup: what a text contains in which there may be markup; only the grammar knows its tokens.
        words_vary: whether only the grammar knows which words are keywords, and which belong to a literal.
    """

    comment: bytes
    string: bytes
    character: bytes | None
    number: bytes
    identifier: bytes
    operators: tuple[bytes, ...]
    words: Mapping[bytes, TokenKind]
    punctuation: frozenset[bytes] = frozenset(b"( ) { } [ ] ; , . : :: ... @".split())
    word_like_literal: bytes | None = None
    code_inside: bytes | None = None
    markup: bytes | None = None
    words_vary: bool = False


@dataclass(frozen=True, eq=False)
class Language:
    """Everything that clonetruth knows about a language.

    Args:
        name: the name used in tables, options and file names (``csharp``).
        title: the name shown to people (``C#``).
        extensions: file name extensions, with the dot.
        grammar: ``module:function`` of the grammar wheel.
        lexicon: its tokens.
        structure, layout, names, metrics, calls: the queries described above; without `calls`, no call graph.
        wrappers: (before, after) texts that turn a lone function into a file, tried in order.
        indent_blocks: whether blocks are shown by layout alone (Python), so that block marks become tokens.
        terminator: the statement terminator that source may omit (JavaScript, Go), if any.
        own_names: identifiers that stand for the object itself and are never renamed (``this``).
        constructor: the name of the constructor, if it is not the name of its class.
        branches: node types that add a path through a function (for cyclomatic complexity).
        branch_operators: operators that add a path.
        nesting: node types that add a nesting level.
        extra: the optional extra of clonetruth that brings the grammar's wheel, if it is not always installed.
        identifiers: a query for the nodes that are plain names, as ``@identifier``.
        blanks: whether the printed form has a blank between any two tokens, because words need one (a shell).
        statements_end: whether every statement ends in ``;`` or ``}``, so that a text that goes on for long without
            either is doubtful (see `parse_guard.py`).
        script: returns a text with blanks in place of what is not in the language (the markup of a component).
        callbacks: whether much code is in functions without a name (callbacks, wrappers of modules), so that a search
            for clones compares these, too.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    grammar: str
    lexicon: Lexicon
    structure: str
    layout: str
    names: str
    metrics: str = ""
    calls: str = ""
    wrappers: tuple[tuple[bytes, bytes], ...] = ()
    indent_blocks: bool = False
    terminator: bytes | None = None
    own_names: frozenset[bytes] = frozenset()
    constructor: str | None = None
    branches: frozenset[str] = frozenset()
    branch_operators: frozenset[bytes] = frozenset({b"&&", b"||", b"?"})
    nesting: frozenset[str] = frozenset()
    extra: str | None = None
    identifiers: str = "(identifier) @identifier"
    blanks: bool = False
    statements_end: bool = False
    script: Callable[[bytes], bytes] | None = None
    callbacks: bool = False
    _queries: dict[str, ts.Query] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def installed(self) -> bool:
        """Whether the grammar is installed; it is not imported."""
        return self.extra is None or importlib.util.find_spec(self.grammar.partition(":")[0]) is not None

    @cached_property
    def tree_sitter(self) -> ts.Language:
        """The grammar, loaded on first use.

        Raises:
            MissingExtraError: its wheel is not installed.
        """
        if not self.installed:
            raise MissingExtraError.extra(f"Reading {self.title}", self.extra or "")
        module, _, function = self.grammar.partition(":")
        return ts.Language(getattr(importlib.import_module(module), function)())

    @cached_property
    def parser(self) -> ts.Parser:
        """One parser per process."""
        return ts.Parser(self.tree_sitter)

    def query(self, text: str) -> ts.Query:
        """The compiled form of a query text."""
        query = self._queries.get(text)
        if query is None:
            query = self._queries[text] = ts.Query(self.tree_sitter, text)
        return query

    @cached_property
    def token_pattern(self) -> re.Pattern[bytes]:
        """A pattern that matches a token (group 1) with the white space after it.

        Its matches cover any text: a byte that does not begin a token is matched by itself.
        """
        return re.compile(b"(" + self._token + rb")\s*+", re.DOTALL)

    @cached_property
    def match_pattern(self) -> re.Pattern[bytes]:
        """The same without a group: the matches add up to the text, so their lengths give the token positions."""
        return re.compile(_grouped(self._token) + rb"\s*+", re.DOTALL)

    @property
    def _token(self) -> bytes:
        lexicon = self.lexicon
        operators = sorted(lexicon.operators, key=len, reverse=True)
        # Names first, then brackets and the dot before a name, since most tokens are these.
        parts = [
            lexicon.word_like_literal,
            lexicon.identifier,
            b"[(){}\\[\\],;]",
            rb"\.(?=[A-Za-z_])",
            TYPE_MARK + _grouped(lexicon.identifier),
            lexicon.comment,
            lexicon.string,
            lexicon.character,
            lexicon.number,
            *(re.escape(operator) for operator in operators),
            rb".",
        ]
        return b"|".join(part for part in parts if part)

    @cached_property
    def kind_of(self) -> KindOf:
        """The class of each token, from its text alone."""
        return KindOf(self.lexicon)

    @cached_property
    def match_token(self) -> MatchToken:
        """The token of each match of `match_pattern`, and its class."""
        return MatchToken(self)

    @cached_property
    def token_query(self) -> str:
        """The patterns of `structure` that tell something about tokens."""
        return "\n".join(one for one in _patterns(self.structure) if "@type" in one or "@opaque." in one)

    def __reduce__(self) -> tuple[Any, ...]:
        # Compiled queries and parsers cannot be pickled; the name can.
        from clonetruth.code.languages import language

        return language, (self.name,)


_IS_ZERO = bytes(not byte for byte in range(256))


class KindOf(dict[bytes, int]):
    """A cache from token text to `TokenKind`: code repeats itself, so most look-ups are a dictionary hit."""

    LIMIT = 500_000

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__({word: int(kind) for word, kind in lexicon.words.items()})
        self[OPAQUE_MARK] = int(TokenKind.OPAQUE)
        self[SPLIT_MARK] = int(TokenKind.SPLIT)
        self._words = {word: int(kind) for word, kind in lexicon.words.items()}
        self._punctuation = lexicon.punctuation
        patterns = {
            TokenKind.IDENTIFIER: lexicon.identifier,
            TokenKind.TRIVIA: rb"\s+|" + lexicon.comment,
            TokenKind.TYPE: TYPE_MARK + _grouped(lexicon.identifier),
            TokenKind.STRING: lexicon.string,
            TokenKind.CHARACTER: lexicon.character,
            TokenKind.NUMBER: lexicon.number,
        }
        groups = [b"(?P<%s>%s)" % (kind.name.encode(), pattern) for kind, pattern in patterns.items() if pattern]
        self._pattern = re.compile(b"|".join(groups), re.DOTALL)
        self._name = re.compile(lexicon.identifier, re.DOTALL).fullmatch
        self._groups = {kind.name: int(kind) for kind in patterns}
        self._kind_of_group = {number: self._groups[name] for name, number in self._pattern.groupindex.items()}

    def kinds(self, tokens: Sequence[bytes]) -> bytearray:
        """The classes of many tokens, a byte each."""
        if len(tokens) < 2:  # `itemgetter` returns the bare value for one item, and fails for none
            return bytearray(self[token] for token in tokens)
        return bytearray(itemgetter(*tokens)(self))

    def new_kinds(self, tokens: Sequence[bytes]) -> bytearray:
        """The classes of tokens that hardly occurred before, most of which are names."""
        kinds = bytearray(map(bool, map(self._name, tokens)))  # `IDENTIFIER` is 1
        for at in compress(count(), map(self._words.__contains__, tokens)):
            kinds[at] = self._words[tokens[at]]
        others = [*compress(count(), kinds.translate(_IS_ZERO))]
        found = map(self._pattern.fullmatch, [tokens[at] for at in others])
        for at, match in zip(others, found, strict=True):
            kinds[at] = self._kind_of_group[match.lastindex] if match and match.lastindex else self[tokens[at]]
        return kinds

    def __missing__(self, token: bytes) -> int:
        match = self._pattern.fullmatch(token)
        kind = self._groups[match.lastgroup] if match and match.lastgroup else int(self._symbol(token))
        if len(token) <= 40 and len(self) < self.LIMIT:
            self[token] = kind
        return kind

    def _symbol(self, token: bytes) -> TokenKind:
        if token in self._punctuation:
            return TokenKind.PUNCTUATION
        return TokenKind.OTHER if token in (b"\\", b"`", b"#", b"$") or not token.isascii() else TokenKind.OPERATOR


class MatchToken(dict[bytes, tuple[bytes, int]]):
    """The same for a token with the white space after it, with the token."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._token = language.token_pattern.match
        self._kind_of = language.kind_of

    def __missing__(self, match: bytes) -> tuple[bytes, int]:
        found = self._token(match)
        assert found is not None, "any byte begins a token"
        token = found[1], self._kind_of[found[1]]
        if len(match) <= 40 and len(self) < KindOf.LIMIT:
            self[match] = token
        return token


def _patterns(query: str) -> Iterator[str]:
    """The patterns of a query, each with the names of its captures."""
    depth = begin = 0
    for piece in re.finditer(r'"(?:\\.|[^"\\])*"|;[^\n]*|[(\[]|[)\]]', query):
        if piece[0] in "([":
            if not depth and query[begin : piece.start()].strip():
                yield query[begin : piece.start()]
                begin = piece.start()
            depth += 1
        elif piece[0] in ")]":
            depth -= 1
    yield query[begin:]


_BLOCK_COMMENT = rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"
SLASH_COMMENT = rb"//[^\n]*+|" + _BLOCK_COMMENT
"""Comments as Java, JavaScript, C# and Go have them: a line ends the first kind, whatever is before its end."""
C_COMMENT = rb"//(?:\\\r?\n|[^\n])*+|" + _BLOCK_COMMENT
"""Comments of C, C++ and Objective-C: a backslash at the end of a line continues it."""
NESTED_COMMENT = rb"//[^\n]*+|/\*(?:[^*/]++|\*(?!/)|/(?!\*)|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+(?:\*/|\Z)|/\*.*"
"""Comments that can contain comments, one inside the other (deeper ones are rare); one without an end goes on to the
end of the text."""
IDENTIFIER = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
"""Identifiers, including non-ASCII letters: a byte beyond ASCII never ends a name."""


def _grouped(pattern: bytes) -> bytes:
    return b"(?:" + pattern + b")"


def words_as_names(places: str, words: str) -> str:
    """Return a query pattern for names that are spelled like a keyword: members, mostly (``$query->list()``).

    Args:
        places: where such names stand: patterns with the capture ``@opaque.identifier``.
        words: the keywords, separated by blanks.
    """
    options = " ".join(f'"{word}"' for word in words.split())
    return f"([{places}] (#any-of? @opaque.identifier {options}))"


def keywords(text: str, kind: TokenKind = TokenKind.KEYWORD) -> dict[bytes, TokenKind]:
    """Return a word table from a blank-separated list."""
    return dict.fromkeys((word.encode() for word in text.split()), kind)
