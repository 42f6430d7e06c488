"""What judged samples have shown about the labels of published sets. Every entry cites its source.

For a set that is not listed here we know of no judged sample: the quality of its labels is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clonetruth.verdicts.judged_labels import LABEL_FAMILIES, JudgedLabels


@dataclass(frozen=True)
class PublishedSample:
    """A published judged sample of a set's clone labels.

    Attributes:
        sets: the sets with these labels, as `clonetruth sources` names them.
        sample: what was sampled.
        criterion: what the judges were asked.
        wrong: number of pairs that are labelled clones and were judged not to be.
        judged: number of pairs in the sample.
        judges: who judged, and how well they agreed.
        source: where this is published.
        note: what to know before using it.
        clone_type: the clone type of all sampled pairs; empty for any.
    """

    sets: frozenset[str]
    sample: str
    criterion: str
    wrong: int
    judged: int
    judges: str
    source: str
    note: str
    clone_type: str = ""

    def labels(self, name: str) -> JudgedLabels:
        """The judged labels, as those of the set `name`."""
        return JudgedLabels(
            name=name,
            criterion=self.criterion,
            sample=self.sample,
            judges=self.judges,
            source=self.source,
            label=np.ones(self.judged, np.bool_),
            clone=np.arange(self.judged) >= self.wrong,
            clone_type=[self.clone_type] * self.judged,
            pair=np.full(self.judged, -1),
            stratum=[""] * self.judged,
            note=self.note,
        )


PUBLISHED_SAMPLES: tuple[PublishedSample, ...] = (
    PublishedSample(
        sets=LABEL_FAMILIES["BigCloneBench"] - {"bcb406", "iwsc100"},
        sample="weak Type-3/Type-4 pairs that BigCloneBench labels clones",
        criterion="same-main-purpose",
        wrong=379,
        judged=406,
        judges="two authors of the study; they agreed on 364 pairs (kappa 0.476) and settled the others by discussion",
        source="J. Krinke, C. Ragkhitwetsagul: How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        note=(
            "The sample is proportional over functionalities, with 20 pairs added for those without any; without these "
            "20 it is 365 of 386. It does not cover Type-1 to strong Type-3 pairs, 5 % of BigCloneBench's clones."
        ),
        clone_type="WT3/T4",
    ),
    PublishedSample(
        sets=frozenset({"semanticclonebench"}),
        sample="Java pairs that SemanticCloneBench labels clones",
        criterion="functionally-similar",
        wrong=42,
        judged=100,
        judges="two evaluators (kappa 0.618), and a third where they differed",
        source="A Comparative Analysis of Clone Detection Techniques on SemanticCloneBench. IWSC 2022 (its labels).",
        note="Java only. Two authors of another study judged 115 and 122 of about 280 Java pairs not to be clones.",
    ),
)


def published_samples(name: str) -> tuple[JudgedLabels, ...]:
    """The published judged samples of a set's labels; empty where none is known."""
    return tuple(one.labels(name) for one in PUBLISHED_SAMPLES if name in one.sets)
