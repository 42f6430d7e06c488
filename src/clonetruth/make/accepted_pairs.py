"""The pairs of a generated benchmark as the tables of GPTCloneBench's paper divide them: by language and by prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.code import language
from clonetruth.detectors import Detector
from clonetruth.detectors.sealed import score_sealed
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.detector_scores import LargestFunctionality, read_fragments, scorer
from clonetruth.make.generated_pairs import RULE
from clonetruth.make.prompt_funnel import prompt_of_path
from clonetruth.make.similarity_filter import GeneratedSet
from clonetruth.make.stage import StageWork
from clonetruth.model import PairValue
from clonetruth.store import Benchmark

_ACCEPTED = """
SELECT p.pair AS pair, p.left AS left_key, p.right AS right_key, l.language AS left_language,
    r.language AS right_language, r.path AS path, g.value AS value, g.reason AS reason
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
JOIN judgements g ON p.pair = g.pair
WHERE g.judge = '{rule}'
ORDER BY p.pair
"""


@dataclass(frozen=True)
class GeneratedPair:
    """A pair of a seed and an answer that a judge has decided on.

    Attributes:
        left, right: the keys of its fragments.
        languages: their languages, the seed's first.
        prompt: the prompt that the answer is from.
        set: the set that the process puts it in.
        clone: whether it is labelled as a clone.
    """

    left: int
    right: int
    languages: tuple[str, str]
    prompt: str
    set: GeneratedSet
    clone: bool

    @property
    def language(self) -> str:
        """Its language, or both, as a table shows them."""
        return " and ".join(dict.fromkeys(language(one).title for one in self.languages))


def generated_pairs(benchmark: Benchmark) -> list[GeneratedPair]:
    """The pairs of a generated benchmark that have a label of the process.

    Raises:
        InputError: it was not made by the stage `generated`, or no judge has decided on a pair.
    """
    found = []
    for row in benchmark.sql(_ACCEPTED.format(rule=RULE.id)).to_pylist():
        if row["value"] == PairValue.UNDECIDED:
            continue
        found.append(
            GeneratedPair(
                row["left_key"],
                row["right_key"],
                (row["left_language"], row["right_language"]),
                prompt_of_path(row["path"]) or "–",
                GeneratedSet(row["reason"]),
                row["value"] == PairValue.CLONE,
            )
        )
    if not found:
        raise InputError(
            "No judge has decided on a pair of the benchmark.",
            where=benchmark.path,
            hint="Add judges before the stage 'generated': execution, study or llm-judge.",
        )
    return found


def open_detector(work: StageWork, name: str) -> Detector:
    """A detector that a recipe names: a registered one, or a folder with one, relative to the recipe.

    Raises:
        UnknownNameError: there is none.
        InputError: the folder does not hold one.
    """
    folder = work.recipe.folder / name
    found = scorer(str(folder) if folder.is_dir() else name)
    if isinstance(found, LargestFunctionality):
        raise InputError(f"'{name}' is not a detector of texts.")
    return found


def pair_scores(benchmark: Benchmark, detector: Detector, pairs: Sequence[GeneratedPair]) -> list[float | None]:
    """The score of each pair; None where the detector gives none."""
    left = np.array([one.left for one in pairs], dtype=np.int64)
    right = np.array([one.right for one in pairs], dtype=np.int64)
    fragments: pa.Table = read_fragments(benchmark, np.concatenate([left, right]))
    scores: list[float | None] = score_sealed(detector, fragments, left, right).values.to_pylist()
    return scores
