"""How long to search for a difference."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SearchBudget:
    """How long to search.

    Attributes:
        runs: inputs at most.
        seconds: at most, apart from the last run.
        seed: the same seed gives the same inputs.
        coverage: whether to prefer neighbours of inputs that reach new points of the code.
        mutants: seeded changes to try on each side, to say how many of them the inputs notice; 0: none.
        proof_seconds: for provers, if no difference was found; 0: none are asked.
    """

    runs: int = 200
    seconds: float = 20.0
    seed: int = 0
    coverage: bool = True
    mutants: int = 0
    proof_seconds: float = 0.0
