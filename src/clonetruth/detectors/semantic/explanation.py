"""Why `semantic` scores a pair as it does: which views agree, and which statements correspond."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.code import LANGUAGES, language
from clonetruth.code.canonical import read_forest, statement_hashes
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.detectors.semantic.detector import SemanticScorer, shipped_scorer


@dataclass(frozen=True)
class ViewAgreement:
    """What one view says of a pair.

    Attributes:
        view: its name.
        cosine: the similarity of the two fragments.
        deviations: how many standard deviations that is above the similarity to unrelated code.
        contribution: what it adds to the log-odds of a clone.
    """

    view: str
    cosine: float
    deviations: float
    contribution: float


@dataclass(frozen=True)
class StatementMatch:
    """Two statements or conditions with the same canonical tree: names may differ, what is done with them does not.

    Attributes:
        left_line: the first line of the left one, 1-based.
        right_line: that of the right one.
        left: its text.
        right: the text of the other.
    """

    left_line: int
    right_line: int
    left: str
    right: str


@dataclass(frozen=True)
class PairExplanation:
    """The explanation of a score.

    Attributes:
        score: the score.
        views: the views, those that add most first.
        statements: the statements that correspond, in the order of the left fragment.
        left_statements: number of statements and conditions of the left fragment.
        right_statements: number of those of the right one.
    """

    score: float
    views: tuple[ViewAgreement, ...]
    statements: tuple[StatementMatch, ...]
    left_statements: int
    right_statements: int


def explain_pair(
    left: str,
    right: str,
    left_language: str,
    right_language: str | None = None,
    *,
    scorer: SemanticScorer | None = None,
) -> PairExplanation | None:
    """Explain how similar two fragments are.

    Args:
        left: the text of a fragment.
        right: the text of the other.
        left_language: the name of its language.
        right_language: that of the other (default: the same).
        scorer: the background and the weights (default: the shipped ones).

    Returns:
        None where a fragment is empty or in an unknown language.

    Example:
        >>> python = "def g(n):\\n    n += 1\\n    return n"
        >>> found = explain_pair("int f(int a) { a = a + 1; return a; }", python, "java", "python")
        >>> [(one.left, one.right) for one in found.statements]
        [('a = a + 1', 'n += 1'), ('return a;', 'return n')]
    """
    names, texts = (left_language, right_language or left_language), (left, right)
    if any(name not in LANGUAGES for name in names):
        return None
    used = scorer or shipped_scorer()
    fragments = pa.table({"fragment": [0, 1], "language": list(names), "text": list(texts)}, schema=FRAGMENTS)
    own = used.prepared(fragments)
    if not own.known.all():
        return None
    a, b = np.array([0]), np.array([1])
    cosines = own.cosines(a, b)[0]
    similarities, same = own.similarities(a, b)
    contributions = similarities[0] * used.model.weights
    views = [
        ViewAgreement(view, *(round(float(one), 4) for one in numbers))
        for view, *numbers in zip(own.views, cosines, similarities[0], contributions, strict=True)
    ]
    statements = [_Statements.of(text, name) for text, name in zip(texts, names, strict=True)]
    return PairExplanation(
        float(used.model.probabilities(similarities, same)[0]),
        tuple(sorted(views, key=lambda one: -one.contribution)),
        tuple(_matches(*statements)),
        *(len(one.hashes) for one in statements),
    )


@dataclass(frozen=True)
class _Statements:
    hashes: list[int]
    lines: list[int]
    texts: list[str]

    @classmethod
    def of(cls, text: str, name: str) -> _Statements:
        forest = read_forest([text], [language(name)])
        nodes, hashes = statement_hashes(forest)
        data = text.encode(errors="replace")
        spans = list(zip(forest.start[nodes].tolist(), forest.end[nodes].tolist(), strict=True))
        return cls(
            hashes.tolist(),
            [data.count(b"\n", 0, start) + 1 for start, _ in spans],
            [" ".join(data[start:end].decode(errors="replace").split()) for start, end in spans],
        )


def _matches(left: _Statements, right: _Statements) -> Iterator[StatementMatch]:
    free: dict[int, list[int]] = {}
    for at, one in enumerate(right.hashes):
        free.setdefault(one, []).append(at)
    for at, one in enumerate(left.hashes):
        if free.get(one):
            other = free[one].pop(0)
            yield StatementMatch(left.lines[at], right.lines[other], left.texts[at], right.texts[other])
