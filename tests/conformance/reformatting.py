"""Changes to a source that mean nothing: other white space, other comments, other names.

The source is cut into its own tokens and written again. If white space has a meaning in a language,
only what it allows is changed, according to its `Language`.
"""

from __future__ import annotations

import re
from random import Random

from clonetruth.code.language import Language, TokenKind
from clonetruth.code.parsing import parse
from clonetruth.code.tokens import token_stream

_DIRECTIVE = re.compile(rb"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_NAMES = (TokenKind.IDENTIFIER, TokenKind.TYPE)


def reformatted(source: str, language: Language, seed: int) -> str:
    """The source with other indentation, blank lines, line breaks and comments."""
    data = source.encode()
    stream = token_stream(parse(data, language))
    directives = [match.span() for match in _DIRECTIVE.finditer(data)]
    random = Random(seed)
    # A text in a template language begins with a mark, before which everything is text.
    begun = data.startswith(b"<?") or data.lstrip().startswith(b"<script")
    pieces = [] if begun else [_comment(language) + b"\n" * random.randint(0, 3)]
    for i, (text, start) in enumerate(zip(stream.texts, stream.starts, strict=True)):
        end = start + len(text)
        following = stream.starts[i + 1] if i + 1 < len(stream) else len(data)
        gap = data[end:following]
        fixed = b"\\" in gap or (b"\n" not in gap and any(left <= end < right for left, right in directives))
        around = text, data[following : following + 1]
        pieces += data[start:end], gap if fixed else _gap(gap, around, language, random)
    return b"".join(pieces).decode()


def _gap(gap: bytes, around: tuple[bytes, bytes], language: Language, random: Random) -> bytes:
    """Other white space with the same meaning, between a token and the byte after the gap."""
    before, after = around
    free = language.terminator is None and not language.indent_blocks
    if b"\n" in gap:
        commented = before in (b";", b"{") and random.random() < 0.3
        indentation = gap.rpartition(b"\n")[2]
        # If indentation matters, all of it changes in the same way.
        blanks = indentation * 2 if language.indent_blocks else b" " * random.randint(0, 9)
        middle = b"\n" * random.randint(0, 2)
        return (b" " + _comment(language) if commented else b"\n") + middle + blanks
    if not gap.strip() and gap:
        if free and random.random() < 0.3:
            return b"\n" * random.randint(1, 2) + b"\t" * random.randint(0, 3)
        return b" " * random.randint(1, 3)
    if gap:
        return b" "  # a comment between two tokens
    # Some grammars take two brackets in a row for one token (`operator()`, `[[nodiscard]]`).
    apart = before in (b"(", b"[", b",") and after not in b"()[]"
    return b" " if apart and random.random() < 0.5 else b""


def _comment(language: Language) -> bytes:
    """A comment that ends with its line."""
    comments = (b"// new comment, isn't it", b"# new comment, isn't it", b"-- new comment, isn't it")
    return next(text for text in comments if re.fullmatch(language.lexicon.comment, text, re.DOTALL)) + b"\n"


def names_in(source: str, language: Language) -> list[str]:
    """The names in a source that its author chose, in order of appearance, each once."""
    stream = token_stream(parse(source, language))
    own = language.own_names
    names = (text for text, kind in zip(stream.texts, stream.kinds, strict=True) if kind in _NAMES)
    return list(dict.fromkeys(name.decode() for name in names if name not in own))


def other_name(name: str, number: int) -> str:
    """A longer name of the same kind: the sign at the end of one of Ruby's stays at the end."""
    sign = name[-1] if name[-1] in "?!" else ""
    return f"{name.removesuffix(sign)}_{number}{sign}"


def renamed(source: str, language: Language, new_names: dict[str, str]) -> str:
    """The source with other names."""
    data = source.encode()
    stream = token_stream(parse(data, language))
    pieces: list[bytes] = []
    position = 0
    for text, kind, start in zip(stream.texts, stream.kinds, stream.starts, strict=True):
        new = new_names.get(text.decode()) if kind in _NAMES else None
        if new is not None:
            pieces += data[position:start], new.encode()
            position = start + len(text)
    return b"".join((*pieces, data[position:])).decode()
