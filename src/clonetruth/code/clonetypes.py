"""Clone types, under a named cut rule.

T1  equal except for comments and layout
T2  equal under a one-to-one renaming (consistent), or in the blind form (blind)
VST3, ST3, MT3, WT3/T4  by similarity: [0.9, 1), [0.7, 0.9), [0.5, 0.7), [0, 0.5)

Public datasets use the same names for different cuts: by the smaller of both similarities (BigCloneBench's
"both", Toma), by their mean (ASTNN), by one of them. So the rule is always recorded with the type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.code.forms import FragmentForms
from clonetruth.code.similarity import Floats, PairMeasures, Similarity, similarity
from clonetruth.registry import Registry


@dataclass(frozen=True)
class CutRule:
    """How similarities become a clone type.

    Args:
        name: its name in tables and options.
        meaning: what it does, in one sentence.
        value: combines line and token similarity into one number.
        bands: (lower bound, type) from high to low; a value belongs to the first band whose bound it reaches.
        across_languages: the type of a pair in two languages, which has no similarity; None for no type.
    """

    name: str
    meaning: str
    value: Callable[[Floats, Floats], Floats]
    bands: tuple[tuple[float, str], ...] = ((0.9, "VST3"), (0.7, "ST3"), (0.5, "MT3"), (0.0, "WT3/T4"))
    across_languages: str | None = None

    def types(self, measures: PairMeasures) -> npt.NDArray[np.str_]:
        """The type of every measured pair."""
        value = self.value(measures.line, measures.token)
        blind = np.minimum(measures.line, measures.token) >= 1
        return np.select(
            [measures.syntactic == 1, (measures.syntactic == 2) | blind]
            + [value >= bound for bound, _ in self.bands[:-1]],
            ["T1", "T2", *(name for _, name in self.bands[:-1])],
            default=self.bands[-1][1],
        )


def _mean(line: Floats, token: Floats) -> Floats:
    mean: Floats = (line + token) / 2
    return mean


MIN = CutRule("min", "The smaller of line and token similarity (BigCloneBench's 'both').", np.minimum)
LINE = CutRule("line", "Line similarity alone.", lambda line, _: line)
TOKEN = CutRule("token", "Token similarity alone.", lambda _, token: token)
MEAN = CutRule("mean", "The mean of line and token similarity (BigCloneEval's AVG, ASTNN).", _mean)
GPTCLONEBENCH = CutRule(
    "gptclonebench",
    "GPTCloneBench's cuts: Type-3 is [0.5, 0.75], Type-4 below and across languages; above 0.75 is syntactic. "
    "They are applied to BigCloneBench's line similarity, where the authors used NiCad's.",
    lambda line, _: line,
    # The grey area includes 0.75 itself, so the syntactic band begins right above it.
    ((0.9, "VST3"), (float(np.nextafter(0.75, 1)), "ST3"), (0.5, "T3"), (0.0, "T4")),
    across_languages="T4",
)

CUT_RULES: Registry[CutRule] = Registry(
    "cut rule",
    {
        "min": "clonetruth.code.clonetypes:MIN",
        "line": "clonetruth.code.clonetypes:LINE",
        "token": "clonetruth.code.clonetypes:TOKEN",
        "mean": "clonetruth.code.clonetypes:MEAN",
        "gptclonebench": "clonetruth.code.clonetypes:GPTCLONEBENCH",
    },
    group="clonetruth.cut_rules",
    of=CutRule,
    aliases={"both": "min", "avg": "mean"},
)


@dataclass(frozen=True)
class CloneType:
    """What kind of textual clone a pair is.

    Args:
        name: T1, T2, VST3, ST3, MT3, WT3/T4 (other rules may use other names below T2).
        cut_rule: the rule that was used.
        similarity: both similarities.
        renaming: for T2, whether it is `consistent` or only `blind`.
    """

    name: str
    cut_rule: str
    similarity: Similarity
    renaming: str | None = None


def clone_type(left: FragmentForms, right: FragmentForms, rule: str = "min") -> CloneType:
    """Return the clone type of one pair."""
    measured = similarity(left, right)
    syntactic = 1 if left.type1 == right.type1 else 2 if left.consistent == right.consistent else 3
    one = PairMeasures(np.array([measured.line]), np.array([measured.token]), np.array([syntactic], dtype=np.uint8))
    name = str(CUT_RULES[rule].types(one)[0])
    renaming = ("consistent" if syntactic == 2 else "blind") if name == "T2" else None
    return CloneType(name, CUT_RULES[rule].name, measured, renaming)


TYPE_MEANINGS: Mapping[str, str] = {
    "T1": "equal but for comments and layout",
    "T2": "equal but for names and literals",
    "VST3": "very strongly Type-3, similarity in [0.9, 1)",
    "ST3": "strongly Type-3, similarity in [0.7, 0.9)",
    "MT3": "moderately Type-3, similarity in [0.5, 0.7)",
    "WT3/T4": "weakly Type-3 or Type-4, similarity below 0.5",
    "T3": "Type-3, similarity in [0.5, 0.75] (GPTCloneBench)",
    "T4": "Type-4, similarity below 0.5 or in different languages (GPTCloneBench)",
}
