"""Macros around the declarations of C++: alone on a line (``Q_OBJECT``), or before a name (``class EXPORT Name {``).

A grammar that does not expand macros takes them for the type of what follows, and may make one function of a class or
of the rest of a file. So they are blanked before a text is parsed.
"""

from __future__ import annotations

import re

from clonetruth.code.language import C_COMMENT

_NAME = rb"^[ \t]*+[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++\b"
_QUOTED = rb"\"(?:[^\"\\\n]++|\\.)*+\""
_ARGUMENTS = rb"[ \t]*+\((?:[^()\"]++|" + _QUOTED + rb"|\((?:[^()\"]++|" + _QUOTED + rb"|\([^()\"]*+\))*+\))*+\)"
_DIRECTIVE = rb"^[ \t]*+\#(?:[^\\\n]++|\\.)*+"
_SPACE = rb"(?:\s++|" + C_COMMENT + rb"|" + _DIRECTIVE + rb")*+"

_CANDIDATE = re.compile(_NAME + rb"(?:" + _ARGUMENTS + rb")?[ \t\r]*+(?=\n|/[/*]|\Z)", re.MULTILINE | re.DOTALL)
_FOLLOWING = re.compile(
    _SPACE + rb"(?!(?:const|noexcept|override|final|requires|throw|try|volatile)\b)(?:[A-Za-z_~}\[]|::|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""A declaration or the end of a scope; neither the body of a function nor the rest of its header."""
_FUNCTION_NAME = re.compile(_SPACE + rb"[\w:~]++\s*+\(", re.MULTILINE | re.DOTALL)
_PIECE = re.compile(
    C_COMMENT
    + rb"|R\"([^()\\\s]*+)\(.*?\)\1\"|"
    + _QUOTED
    + rb"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)++'|"
    + _DIRECTIVE
    + rb"|(?P<macro>"
    + _CANDIDATE.pattern
    + rb")|[{};]",
    re.MULTILINE | re.DOTALL,
)
_IGNORED = re.compile(
    C_COMMENT + rb"|" + _DIRECTIVE + rb"|\b(?:public|private|protected|signals|[\w ]++ slots)\s*+:(?!:)|\s++",
    re.MULTILINE | re.DOTALL,
)
_SCOPE = re.compile(rb"\b(?:namespace|class|struct|union)\b|\bextern\s*+\"")
_NOT_SCOPE = re.compile(rb"\benum\b|\)\s*+(?:(?:const|noexcept|override|final|try|volatile)\s*+|->.*)*+\Z", re.DOTALL)
_EXPORTED = re.compile(
    rb"\b(?:class|struct|union)\s++([A-Z][A-Z0-9_]++(?:"
    + _ARGUMENTS
    + rb")?)(?=\s++[A-Za-z_]\w*+\s*+(?:final\s*+)?(?:\{|:(?!:)))",
    re.DOTALL,
)
_NOT_BREAKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def without_declaration_macros(source: bytes) -> bytes:
    """Return a text with blanks in place of macros that stand alone between declarations, or before a class's name.

    A name in capitals with an underscore is a macro. In the body of a function it may be a statement, and stays.

    Example:
        >>> without_declaration_macros(b"namespace a {\\nA_BEGIN\\nint f() { return 1; }\\n}")
        b'namespace a {\\n       \\nint f() { return 1; }\\n}'
    """
    source = _EXPORTED.sub(_blanked_name, source)
    if _CANDIDATE.search(source) is None:
        return source
    pieces: list[bytes] = []
    copied = begin = 0  # where the text since the last piece, and the current declaration, begin
    scopes = [True]  # for each open brace, whether it has declarations inside
    for match in _PIECE.finditer(source):
        start, end = match.span()
        if match["macro"] is not None:
            header = _IGNORED.sub(b"", source[begin:start]) if scopes[-1] else b"x"
            if (not header or header.endswith(b">")) and _stands_alone(source, match):
                pieces += source[copied:start], source[start:end].translate(_NOT_BREAKS)
                copied = end
                begin = begin if header else end
        elif match[0] == b"{":
            header = _IGNORED.sub(b" ", source[begin:start]).strip()
            scopes.append(scopes[-1] and bool(_SCOPE.search(header)) and not _NOT_SCOPE.search(header))
            begin = end
        elif match[0] in b"};":
            if match[0] == b"}" and len(scopes) > 1:
                scopes.pop()
            begin = end
    return b"".join((*pieces, source[copied:])) if pieces else source


def _blanked_name(exported: re.Match[bytes]) -> bytes:
    (start, end), begin = exported.span(1), exported.start()
    return exported[0][: start - begin] + exported[1].translate(_NOT_BREAKS) + exported[0][end - begin :]


def _stands_alone(source: bytes, macro: re.Match[bytes]) -> bool:
    """Whether a macro is neither the header of a function nor the type of one."""
    typed = macro[0].rstrip()[-1:] != b")" and _FUNCTION_NAME.match(source, macro.end())
    return not typed and _FOLLOWING.match(source, macro.end()) is not None
