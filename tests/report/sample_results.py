"""Made-up but plausible results for the page of an evaluation: full ones, a minimal one, a hostile one."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

from clonetruth.model import Manifest
from clonetruth.store.results import (
    BenchmarkIdentity,
    Correction,
    Curve,
    Disagreement,
    FragmentLocation,
    Measurement,
    MeasurementGroup,
    PolicyUse,
    Result,
    ResultKind,
    Stratum,
)
from tests.report.sample import HOSTILE, LOOP, NEAR_MISS, STREAM

_METHOD = "cluster bootstrap by functionality, 2,000 replicates"
_NAMES = (
    *("Copy a file", "Sort an array", "Parse a date", "Download a page", "Zip a folder", "Send a mail", "Hash a text"),
    *("Play a sound", "Resize a picture", "Open a browser", "Call a method", "Greatest common divisor"),
)
MANIFEST = Manifest(
    inputs={"predictions.csv": "5c1a" * 16},
    configuration={"confidence": 0.95, "replicates": 2000},
    configuration_digest="0f2b" * 16,
    seed=7,
    versions={"clonetruth": "0.1.0", "duckdb": "1.5.0"},
    time="2026-03-01T12:00:00+00:00",
)


def share(name: str, part: int, whole: int, half: float = 0.03) -> Measurement:
    """A share with a made-up interval around it."""
    value = part / whole
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Measurement(name, value, low, high, float(part), whole, _METHOD)


def pairs_result(detector: str = "TwinNet", gain: int = 0) -> Result:
    """A detector that scores pairs, with every part filled; `gain` more clones found."""
    tp, fp, fn, tn = 700 + gain, 90, 300 - gain, 1_910
    headline = (
        share("f1", 2 * tp, 2 * tp + fp + fn),
        share("precision", tp, tp + fp),
        share("recall", tp, tp + fn, 0.05),
        share("specificity", tn, tn + fp, 0.01),
        Measurement("mcc", 0.712, 0.66, 0.76, n=3_000, method=_METHOD),
        Measurement("roc-auc", 0.931, 0.91, 0.95, n=3_000, method=_METHOD),
        Measurement("average-precision", 0.902, 0.87, 0.93, n=3_000, method=_METHOD),
        Measurement("ece", 0.062, n=3_000, note="no interval: it is biased upwards in small bins"),
        Measurement("macro-f1", 0.604, 0.51, 0.69, n=12, method=_METHOD),
        Measurement("macro-recall", None, note="a functionality has no clones"),
    )
    return Result(
        kind=ResultKind.PAIRS,
        detector=detector,
        benchmark=BenchmarkIdentity("street-code", "2.1", "ab12" * 16, "cd34" * 16),
        policy=PolicyUse("default", "same-main-purpose", 3_000, 450, ("A tie of judges is unknown.",)),
        setting={"threshold": "chosen on valid by f1", "missing": "exclude"},
        headline=headline,
        manifest=MANIFEST,
        view="cross-functionality-1",
        part="test",
        baselines=(
            MeasurementGroup(
                "always yes", (share("f1", 2_000, 4_000), share("precision", 1_000, 3_000), share("recall", 1, 1))
            ),
            MeasurementGroup(
                "identifier overlap", (share("f1", 1_300, 2_000), share("precision", 650, 900)), note="at 0.4"
            ),
            MeasurementGroup("length", (share("f1", 1_050, 2_000), share("precision", 500, 1_100)), 3_000, 1_000),
        ),
        strata=(_clone_types(), _functionalities(), _languages()),
        curves=(
            Curve("roc", "1 − specificity", "recall", tuple((k / 20, min(1.0, (k / 20) ** 0.25)) for k in range(21))),
            Curve(
                "precision-recall", "recall", "precision", tuple((k / 20, 1 - 0.5 * (k / 20) ** 3) for k in range(21))
            ),
            Curve("reliability", "score", "share of clones", ((0.1, 0.05), (0.5, 0.4), (0.9, 0.97)), "Ten equal bins."),
        ),
        corrections=_corrections(),
        disagreements=_disagreements(),
        notes=("A prediction counts for each row of its pair.",),
        warnings=("Fewer than ten effective functionalities: the intervals may be too narrow.",),
    )


def _clone_types() -> Stratum:
    rows = (("T1", 90, 90), ("T2", 60, 61), ("ST3", 200, 230), ("WT3_T4", 350, 619))
    groups = tuple(MeasurementGroup(name, (share("recall", part, whole),), whole, whole) for name, part, whole in rows)
    return Stratum("clone type", groups, "Non-clones have no clone type.")


def _functionalities() -> Stratum:
    dice = random.Random(3)
    groups = []
    for rank, name in enumerate(_NAMES):
        clones = 600 // (rank + 1)
        found = dice.randint(clones // 3, clones)
        groups.append(
            MeasurementGroup(
                name, (share("f1", found, clones, 0.1), share("recall", found, clones)), clones * 3, clones
            )
        )
    groups.append(MeasurementGroup("Unknown territory", (Measurement("f1", None),), 0, 0, "no pair has a verdict"))
    return Stratum("functionality", tuple(groups))


def _languages() -> Stratum:
    groups = (
        MeasurementGroup("java–java", (share("f1", 80, 100),), 2_000),
        MeasurementGroup("java–python", (share("f1", 30, 100),), 1_000),
    )
    return Stratum("language pair", groups)


def _corrections() -> tuple[Correction, ...]:
    errors = (share("wrong-positive-labels", 93, 100, 0.04),)
    return (
        Correction(
            "independent",
            "Label errors are independent of what the detector finds.",
            (share("precision", 60, 1_000), share("recall", 883, 1_000), share("f1", 112, 1_000)),
            errors,
        ),
        Correction(
            "bounds",
            "Nothing is assumed of the wrong labels.",
            (share("precision", 60, 1_000), Measurement("recall", None, 0.1, 0.97)),
            errors,
            "Recall is only bounded.",
        ),
    )


def _disagreements() -> tuple[Disagreement, ...]:
    one = FragmentLocation("f1", "java", "a/Words.java", 10, 22, LOOP)
    other = FragmentLocation("f2", "java", "b/Words.java", 3, 15, NEAR_MISS)
    third = FragmentLocation("f3", "java", "c/Flip.java", 1, 5, STREAM)
    return (
        Disagreement(one, other, "not-clone", "clone", 0.981, "the highest score of a non-clone", "ST3", "Words"),
        Disagreement(one, third, "clone", "not-clone", 0.021, "the lowest score of a clone", "WT3_T4", "Words"),
        Disagreement(FragmentLocation("f4"), FragmentLocation("f5"), "clone", "not-clone"),
    )


def locations_result(detector: str = "CloneHound", weight: int = 1) -> Result:
    """A tool that reports locations, evaluated in both behaviours."""
    repaired, shipped = _recall(weight, 0), _recall(weight, 3)
    types = {name: cell for name, cell in repaired["overall"]["types"]["all"].items() if not name.startswith("T2_")}
    (detected, total), (some, some_total) = (
        (sum(types[name][0] for name in names), sum(types[name][1] for name in names))
        for names in (types, [name for name in types if name != "WT3_T4"])
    )
    return Result(
        kind=ResultKind.LOCATIONS,
        detector=detector,
        benchmark=BenchmarkIdentity("bigclonebench", "2.0", "ef56" * 16),
        policy=PolicyUse("origin", "shares-functionality", total, 0, ("The dataset's own labels are believed.",)),
        setting={"behaviour": "repaired", "matcher": "coverage 0.7", "min_lines": 6, "min_tokens": 50},
        headline=(
            share("recall", detected, total),
            share("recall-type-1-to-3", some, some_total),
            *(share(f"recall-{name}", cell[0], cell[1]) for name, cell in types.items()),
            Measurement("precision-lower-bound", 0.31, n=5_000),
            Measurement("precision-upper-bound", 0.97, n=5_000),
            Measurement("reported-judged", 0.34, n=5_000, note="Unjudged pairs are neither right nor wrong."),
        ),
        manifest=MANIFEST,
        strata=(_clone_types(), _located_functionalities()),
        recall={"as-shipped": shipped, "repaired": repaired},
        warnings=("12 rows of the report were skipped: they name unknown files.",),
    )


def _located_functionalities() -> Stratum:
    dice = random.Random(5)
    totals = [10_000 // (rank + 1) for rank in range(len(_NAMES))]
    groups = (
        MeasurementGroup(name, (share("recall", dice.randint(0, n), n),))
        for name, n in zip(_NAMES, totals, strict=True)
    )
    return Stratum("functionality", tuple(groups))


def _recall(weight: int, lost: int) -> dict[str, Any]:
    parts = {str(key): _breakdown(key, weight, lost) for key in (2, 5, 11, 44)}
    return {"imported_pairs": 5_000, "overall": _breakdown(9, weight, lost), "functionalities": parts}


def _breakdown(key: int, weight: int, lost: int) -> dict[str, Any]:
    def cell(ease: int, total: int) -> list[Any]:
        detected = max(0, min(total, total * (ease + weight - lost) // 10))
        return [detected, total, detected / total if total else None]

    types = {"T1": (9, 50), "T2": (8, 40), "T2_blind": (8, 15), "T2_consistent": (8, 25), "VST3": (7, 30)}
    types |= {"ST3": (6, 60), "MT3": (3, 90), "WT3_T4": (0, 4_000)}
    rows = {name: cell(ease, total * key) for name, (ease, total) in types.items()}
    regions = {f"{low}-{low + 5}": cell(low // 10, (100 - low) * key if low != 35 else 0) for low in range(0, 100, 5)}
    above = {f"{low}-100": cell(low // 10, (100 - low) * key * 4) for low in range(0, 100, 5)}
    scopes = ("all", "inter", "intra")
    return {
        "types": dict.fromkeys(scopes, rows),
        "regions": dict.fromkeys(scopes, regions),
        "min_similarity": dict.fromkeys(scopes, above),
    }


def minimal_result() -> Result:
    """Nothing that may be missing is there."""
    manifest = Manifest({}, {}, "00" * 32, None, {}, "2026-03-01T12:00:00+00:00")
    return Result(
        kind=ResultKind.PAIRS,
        detector="guess",
        benchmark=BenchmarkIdentity("answers.txt"),
        policy=PolicyUse("answers-file", None, 10, 0),
        setting={},
        headline=(Measurement("f1", None),),
        manifest=manifest,
    )


def hostile_result() -> Result:
    """Every text of a full result is made to break out of its place."""
    poisoned: Result = _poisoned(pairs_result())
    return poisoned


def _poisoned(value: Any, name: str = "") -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kept = {field.name: _poisoned(getattr(value, field.name), field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **kept)
    if isinstance(value, tuple) and not isinstance(value, str):
        return tuple(_poisoned(one, name) for one in value)
    if type(value) is str and name != "name":
        return f"{value} {HOSTILE}"
    if isinstance(value, dict):
        return {f"{key} {HOSTILE}": _poisoned(one) for key, one in value.items()}
    return value
