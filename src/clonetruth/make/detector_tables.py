"""Tables V and VI of GPTCloneBench's paper, for detectors that take pairs.

Table V is recall alone, since all stand-alone clones are true ones. For precision the paper adds 20 false clones; here
these are pairs that a judge found to be different, never pairs that are assumed to be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import md5
from typing import Any

from clonetruth.errors import InputError
from clonetruth.make.accepted_pairs import GeneratedPair, generated_pairs, open_detector, pair_scores
from clonetruth.make.generated_benchmark import GeneratedOptions, pair_verdicts
from clonetruth.make.similarity_filter import GeneratedSet
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import PairValue
from clonetruth.stats.intervals import wilson
from clonetruth.store import Benchmark, open_benchmark

_DECIDED = """
SELECT p.pair AS pair, p.left AS left_key, p.right AS right_key, l.language AS left_language,
    r.language AS right_language, l.id AS left_id, r.id AS right_id
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
ORDER BY p.pair
"""


@dataclass(frozen=True)
class DetectorTableOptions:
    """The keys of the stage.

    Attributes:
        detectors: detectors by name, or folders with one.
        false_clones: number of pairs that are known to be different, for the precision; the paper's is 20.
        seed: random seed of their draw.
    """

    detectors: tuple[str, ...]
    false_clones: int = 20
    seed: int = 0


def _different(work: StageWork, candidates: Benchmark) -> list[GeneratedPair]:
    """Candidates that a judge found to be different, drawn by hash."""
    options: DetectorTableOptions = work.options
    step = next((one.options for one in work.recipe.steps if isinstance(one.options, GeneratedOptions)), None)
    chosen = step or GeneratedOptions()
    verdicts = pair_verdicts(candidates, chosen.criteria, chosen.policies)
    rows = [row for row in candidates.sql(_DECIDED).to_pylist() if verdicts.get(row["pair"]) == PairValue.NOT_CLONE]
    rows.sort(key=lambda row: md5(f"{row['left_id']} {row['right_id']} {options.seed}".encode()).hexdigest())
    return [
        GeneratedPair(
            row["left_key"],
            row["right_key"],
            (row["left_language"], row["right_language"]),
            "–",
            GeneratedSet.DIFFERENT,
            False,
        )
        for row in rows[: options.false_clones]
    ]


def _share(part: int, whole: int) -> dict[str, float | int | None]:
    interval = wilson(part, whole)
    return {
        "found": part,
        "of": whole,
        "share": round(part / whole, 3) if whole else None,
        "low": None if interval is None else round(interval.low, 3),
        "high": None if interval is None else round(interval.high, 3),
    }


def _run(work: StageWork) -> StageOutcome:
    options: DetectorTableOptions = work.options
    benchmark, candidates = open_benchmark(work.artefact("benchmark")), open_benchmark(work.artefact("candidates"))
    clones = [one for one in generated_pairs(benchmark) if one.clone]
    if not clones:
        raise InputError("The benchmark has no accepted clone.", where=benchmark.path)
    false = _different(work, candidates)
    recall: dict[str, dict[str, Any]] = {}
    precision: dict[str, dict[str, Any]] = {}
    unscored = Counter[str]()
    for name in options.detectors:
        detector = open_detector(work, name)
        threshold = detector.default_threshold
        if threshold is None:
            raise InputError(f"The detector '{name}' has no threshold.", hint="Choose one that decides.")
        scores = pair_scores(benchmark, detector, clones)
        wrong = pair_scores(candidates, detector, false) if false else []
        unscored[name] = sum(score is None for score in (*scores, *wrong))
        groups: dict[str, list[bool]] = defaultdict(list)
        for one, score in zip(clones, scores, strict=True):
            # A pair that a detector cannot score is one that it does not find.
            groups[one.language].append(score is not None and score >= threshold)
        found = sum(sum(members) for members in groups.values())
        for language, members in sorted(groups.items()):
            recall[f"{name}, {language}"] = {"granularity": "function", **_share(sum(members), len(members))}
        reported = sum(score is not None and score >= threshold for score in wrong)
        precision[name] = {
            "false clones": len(false),
            "precision": _share(found, found + reported)["share"],
            "recall": _share(found, len(clones))["share"],
        }
    notes: tuple[str, ...] = ("Table V has recall alone: a judge confirmed all of its clones.",)
    if len(false) < options.false_clones:
        notes += (
            f"Only {len(false):,} pairs are known to be different, of {options.false_clones:,} that were asked for: "
            "prompts with wants = 'different' make more.",
        )
    return StageOutcome(
        taken={"clones": len(clones), "false clones": len(false)},
        given={"detectors": len(options.detectors)},
        left_out={f"without a score by {name}": count for name, count in unscored.items() if count},
        notes=notes,
        details={"recall (Table V)": recall, "with false clones (Table VI)": precision},
    )


def _check(options: DetectorTableOptions) -> None:
    if not options.detectors:
        raise InputError("The stage 'detectors' needs detectors.")
    if options.false_clones < 0:
        raise InputError("The number of false clones is negative.")


STAGE = Stage(
    name="detectors",
    description="Measure detectors of pairs on the accepted clones, and with pairs that are known to be different.",
    options=DetectorTableOptions,
    run=_run,
    reads=("candidates", "benchmark"),
    check=_check,
)
