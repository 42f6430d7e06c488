"""Tables III and IV of GPTCloneBench's paper: does a validator of syntactic clones accept the accepted clones?

CloneCognition tells whether a reported clone is a true one, from common lines and tokens. The paper reads it in
reverse: the fewer semantic clones it accepts, the more semantic they are.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from clonetruth.errors import InputError
from clonetruth.make.accepted_pairs import GeneratedPair, generated_pairs, open_detector, pair_scores
from clonetruth.make.similarity_filter import GeneratedSet
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.store import open_benchmark


@dataclass(frozen=True)
class CloneCognitionStageOptions:
    """The keys of the stage.

    Attributes:
        detector: the folder of a detector that was trained (`clonetruth train clonecognition`), or a detector's name.
        threshold: the score from which the detector accepts a pair; the paper's is 76 %.
    """

    detector: str
    threshold: float = 0.76


def _run(work: StageWork) -> StageOutcome:
    options: CloneCognitionStageOptions = work.options
    benchmark = open_benchmark(work.artefact("benchmark"))
    pairs = [one for one in generated_pairs(benchmark) if one.clone and one.set is GeneratedSet.SEMANTIC]
    if not pairs:
        raise InputError("The benchmark has no accepted semantic clone.", where=benchmark.path)
    detector = open_detector(work, options.detector)
    scores = pair_scores(benchmark, detector, pairs)
    groups: dict[tuple[str, str], list[tuple[GeneratedPair, float | None]]] = defaultdict(list)
    for one, score in zip(pairs, scores, strict=True):
        groups[one.prompt, one.language].append((one, score))
    tables: dict[str, dict[str, Any]] = {}
    for (prompt, name), members in sorted(groups.items()):
        known = [score for _, score in members if score is not None]
        accepted = sum(score >= options.threshold for score in known)
        tables[f"{prompt}, {name}"] = {
            "threshold": options.threshold,
            "clones": len(known),
            "predicted": accepted,
            "accuracy": round(accepted / len(known), 3) if known else None,
        }
    total = sum(row["predicted"] for row in tables.values())
    unscored = sum(score is None for score in scores)
    return StageOutcome(
        taken={"semantic clones": len(pairs)},
        given={"accepted": total, "not accepted": len(pairs) - total - unscored},
        left_out={"without a score": unscored} if unscored else {},
        notes=("Read in reverse: a pair that the detector does not accept is less like a syntactic clone.",),
        details={f"accepted by {detector.name}, by prompt and language": tables},
    )


def _check(options: CloneCognitionStageOptions) -> None:
    if not 0 <= options.threshold <= 1:
        raise InputError(f"The threshold {options.threshold} is not within 0 and 1.")


STAGE = Stage(
    name="clonecognition",
    description="Let a validator of syntactic clones look at the accepted clones, by prompt and language.",
    options=CloneCognitionStageOptions,
    run=_run,
    reads=("benchmark",),
    check=_check,
)
