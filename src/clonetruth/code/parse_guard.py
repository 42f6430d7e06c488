"""A guard against texts that exhaust the memory of a parser.

At the end of a text, tree-sitter tries to close what is open. If the last statement has no end, is thousands of tokens
long and full of errors, the parsers of C and Objective-C need memory quadratic in its length: gigabytes for 20 KB. No
real program ends like that. A text that does is first parsed in a separate process with a limit on its memory, and
refused if that process dies.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from clonetruth.code.language import Language
from clonetruth.errors import InputError

_SMALL = 2_000
"""Bytes up to which a text does no harm."""
_LONG_TAIL = 1_000
"""Tokens without an end of a statement after which a text is doubtful."""
_ENDED = re.compile(rb"[\])}; \t]*[;}][; \t]*\Z")
"""A last line with nothing but closing brackets and ends of statements."""
_ENDS = frozenset({b";", b"{", b"}"})

MEMORY, MEMORY_PER_BYTE, SECONDS = 512 * 1024**2, 128, 30
"""The limits of the process: its address space, and its processor time."""

_PROBE = """
import importlib, json, sys
path, module, function, memory, seconds = json.loads(sys.argv[1])
sys.path[:] = path
import tree_sitter
parser = tree_sitter.Parser(tree_sitter.Language(getattr(importlib.import_module(module), function)()))
text = sys.stdin.buffer.read()
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
except ImportError:
    pass
parser.parse(text)
"""


class CostlyTextError(InputError):
    """A text that cannot be parsed with a reasonable amount of memory."""


def check_cost(source: bytes, language: Language) -> None:
    """Make sure that a text can be parsed.

    Raises:
        CostlyTextError: parsing it needs too much memory or time.
    """
    if language.statements_end and len(source) > _SMALL and _is_doubtful(source, language):
        digest = blake2b(source, digest_size=16).digest()
        if not _is_affordable(_Text(source, digest), language):
            raise CostlyTextError(
                "Parsing this text takes too much memory: its last statement has no end and is full of errors."
            )


def _is_doubtful(source: bytes, language: Language) -> bool:
    """Whether the last statement is long and has no end."""
    text = source.rstrip()
    if _ENDED.fullmatch(text, text.rfind(b"\n") + 1):
        return False
    kind_of = language.kind_of
    tail = 0
    for token in reversed(language.token_pattern.findall(source)):
        if token in _ENDS:
            return False
        tail += kind_of[token] > 0
        if tail > _LONG_TAIL:
            return True
    return False


class _Text:
    """A text that is compared by its digest."""

    def __init__(self, source: bytes, digest: bytes) -> None:
        self.source = source
        self._digest = digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)


@lru_cache(maxsize=64)
def _is_affordable(text: _Text, language: Language) -> bool:
    """Whether a process with limits can parse a text."""
    module, _, function = language.grammar.partition(":")
    memory = MEMORY + MEMORY_PER_BYTE * len(text.source)
    # The working folder may be a stranger's, and have a module with the name of the parser.
    paths = [one for one in sys.path if one and Path(one).absolute() != Path.cwd()]
    arguments = json.dumps([paths, module, function, memory, SECONDS])
    finished = subprocess.run(
        [sys.executable, "-I", "-c", _PROBE, arguments], input=text.source, capture_output=True, check=False
    )
    return finished.returncode == 0
