"""Textual similarity as a detector, in BigCloneBench's measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, FormTable, FragmentForms, PairMeasures, fragment_forms, map_parallel
from clonetruth.code import language as language_named
from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.progress import Progress, no_progress

_FRAGMENTS = 256
"""Fragments per batch: large enough to hide the cost of sending them to another process."""


@dataclass(frozen=True)
class TextualSimilarity:
    """The similarity of blind forms, by lines or by tokens, of two fragments in the same supported language."""

    name: str
    description: str
    measure: Callable[[PairMeasures], npt.NDArray[np.float64]] = field(repr=False)
    default_threshold: float | None = 0.7

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null across languages, in an unsupported language, and for an empty text."""
        left, right = side_rows(fragments, pairs)
        report = progress or no_progress
        languages = fragments["language"].combine_chunks().dictionary_encode()
        codes = languages.indices.to_numpy()
        forms = list(_forms(fragments, processes, report))
        readable = np.array([form is not None and bool(form.tokens) for form in forms], dtype=bool)
        table = FormTable(form or _UNREADABLE for form in forms)
        known = readable[left] & readable[right] & (codes[left] == codes[right])
        values = np.zeros(len(left))
        values[known] = self.measure(
            table.measure(
                left[known],
                right[known],
                processes=processes,
                progress=lambda done: report("Measuring pairs", done, len(left)),
            )
        )
        return score_array(values, known)


_UNREADABLE = FragmentForms(b"", b"", (), (), sound=False)
"""A placeholder for an unreadable fragment; no pair refers to it."""


def _forms(fragments: pa.Table, processes: int, report: Progress) -> Iterator[FragmentForms | None]:
    batches = fragments.select(["language", "text"]).to_batches(_FRAGMENTS)
    rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
    for forms in map_parallel(_forms_of_batch, None, rows, processes):
        report("Reading fragments", len(forms), fragments.num_rows)
        yield from forms


def _forms_of_batch(_: None, rows: list[tuple[str, str]]) -> list[FragmentForms | None]:
    return [fragment_forms(text, language_named(name)) if name in LANGUAGES else None for name, text in rows]


LINE_SIMILARITY = TextualSimilarity(
    "line-similarity",
    "Longest common subsequence of pretty-printed lines, names and values ignored ÷ lines of the longer fragment.",
    lambda measures: measures.line,
)
TOKEN_SIMILARITY = TextualSimilarity(
    "token-similarity",
    "Longest common subsequence of tokens, names and values ignored ÷ tokens of the longer fragment.",
    lambda measures: measures.token,
)
