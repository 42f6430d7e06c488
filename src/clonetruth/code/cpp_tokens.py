"""The tokens that matter to the outline of C++, and strings that a regular expression cannot lex."""

from __future__ import annotations

import re
from collections.abc import Mapping

from clonetruth.code.brace_outline import BRACKET_MARKS, FIRST_FREE, HASH, ODD, SEMICOLON
from clonetruth.code.language import C_COMMENT

SPECIFIER, TYPE, CLASS, ENUM, NAMESPACE, TEMPLATE, OPERATOR, LESS = range(FIRST_FREE, FIRST_FREE + 8)
GREATER, SCOPE, POINTER, TILDE, COLON, COMMA, EQUALS, ARROW = range(FIRST_FREE + 8, FIRST_FREE + 16)
EXTERN, WITH_PAREN, TRY, CATCH, STATEMENT, ACCESS, FRIEND, TYPEDEF = range(FIRST_FREE + 16, FIRST_FREE + 24)
ALIAS, NOEXCEPT, FINAL, ELLIPSIS, DECLTYPE, CAST, UNKNOWN, QUALIFIER = range(FIRST_FREE + 24, FIRST_FREE + 32)

MARKS: Mapping[bytes, int] = {
    **BRACKET_MARKS,
    b";": SEMICOLON,
    b"#": HASH,
    b"::": SCOPE,
    b"~": TILDE,
    b":": COLON,
    b",": COMMA,
    b"=": EQUALS,
    b"<": LESS,
    b">": GREATER,
    b"->": ARROW,
    b"...": ELLIPSIS,
    **dict.fromkeys(b"* & &&".split(), POINTER),
    **dict.fromkeys(
        b"void char short int long float double signed unsigned bool auto wchar_t char8_t char16_t char32_t "
        b"_Bool _Complex".split(),
        TYPE,
    ),
    **dict.fromkeys(
        b"static inline register virtual explicit constexpr consteval constinit mutable typename thread_local "
        b"__inline __inline__ __forceinline __extension__ __thread _Thread_local _Noreturn restrict __restrict "
        b"__restrict__".split(),
        SPECIFIER,
    ),
    **dict.fromkeys(b"const volatile".split(), QUALIFIER),
    **dict.fromkeys(b"class struct union".split(), CLASS),
    b"enum": ENUM,
    b"namespace": NAMESPACE,
    b"template": TEMPLATE,
    b"operator": OPERATOR,
    b"extern": EXTERN,
    **dict.fromkeys(b"__attribute__ __attribute __declspec alignas".split(), WITH_PAREN),
    **dict.fromkeys(b"decltype typeof __typeof__".split(), DECLTYPE),
    b"try": TRY,
    b"catch": CATCH,
    **dict.fromkeys(b"if for while do switch case return goto break continue else co_return".split(), STATEMENT),
    **dict.fromkeys(b"public private protected".split(), ACCESS),
    b"friend": FRIEND,
    b"typedef": TYPEDEF,
    **dict.fromkeys(b"using concept".split(), ALIAS),
    **dict.fromkeys(b"noexcept throw".split(), NOEXCEPT),
    **dict.fromkeys(b"final override".split(), FINAL),
    **dict.fromkeys(b"static_cast const_cast dynamic_cast reinterpret_cast".split(), CAST),
    **dict.fromkeys(
        b"requires export asm __asm __asm__ __cdecl __clrcall __stdcall __fastcall __thiscall __vectorcall "
        b"__based".split(),
        UNKNOWN,
    ),
    **dict.fromkeys((b'"', b"'", b"\\", b"`", b"@", b"$"), ODD),
}
"""The marks of tokens, by their text."""

_RAW = re.compile(
    C_COMMENT
    + rb"|(?:\b(?:u8|[uUL]))?(R)\"([^()\\\s\"]*+)\((?:.*?)\)\2\"|\"(?:[^\"\\\n]++|\\.)*+\""
    + rb"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)++'",
    re.DOTALL,
)
_VISIBLE = re.compile(rb"[^\n]")


def without_raw_strings(text: bytes) -> bytes:
    """Return a text with empty strings and blanks in place of raw strings; positions do not change.

    Example:
        >>> without_raw_strings(b'f(R"x({")x", 1)')
        b'f(""       , 1)'
    """
    return _RAW.sub(_blanked, text) if b'R"' in text else text


def _blanked(match: re.Match[bytes]) -> bytes:
    """A raw string as a string of the same length without text; anything else as it is."""
    if match[1] is None:
        return match[0]
    return b'""' + _VISIBLE.sub(b" ", match[0][2:])
