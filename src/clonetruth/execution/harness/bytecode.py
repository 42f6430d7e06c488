"""Compiles the programs that run in the sandbox once on the host, instead of in each process that starts there."""

from __future__ import annotations

import importlib.util
import marshal
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath

_UNCHECKED = (1).to_bytes(4, "little")
"""The flags of a compiled file that is taken without a look at its source."""


def with_bytecode(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files by path, those of Python also compiled: another version of Python does not look at these."""
    compiled = {
        _compiled_path(path): _compiled(path, text) for path, text in files.items() if path.endswith(".py") and text
    }
    return {**files, **compiled}


def _compiled_path(path: str) -> str:
    """Where a Python without settings looks; `cache_from_source` follows the user's, such as PYTHONPYCACHEPREFIX."""
    place = PurePosixPath(path)
    return str(place.parent / "__pycache__" / f"{place.stem}.{sys.implementation.cache_tag}.pyc")


@cache
def _compiled(path: str, text: bytes) -> bytes:
    code = compile(text, path, "exec", dont_inherit=True, optimize=0)
    head = importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(text)
    return head + marshal.dumps(code)
