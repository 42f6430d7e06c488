"""Compiles the programs that run in the sandbox once on the host, instead of in each process that starts there."""

from __future__ import annotations

import importlib.util
import marshal
from collections.abc import Mapping
from functools import cache

_UNCHECKED = (1).to_bytes(4, "little")
"""The flags of a compiled file that is taken without a look at its source."""


def with_bytecode(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files by path, those of Python also compiled: another version of Python does not look at these."""
    compiled = {
        importlib.util.cache_from_source(path): _compiled(path, text)
        for path, text in files.items()
        if path.endswith(".py") and text
    }
    return {**files, **compiled}


@cache
def _compiled(path: str, text: bytes) -> bytes:
    code = compile(text, path, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(text)
    return head + marshal.dumps(code)
