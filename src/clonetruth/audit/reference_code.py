"""What code of real projects looks like, as quantiles: measured once, so that no corpus has to be shipped.

A user's own corpus is better (`clonetruth audit --reference BENCHMARK`); `bench/measure_reference.py` made these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MEASURES = ("lines", "tokens", "distinct names", "calls", "mean length of a name")
"""Lines with code; tokens without comments; distinct names; names before a bracket (the declaration counts as one)."""

QUANTILES = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True)
class ReferenceCode:
    """A corpus of real code.

    Args:
        title: what it is, in a few words.
        functions: how many functions were measured.
        quantiles: of each measure, at `QUANTILES`.
    """

    title: str
    functions: int
    quantiles: Mapping[str, tuple[float, ...]]


REFERENCES: Mapping[str, ReferenceCode] = {
    # IJaDataset holds 25,000 open-source projects, and is what Li et al. compare with; these are the functions of
    # its BigCloneBench part, so everyday functionalities (files, networks, sorting) are more frequent than elsewhere.
    "java": ReferenceCode(
        "real Java projects (IJaDataset)",
        22_723,
        {
            "lines": (3, 4, 6, 8, 9, 11, 12, 14, 16, 18, 20, 22, 25, 28, 32, 37, 44, 56, 83),
            "tokens": (16, 34, 49, 62, 74, 87, 99, 113, 127, 143, 162, 182, 203, 233, 264, 310, 374, 484.8, 756),
            "distinct names": (4, 7, 9, 12, 13, 15, 17, 19, 21, 23, 25, 27, 29, 33, 36, 40, 47, 55, 72),
            "calls": (1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 16, 18, 21, 24, 29, 34, 45, 64),
            "mean length of a name": (
                6.4,
                7,
                7.353,
                7.643,
                7.861,
                8.057,
                8.273,
                8.5,
                8.667,
                8.871,
                9.083,
                9.286,
                9.519,
                9.786,
                10.1,
                10.47,
                10.95,
                11.53,
                12.6,
            ),
        },
    ),
    "python": ReferenceCode(
        "real Python code (the standard library)",
        13_435,
        {
            "lines": (2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 9, 10, 12, 14, 17, 21, 27, 41),
            "tokens": (11, 13, 15, 17, 20, 22, 25, 28, 31, 35, 39, 45, 51, 60, 71, 87, 108, 139, 208),
            "distinct names": (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 14, 16, 20, 27),
            "calls": (1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 8, 10, 15),
            "mean length of a name": (
                4.4,
                5,
                5.25,
                5.5,
                5.778,
                6,
                6.286,
                6.5,
                6.75,
                7,
                7.229,
                7.5,
                7.75,
                8,
                8.375,
                8.793,
                9.25,
                9.818,
                10.91,
            ),
        },
    ),
}
