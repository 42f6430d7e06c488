"""Calls of different languages that do the same, linked by the texts of their documentation.

The documentation is a file with a JSON object on each line: `language`, `call` (the name as code writes it) and `text`.
Each call is linked with the call of every other language whose text is most similar to its own (cosine of TF-IDF of
words), if that is similar enough; linked calls, directly or through others, count as the same.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.parsing import parse_json

CallLinks = Mapping[tuple[str, str], str]
"""By language and name of a call: what stands for it and for all calls that are linked with it."""
_WORD = re.compile(r"[a-z]{3,}")
_TEXT_FIELDS = ("language", "call", "text")


def documentation_digest(path: Path) -> str:
    """The digest of a documentation file.

    Raises:
        InputError: it cannot be read.
    """
    return hashlib.sha256(_content(path).encode()).hexdigest()


def call_links(path: Path, least: float) -> CallLinks:
    """The links that a documentation file gives.

    Args:
        path: the file.
        least: the least similarity of two linked texts.

    Raises:
        InputError: the file cannot be read, or a line is not such an object.
    """
    return _links(_content(path), str(path), least)


def _content(path: Path) -> str:
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"The documentation of calls cannot be read: {error}",
            where=path,
            hint="Give the file that the model was trained with, or leave out the option 'documentation'.",
        ) from error


@functools.lru_cache(maxsize=4)
def _links(content: str, where: str, least: float) -> CallLinks:
    texts = dict[tuple[str, str], str]()
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
            language, call, text = (row[name] for name in _TEXT_FIELDS)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"Line {number} is not an object with {', '.join(_TEXT_FIELDS)}: {error}", where=where
            ) from error
        if not all(isinstance(one, str) for one in (language, call, text)):
            raise InputError(f"Line {number}: {', '.join(_TEXT_FIELDS)} must be texts.", where=where)
        texts[language, call] = f"{texts.get((language, call), '')} {text}".strip()
    vectors = _vectors(texts)
    above = {one: one for one in vectors}

    def top(one: tuple[str, str]) -> tuple[str, str]:
        while above[one] != one:
            above[one] = one = above[above[one]]
        return one

    for one, vector in vectors.items():
        best = dict[str, tuple[float, tuple[str, str]]]()
        for other, theirs in vectors.items():
            if other[0] != one[0]:
                similar = sum(weight * theirs.get(word, 0.0) for word, weight in vector.items())
                best[other[0]] = max(best.get(other[0], (0.0, other)), (similar, other))
        for similar, other in best.values():
            if similar >= least and similar > 0:
                low, high = sorted((top(one), top(other)))
                above[high] = low
    return {one: " ".join(top(one)) for one in vectors}


def _vectors(texts: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], dict[str, float]]:
    counts = {key: Counter(_WORD.findall(text.lower())) for key, text in texts.items()}
    documents = Counter(word for one in counts.values() for word in one)
    found = {}
    for key, one in sorted(counts.items()):
        weights = {word: number * (math.log(len(counts) / documents[word]) + 1) for word, number in one.items()}
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        found[key] = {word: weight / length for word, weight in weights.items()} if length else {}
    return found
