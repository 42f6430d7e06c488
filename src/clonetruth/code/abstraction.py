"""Code abstraction in the four levels of Li et al. (section IV-C), on text: names change, the rest stays.

=====  ===============================================================================================
level  what changes, each on top of the one before
=====  ===============================================================================================
0      the package line and the comments are removed
1      variables become ``var1``, ``var2`` …, types declared in the text ``Type0``, ``Type1`` …
2      other types become ``Obj1``, ``Obj2`` …
3      functions become ``fun0``, ``fun1`` …, numbered over the whole dataset
=====  ===============================================================================================

Levels 2 and 3 are readings of the paper, which says "object names" and "function calls": `AbstractionReading` has the
others.

Numbers follow the first appearance. A number whose name the text keeps for something else is skipped, so two
names never become one. That makes each level idempotent, and a level applied on top of a lower one gives the
same as the level alone. `names.py` decides what each name is; `docs/abstraction.md` explains the decisions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count

from clonetruth.code.language import Language, TokenKind
from clonetruth.code.names import Name, NamePart, name_captures, names_in
from clonetruth.code.parsing import Captures, Parsed, Span, parse
from clonetruth.code.tokens import Lexemes
from clonetruth.errors import UnknownNameError
from clonetruth.options.code import ABSTRACTED_FUNCTIONS, ABSTRACTED_OBJECTS

_Edit = tuple[int, int, bytes]

_FUNCTION_NAME = re.compile(r"fun(?:0|[1-9][0-9]*)")
_NAMES = (TokenKind.IDENTIFIER, TokenKind.TYPE)


class Level(IntEnum):
    """The levels by name."""

    PLAIN = 0
    VARIABLES = 1
    TYPES = 2
    FUNCTIONS = 3


_VARIABLES = (NamePart.VARIABLE, NamePart.OWN_TYPE)
_OBJECTS = {"types": (NamePart.TYPE,), "all": (NamePart.TYPE, NamePart.FREE)}
_PREFIXES = {
    NamePart.VARIABLE: "var",
    NamePart.OWN_TYPE: "Type",
    NamePart.TYPE: "Obj",
    NamePart.FREE: "Obj",
}
_FIRST = {"var": 1, "Type": 0, "Obj": 1}
"""The first number after each prefix."""


@dataclass(frozen=True)
class AbstractionReading:
    """How to read what the paper leaves open.

    Attributes:
        objects: the "object names" of level 2: `types` that the text does not declare (the paper says that the level
            replaces type information), or `all` names that it does not declare, also those of objects (a field of the
            class around it).
        functions: the "function calls" of level 3: functions that are called or `declared`, or only those that the
            dataset has as `called`. A declaration gets the number of its calls in both readings.
    """

    objects: str = "types"
    functions: str = "declared"

    def __post_init__(self) -> None:
        for value, known in ((self.objects, ABSTRACTED_OBJECTS), (self.functions, ABSTRACTED_FUNCTIONS)):
            if value not in known:
                raise UnknownNameError.suggest("reading", value, known)

    def parts(self, level: Level) -> set[NamePart]:
        """The names that change at a level, by their role."""
        changed: set[NamePart] = set()
        if level >= Level.VARIABLES:
            changed |= {*_VARIABLES}
        if level >= Level.TYPES:
            changed |= {*_OBJECTS[self.objects]}
        if level >= Level.FUNCTIONS:
            changed |= {NamePart.FUNCTION}
        return changed


_DEFAULT = AbstractionReading()


@dataclass(frozen=True)
class FunctionNames:
    """The numbering of function names over a dataset.

    Args:
        new_names: the new name of every function name of the dataset. Unknown names stay unchanged, and so do the
            new names themselves when a text is abstracted again.
    """

    new_names: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.new_names)

    def __getitem__(self, name: str) -> str:
        return self.new_names.get(name, name)


def collect_functions(
    fragments: Iterable[tuple[str, Language]], reading: AbstractionReading = _DEFAULT
) -> FunctionNames:
    """Number the functions that the fragments of a dataset call or declare, in order of first appearance.

    Args:
        fragments: text and language of every fragment, in the order of the dataset.
        reading: whether functions count that are only declared.
    """
    functions: dict[str, bool] = {}
    taken: set[str] = set()
    for text, language in fragments:
        names = _Names(parse(text, language, lone=True), reading)
        for name in names.all:
            if name.part is NamePart.FUNCTION:
                functions[name.text] = functions.get(name.text, False) or name.called
        taken |= names.kept(Level.FUNCTIONS)
    # A function whose name looks like a new name keeps it, and its number is not given to another function.
    unchanged = {name for name in functions if _FUNCTION_NAME.fullmatch(name)}
    if reading.functions == "called":
        unchanged |= {name for name, called in functions.items() if not called}
    fresh = _fresh("fun", taken | unchanged)
    return FunctionNames({name: name if name in unchanged else next(fresh) for name in functions})


def abstract(
    text: str,
    language: Language,
    level: int,
    functions: FunctionNames | None = None,
    *,
    reading: AbstractionReading = _DEFAULT,
) -> str:
    """Abstract a text.

    Args:
        text: a file, or a function without the class around it.
        language: its language.
        level: 0 to 3, see above.
        functions: the dataset's numbering of functions; by default, a text at level 3 gets its own.
        reading: how to read what the paper leaves open.

    Raises:
        ValueError: there is no such level.

    >>> from clonetruth.code.languages import language
    >>> abstract("int f(int a) { return g(a); } // next", language("java"), 3)
    'int fun0(int var1) { return fun1(var1); }'
    """
    level = Level(level)
    parsed = parse(text, language, lone=True)
    captures = name_captures(parsed)
    edits = list(_removals(parsed, captures))
    if level >= Level.VARIABLES:
        if functions is None and level >= Level.FUNCTIONS:
            functions = collect_functions([(text, language)], reading)
        edits += _renamings(_Names(parsed, reading, captures), level, functions or FunctionNames())
    return _edited(parsed, edits)


class _Names:
    """The names of a text, and the words that stay unchanged."""

    def __init__(self, parsed: Parsed, reading: AbstractionReading, captures: Captures | None = None) -> None:
        self.parsed = parsed
        self._reading = reading
        self.all = names_in(parsed, name_captures(parsed) if captures is None else captures)

    def renamed(self, level: Level) -> list[Name]:
        """The names that change at a level."""
        parts = self._reading.parts(level)
        return [name for name in self.all if name.part in parts]

    def kept(self, level: Level) -> set[str]:
        """The words that are still there at a level, among them the keys of shorthand properties."""
        renamed = {name.start for name in self.renamed(level) if not name.shorthand}
        stream = Lexemes.of(self.parsed).stream((self.parsed.start, self.parsed.end))
        # The names too: some are inside a larger token (an interpolated string of C#).
        return {name.text for name in self.all if name.start not in renamed} | {
            text.lstrip(b"#").decode("utf-8", errors="replace")
            for text, kind, start in zip(stream.texts, stream.kinds, stream.starts, strict=True)
            if kind in _NAMES and start + text.startswith(b"#") not in renamed
        }


def _renamings(names: _Names, level: Level, functions: FunctionNames) -> Iterator[_Edit]:
    renamed = names.renamed(level)
    same = {name.text for name in renamed if name.part is NamePart.FUNCTION and functions[name.text] == name.text}
    kept = names.kept(level) | same
    fresh = {prefix: _fresh(prefix, kept) for prefix in _FIRST}
    new_names: dict[tuple[NamePart, str], str] = {}
    for name in renamed:
        key = name.part, name.text
        if key not in new_names:
            new_names[key] = (
                functions[name.text] if name.part is NamePart.FUNCTION else next(fresh[_PREFIXES[name.part]])
            )
        new = new_names[key]
        if name.shorthand:
            new = f"{name.text}: {new}"
        yield name.start, name.end, new.encode()


def _fresh(prefix: str, taken: set[str]) -> Iterator[str]:
    """Generate new names with a prefix, except those already taken."""
    return (name for number in count(_FIRST.get(prefix, 0)) if (name := f"{prefix}{number}") not in taken)


def _removals(parsed: Parsed, captures: Captures) -> Iterator[_Edit]:
    """Edits that remove comments and the package line, and lines that are then empty."""
    source, first, last = parsed.source, parsed.start, parsed.end
    removed = [(node.start_byte, node.end_byte) for node in captures.get("package", ())]
    removed += (
        (start, end)
        for start, end in Lexemes.of(parsed).comments((first, last))
        if not source.startswith(b"\\", start)  # a line continuation is not a comment
    )
    for start, end in _merged(source, sorted(removed)):
        line = max(source.rfind(b"\n", first, start) + 1, first)
        stop = source.find(b"\n", end, last)
        stop = last if stop < 0 else stop
        alone_before, alone_after = not source[line:start].strip(), not source[end:stop].strip()
        blanks = len(source[end:stop]) - len(source[end:stop].lstrip())
        if alone_before and alone_after:
            yield line, min(stop + 1, last), b""
        elif alone_after:
            yield start - (start - line - len(source[line:start].rstrip())), stop, b""
        elif alone_before:
            yield start, end + blanks, b""
        elif b"\n" in source[start:end] and parsed.language.terminator:
            # If a line break can end a statement, one inside a comment does too.
            yield start, end, b"\n"
        else:
            yield start, end + blanks, b"" if source[start - 1 : start].isspace() else b" "


def _merged(source: bytes, spans: list[Span]) -> Iterator[Span]:
    """Merge spans on one line that have only blanks between them."""
    pending: Span | None = None
    for span in spans:
        if pending and (span[0] < pending[1] or re.fullmatch(rb"[ \t]*", source[pending[1] : span[0]])):
            pending = pending[0], max(pending[1], span[1])
            continue
        if pending:
            yield pending
        pending = span
    if pending:
        yield pending


def _edited(parsed: Parsed, edits: list[_Edit]) -> str:
    pieces: list[bytes] = []
    position = parsed.start
    for start, end, new in sorted(edits):
        if start < position:
            continue  # a name inside a removed line
        pieces += parsed.source[position:start], new
        position = end
    pieces.append(parsed.source[position : parsed.end])
    return b"".join(pieces).decode("utf-8", errors="replace")
