"""What judged samples show about the labels of published sets. Every entry cites its source.

For a set that is not listed here we know of no judged sample: the quality of its labels is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.evaluate.labels.correction import label_error
from clonetruth.store.results import Measurement


@dataclass(frozen=True)
class KnownQuality:
    """A judged sample of a set's clone labels.

    Attributes:
        sets: the sets with these labels, as `clonetruth sources` names them.
        sample: what was sampled.
        criterion: what the judges were asked.
        wrong: number of pairs that are labelled clones and were judged not to be.
        judged: number of pairs in the sample.
        judges: who judged, and how well they agreed.
        source: where this is published.
        note: what to know before using it.
    """

    sets: tuple[str, ...]
    sample: str
    criterion: str
    wrong: int
    judged: int
    judges: str
    source: str
    note: str

    def error_rate(self) -> Measurement:
        """The share of wrong clone labels, with Wilson's interval."""
        return label_error([True] * self.wrong + [False] * (self.judged - self.wrong))


@dataclass(frozen=True)
class KnownLeak:
    """A known leak between the parts of a set, and where it is published."""

    sets: tuple[str, ...]
    finding: str
    source: str


_FROM_BIGCLONEBENCH = (
    "bigclonebench",
    "bigclonebench-functions",
    "astnn",
    "toma",
    "zhengly1",
    "codexglue-bcb",
    "absbigclonebench",
    "graphmatch",
    "bcb-extract",
)

KNOWN_QUALITY: tuple[KnownQuality, ...] = (
    KnownQuality(
        sets=_FROM_BIGCLONEBENCH,
        sample="weak Type-3/Type-4 pairs that BigCloneBench labels clones",
        criterion="same-main-purpose",
        wrong=379,
        judged=406,
        judges="two authors of the study; they agreed on 364 pairs (kappa 0.476) and settled the others by discussion",
        source="J. Krinke, C. Ragkhitwetsagul: How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        note=(
            "The sample is proportional over functionalities, with 20 pairs added for those without any; without these "
            "20 it is 365 of 386. It does not cover Type-1 to strong Type-3 pairs, 5 % of BigCloneBench's clones: for "
            "a number over all types it holds if weak pairs are as frequent there."
        ),
    ),
    KnownQuality(
        sets=("semanticclonebench",),
        sample="Java pairs",
        criterion="functionally-similar",
        wrong=42,
        judged=100,
        judges="two evaluators (kappa 0.618), and a third where they differed",
        source="A Comparative Analysis of Clone Detection Techniques on SemanticCloneBench. IWSC 2022 (its labels).",
        note="Java only. Two authors of another study judged 115 and 122 of about 280 Java pairs not to be clones.",
    ),
)

KNOWN_LEAKS: tuple[KnownLeak, ...] = (
    KnownLeak(
        sets=("codexglue-bcb", "graphmatch"),
        finding=(
            "The training and test parts share all functionalities. CodeBERT, fine-tuned on them, loses about 27 "
            "points of F1 on other functions of partly the same functionalities, and about 47 on other functionalities."
        ),
        source=(
            "T. Sonnekalb, B. Gruner, C.-A. Brust, P. Mäder: Generalizability of Code Clone Detection on CodeBERT. "
            "ASE 2022."
        ),
    ),
)


def known_leaks(name: str) -> tuple[KnownLeak, ...]:
    """The known leaks of a set; empty where none is known."""
    return tuple(one for one in KNOWN_LEAKS if name in one.sets)


def known_quality(name: str) -> tuple[KnownQuality, ...]:
    """The judged samples of a set's labels; empty where none is known."""
    return tuple(one for one in KNOWN_QUALITY if name in one.sets)
