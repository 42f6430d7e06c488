"""Similarity to exemplars: which fragments tagged true are similar enough by line to count as exemplars."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, FormTable, FragmentForms, fragment_forms, language
from clonetruth.store import Benchmark

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class ExemplarSimilarity(StrEnum):
    """Which line similarity counts."""

    MEASURED = "measured"  # ours, of the texts at that step
    CLAIMED = "claimed"  # the source's, from the published pair


class Reference(StrEnum):
    """What a fragment must be similar to."""

    EXEMPLARS = "exemplars"
    MERGED = "merged"  # an exemplar, or a fragment that was merged before: chains count


_CLAIMED = """
SELECT x.functionality AS functionality, x.fragment AS exemplar, t.fragment AS tagged,
    max(p.claimed_similarity_line) AS line
FROM roles x
JOIN roles t ON x.functionality = t.functionality AND x.role <> 'tagged-false' AND t.role = 'tagged-true'
JOIN pairs p ON p.pair_key = least(x.fragment, t.fragment) * 4294967296 + greatest(x.fragment, t.fragment)
WHERE x.fragment <> t.fragment AND p.claimed_similarity_line > 0
GROUP BY x.functionality, x.fragment, t.fragment
"""


def similar_to_exemplars(
    benchmark: Benchmark,
    roles: pa.Table,
    threshold: float,
    similarity: ExemplarSimilarity,
    reference: Reference,
    texts: Mapping[int, str],
) -> set[tuple[int, int]]:
    """The memberships (fragment, functionality) tagged true that are merged with the exemplars.

    Args:
        benchmark: the benchmark.
        roles: `fragment`, `functionality`, `role`.
        threshold: fragments with a greater line similarity are merged.
        similarity: which similarity.
        reference: similar to what.
        texts: texts of fragments that replace those of the benchmark.
    """
    if similarity is ExemplarSimilarity.CLAIMED:
        near = _claimed(benchmark, roles, threshold)
    else:
        near = _measured(benchmark, roles, threshold, reference, texts)
    exemplars: set[tuple[int, int]] = set()
    candidates: set[tuple[int, int]] = set()
    columns = (roles[name].to_pylist() for name in ("fragment", "functionality", "role"))
    for fragment, functionality, role in zip(*columns, strict=True):
        if role == "exemplar":
            exemplars.add((fragment, functionality))
        elif role == "tagged-true":
            candidates.add((fragment, functionality))
    merged: set[tuple[int, int]] = set()
    newly_merged = exemplars
    while newly_merged:
        newly_merged = {
            (other, functionality)
            for fragment, functionality in newly_merged
            for other in near.get((fragment, functionality), ())
            if (other, functionality) in candidates
        }
        candidates -= newly_merged
        merged |= newly_merged
        if reference is Reference.EXEMPLARS:
            break
    return merged


Neighbours = Mapping[tuple[int, int], list[int]]
"""For a fragment in a functionality, the fragments tagged true that are similar to it."""


def _claimed(benchmark: Benchmark, roles: pa.Table, threshold: float) -> Neighbours:
    near: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in benchmark.sql(_CLAIMED, roles=roles).to_pylist():
        if row["line"] > threshold:
            near[row["exemplar"], row["functionality"]].append(row["tagged"])
    return near


@dataclass(frozen=True)
class _Readable:
    """The fragments with a text in a supported language.

    Attributes:
        position: the position of each fragment in the table.
        languages: the language of each.
        forms: the normal forms of each.
    """

    position: dict[int, int]
    languages: list[str]
    forms: FormTable

    def of(self, fragments: list[int]) -> Integers:
        """The keys of those fragments that are readable."""
        return np.array([fragment for fragment in fragments if fragment in self.position], dtype=np.int64)

    def lines(self, left: Integers, right: Integers) -> Floats:
        """The line similarities of pairs; 0 across languages."""
        one, other = (np.array([self.position[key] for key in side.tolist()], dtype=np.int64) for side in (left, right))
        languages = np.array(self.languages)
        return np.where(languages[one] == languages[other], self.forms.measure(one, other).line, 0.0)


def _measured(
    benchmark: Benchmark, roles: pa.Table, threshold: float, reference: Reference, texts: Mapping[int, str]
) -> Neighbours:
    groups: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in roles.to_pylist():
        groups[row["functionality"]][row["role"]].append(row["fragment"])
    wanted = {key for group in groups.values() for role in ("exemplar", "tagged-true") for key in group[role]}
    readable = _read(benchmark, wanted, texts)
    near: dict[tuple[int, int], list[int]] = defaultdict(list)
    for functionality, group in groups.items():
        tagged, sources = readable.of(group["tagged-true"]), readable.of(group["exemplar"])
        if reference is Reference.MERGED:
            sources = np.concatenate([sources, tagged])
        if not len(tagged) or not len(sources):
            continue
        left, right = (side.ravel() for side in np.meshgrid(sources, tagged, indexing="ij"))
        similar = readable.lines(left, right) > threshold
        for one, other in zip(left[similar].tolist(), right[similar].tolist(), strict=True):
            near[one, functionality].append(other)
    return near


def _read(benchmark: Benchmark, wanted: set[int], texts: Mapping[int, str]) -> _Readable:
    asked = pa.table({"fragment": pa.array(sorted(wanted), pa.int64())})
    rows = benchmark.sql(
        "SELECT f.fragment AS fragment, f.language AS language, f.text AS text FROM fragments f "
        "JOIN asked a ON f.fragment = a.fragment ORDER BY f.fragment",
        asked=asked,
    ).to_pylist()
    position: dict[int, int] = {}
    languages: list[str] = []
    forms: list[FragmentForms] = []
    for row in rows:
        text = texts.get(row["fragment"], row["text"])
        if row["language"] in LANGUAGES and text.strip():
            position[row["fragment"]] = len(forms)
            languages.append(row["language"])
            forms.append(fragment_forms(text, language(row["language"])))
    return _Readable(position, languages, FormTable(forms))
