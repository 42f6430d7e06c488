"""Single-file components of Vue and Svelte: the code of their ``<script>`` blocks, read as TypeScript.

JavaScript is read as TypeScript too, so that a component keeps its language when its script gets types. The markup and
the styles are blanks to the parser; positions do not change. A text without a ``<script>`` tag that does not begin with
a tag is a script itself, as benchmarks store functions.
"""

from __future__ import annotations

import re
from dataclasses import replace

from clonetruth.code.languages.typescript import TYPESCRIPT

_PART = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<script\b((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>(.*?)(?:</script\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_DATA = re.compile(rb"\btype\s*=\s*[\"'](?!module|text/(?:java|type)script|ts)", re.IGNORECASE)
"""A block whose type says that it holds something else."""
_NOT_BREAKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def script(source: bytes) -> bytes:
    """Return a component with blanks in place of all but its scripts.

    Example:
        >>> script(b"<p>a</p><script>f()</script>").strip()
        b'f()'
    """
    if b"<script" not in source.lower() and not source.lstrip().startswith(b"<"):
        return source
    pieces: list[bytes] = []
    position = 0
    for part in _PART.finditer(source):
        if part[2] is not None and not _DATA.search(part[1]):
            pieces += source[position : part.start(2)].translate(_NOT_BREAKS), part[2]
            position = part.end(2)
    pieces.append(source[position:].translate(_NOT_BREAKS))
    return b"".join(pieces)


VUE = replace(TYPESCRIPT, name="vue", title="Vue", extensions=(".vue",), script=script)
SVELTE = replace(TYPESCRIPT, name="svelte", title="Svelte", extensions=(".svelte",), script=script)
