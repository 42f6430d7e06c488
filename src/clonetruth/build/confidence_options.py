"""The choices of ConBigCloneBench: what the paper leaves open is an option with a default, and is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from clonetruth.build.exemplar_similarity import ExemplarSimilarity, Reference
from clonetruth.build.expansion import Scope
from clonetruth.build.judged_tags import TagAgreement, TagEvidence
from clonetruth.errors import InputError


class Capped(StrEnum):
    """What the cap counts."""

    FRAGMENTS = "fragments"  # all of a functionality, as the paper's words say
    SIDES = "sides"  # those that have the functionality, and those that do not, each


class Negatives(StrEnum):
    """Which exemplars stand in false pairs."""

    ALL = "all"  # those that were merged, too
    ORIGINAL = "original"


@dataclass(frozen=True)
class ConfidenceOptions:
    """How ConBigCloneBench is made.

    Attributes:
        judges: step 1: the people who must agree on a tag; 1 leaves the step out.
        agreement: whether somebody may disagree with them.
        evidence: where the judges are known from; what is there unless told.
        keep_exemplars: exemplars need no judges: they were written as examples, not tagged.
        files: step 2: a folder or archive of the source files; without it the step is left out.
        scope: where called functions are looked for.
        depth: how many calls deep; all unless told.
        threshold: step 3: the line similarity above which a tagged fragment joins the exemplars; None leaves it out.
        likeness: which line similarity.
        reference: similar to whom.
        expanded: the similarity is that of the expanded texts (the order of the paper's steps).
        tagged_pairs: keep pairs between two fragments that are merely tagged true.
        cap: step 4: the most fragments of a functionality; None leaves it out.
        capped: what the cap counts.
        negatives: step 5: which exemplars stand in false pairs.
        seed: of the draw in step 4.
    """

    judges: int = 2
    agreement: TagAgreement = TagAgreement.AT_LEAST
    evidence: TagEvidence | None = None
    keep_exemplars: bool = True
    files: Path | None = None
    scope: Scope = Scope.FILE
    depth: int | None = None
    threshold: float | None = 0.2
    likeness: ExemplarSimilarity = ExemplarSimilarity.MEASURED
    reference: Reference = Reference.EXEMPLARS
    expanded: bool = True
    tagged_pairs: bool = False
    cap: int | None = 500
    capped: Capped = Capped.FRAGMENTS
    negatives: Negatives = Negatives.ALL
    seed: int = 0

    def __post_init__(self) -> None:
        if self.judges < 1:
            raise InputError(f"{self.judges} judges cannot agree.", hint="1 leaves the step out.")
        if self.depth is not None and self.depth < 1:
            raise InputError(f"Calls cannot be followed {self.depth} deep.", hint="Leave --files out instead.")
        if self.threshold is not None and not 0 <= self.threshold < 1:
            raise InputError(f"The threshold is {self.threshold:g}.", hint="It must lie in [0, 1), e.g. 0.2.")
        if self.cap is not None and self.cap < 2:
            raise InputError(f"A cap of {self.cap} leaves no pair.", hint="Choose 2 or more.")
