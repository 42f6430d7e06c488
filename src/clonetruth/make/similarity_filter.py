"""The near-miss filter: how similar is the text of an answer to its seed, by NiCad's definition.

NiCad compares pretty-printed lines after blind renaming: the longest common subsequence ÷ the lines of the longer
fragment. A threshold of 99 % dissimilarity keeps every value, so that the filter itself is the only cut. Above it are
syntactic clones: the "false" pairs of GPTCloneBench, which says nothing about behaviour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean
from typing import Any

import numpy as np
import pyarrow as pa

from clonetruth.arrow_files import read_parquet, write_parquet
from clonetruth.code import Form, SequenceTable, form_lines, language
from clonetruth.errors import InputError
from clonetruth.make.answer_parsing import SnippetFate
from clonetruth.make.code_pieces import functions_alone
from clonetruth.make.prompts import PromptGoal
from clonetruth.make.stage import Stage, StageOutcome, StageWork


class GeneratedSet(StrEnum):
    """Which set a generated pair belongs to."""

    SEMANTIC = "semantic"
    SYNTACTIC = "syntactic"
    CROSS_LANGUAGE = "cross-language"
    DIFFERENT = "different"


FILTERED = pa.schema(
    [
        pa.field("seed", pa.string(), nullable=False),
        pa.field("snippet", pa.string(), nullable=False),
        pa.field("set", pa.string(), nullable=False),
        pa.field("similarity", pa.float64()),
    ]
)


@dataclass(frozen=True)
class SimilarityOptions:
    """The keys of the stage, with GPTCloneBench's values.

    Attributes:
        threshold: above this similarity a pair is syntactic.
        dissimilarity: NiCad's threshold: of pairs that are more dissimilar it reports nothing, and their similarity is
            unknown; they are semantic ones.
        least_lines: pairs with a shorter side, pretty-printed, are left out.
        least_tokens: pairs with a side of fewer tokens are left out.
        renaming: NiCad's renaming of identifiers: `blind`, `consistent` or `none`.
        bands: keep only semantic pairs whose similarity lies in one of these bands (default: all).
        diversity: leave out an answer that is at least this similar to an earlier one of the same seed, clones and hard
            negatives apart (default: none).
    """

    threshold: float = 0.75
    dissimilarity: float = 0.99
    least_lines: int = 3
    least_tokens: int = 0
    renaming: str = "blind"
    bands: tuple[tuple[float, float], ...] = ()
    diversity: float | None = None


_RENAMING = {"blind": Form.BLIND, "consistent": Form.CONSISTENT, "none": Form.TYPE1}
_NOTHING = 1e-9
"""Rounding of a difference of similarities."""


def _lines(text: str, name: str, renaming: str) -> list[bytes]:
    # NiCad compares functions: a class or imports around one, which a seed may have, are not part of it.
    return form_lines(functions_alone(text, name), language(name), _RENAMING[renaming])


def _tokens(lines: Sequence[bytes]) -> int:
    return sum(len(line.split()) for line in lines)


def line_similarity(left: Sequence[bytes], right: Sequence[bytes]) -> float:
    """Lines in common, in order, ÷ the lines of the longer fragment."""
    return float(SequenceTable([left, right]).ratios(np.array([0]), np.array([1]))[0])


def _run(work: StageWork) -> StageOutcome:
    options: SimilarityOptions = work.options
    seeds = {row["seed"]: row for row in read_parquet(work.artefact("seeds")).to_pylist()}
    every = read_parquet(work.artefact("snippets")).to_pylist()
    snippets = [row for row in every if row["fate"] == SnippetFate.ACCEPTED]
    left_out, kept = Counter[str](), list[dict[str, Any]]()
    similarities: dict[tuple[str, str], list[float]] = defaultdict(list)
    earlier: dict[tuple[str, str, bool], list[list[bytes]]] = defaultdict(list)
    seed_lines = {name: _lines(row["text"], row["language"], options.renaming) for name, row in seeds.items()}
    sets: dict[str, Counter[str]] = defaultdict(Counter)
    unreported = 0
    for row in snippets:
        seed = seeds[row["seed"]]
        lines = _lines(row["text"], row["language"], options.renaming)
        # A hard negative is meant to resemble a clone: only those of its kind make it superfluous.
        known = earlier[row["seed"], row["language"], row["wants"] == PromptGoal.DIFFERENT]
        if min(len(lines), len(seed_lines[row["seed"]])) < options.least_lines:
            left_out["too short"] += 1
            continue
        if min(_tokens(lines), _tokens(seed_lines[row["seed"]])) < options.least_tokens:
            left_out["too few tokens"] += 1
            continue
        if options.diversity is not None and any(line_similarity(one, lines) >= options.diversity for one in known):
            left_out["too similar to an earlier answer"] += 1
            continue
        similarity = None
        if row["language"] == seed["language"]:
            similarity = line_similarity(seed_lines[row["seed"]], lines)
            similarities[row["prompt"], row["language"]].append(similarity)
            if 1 - similarity > options.dissimilarity + _NOTHING:
                similarity = None
                unreported += 1
        chosen = _set(row, similarity, options, across=row["language"] != seed["language"])
        if chosen is GeneratedSet.SEMANTIC and not _in_bands(similarity, options):
            left_out["outside the bands"] += 1
            continue
        known.append(lines)
        sets[row["prompt"]][str(chosen)] += 1
        kept.append({"seed": row["seed"], "snippet": row["snippet"], "set": str(chosen), "similarity": similarity})
    write_parquet(pa.Table.from_pylist(kept, schema=FILTERED), work.output / "filtered")
    return StageOutcome(
        taken={"snippets": len(snippets)},
        given={f"{one} pairs": sum(row["set"] == one for row in kept) for one in GeneratedSet},
        left_out=dict(left_out),
        notes=(f"{unreported:,} pairs are more dissimilar than {options.dissimilarity:.0%}.",) if unreported else (),
        details={
            "mean similarity in per cent": _table(similarities),
            "sets by prompt": {prompt: dict(counts) for prompt, counts in sorted(sets.items())},
        },
    )


def _set(row: Mapping[str, Any], similarity: float | None, options: SimilarityOptions, *, across: bool) -> GeneratedSet:
    if row["wants"] == PromptGoal.DIFFERENT:
        return GeneratedSet.DIFFERENT
    if across:
        return GeneratedSet.CROSS_LANGUAGE
    syntactic = similarity is not None and similarity > options.threshold
    return GeneratedSet.SYNTACTIC if syntactic else GeneratedSet.SEMANTIC


def _in_bands(similarity: float | None, options: SimilarityOptions) -> bool:
    return not options.bands or any(low <= (similarity or 0.0) <= high for low, high in options.bands)


def _table(similarities: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, dict[str, float]]:
    """Table I of the paper for this run: the mean similarity by language and prompt."""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (prompt, name), values in sorted(similarities.items()):
        table[language(name).title][prompt] = round(100 * mean(values), 2)
    return dict(table)


def _check(options: SimilarityOptions) -> None:
    if options.renaming not in _RENAMING:
        raise InputError(f"There is no renaming '{options.renaming}'.", hint=f"Known: {', '.join(_RENAMING)}.")
    diversity = 1.0 if options.diversity is None else options.diversity
    shares = [options.threshold, options.dissimilarity, diversity, *(one for band in options.bands for one in band)]
    if not all(0 <= one <= 1 for one in shares) or any(low > high for low, high in options.bands):
        raise InputError("The threshold, the diversity or a band of similarity is not within 0 and 1.")


STAGE = Stage(
    name="similarity",
    description="Divide the pairs by NiCad's similarity of seed and answer, and reject near duplicates.",
    options=SimilarityOptions,
    run=_run,
    reads=("seeds", "snippets"),
    writes=("filtered",),
    check=_check,
)
