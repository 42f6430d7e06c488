"""Selections: which pairs of the benchmark to find, in which behaviour, and which similarity defines their class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

from clonetruth.errors import InputError

# The two behaviours of BigCloneEval: the published program with its defects, and what it documents.
#
# The defects are numbered as in docs/bigcloneeval.md. Where the published program aborts, requesting its behaviour
# is an error that says so.


class Behaviour(StrEnum):
    """Which program's numbers are reproduced."""

    REPAIRED = "repaired"
    AS_SHIPPED = "as-shipped"


def aborts(defect: str, what: str) -> InputError:
    """The error for an option on which the published program aborts."""
    return InputError(
        f"The published BigCloneEval aborts on {what} (defect {defect}), so there is no number to reproduce.",
        hint="Use --bigcloneeval repaired.",
    )


# Filters and similarity.


class SimilarityType(StrEnum):
    """Which of the two published similarities counts. BigCloneEval writes them TOKEN, LINE, BOTH, AVG."""

    BOTH = "both"
    LINE = "line"
    TOKEN = "token"
    AVERAGE = "average"


@dataclass(frozen=True)
class Selection:
    """The filters of BigCloneEval, each on what the benchmark publishes about a pair.

    Attributes:
        min_lines: minimum number of lines of the smaller function.
        max_lines: maximum number of lines of the larger function.
        min_pretty_lines: minimum number of pretty-printed lines of the smaller function.
        max_pretty_lines: maximum number of pretty-printed lines of the larger function.
        min_tokens: minimum number of tokens of the smaller function.
        max_tokens: maximum number of tokens of the larger function.
        min_judges: minimum number of judges.
        min_confidence: minimum agreement of the judges.
        min_similarity: rows below it are not shown; it does not change the class of a pair.
        similarity: the similarity that sorts pairs into regions.
    """

    min_lines: int | None = None
    max_lines: int | None = None
    min_pretty_lines: int | None = None
    max_pretty_lines: int | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None
    min_judges: int | None = None
    min_confidence: int | None = None
    min_similarity: int = 0
    similarity: SimilarityType = SimilarityType.BOTH

    def __post_init__(self) -> None:
        for name, value in self.filters():
            if value < 0:
                raise InputError(f"{name.replace('_', ' ')} is {value}.", hint="Give 0 or more.")
        for what in ("lines", "pretty_lines", "tokens"):
            least, most = getattr(self, f"min_{what}"), getattr(self, f"max_{what}")
            if least is not None and most is not None and least > most:
                raise InputError(f"No pair has at least {least} and at most {most} {what.replace('_', ' ')}.")
        if self.min_similarity not in range(0, 101, 5):
            raise InputError(
                f"A minimum similarity of {self.min_similarity} is not possible.",
                hint="Give a multiple of 5 from 0 to 100.",
            )

    def filters(self) -> Iterator[tuple[str, int]]:
        """The filters that are set, by the name of the column of `claims` that each applies to."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("min_similarity", "similarity") and value is not None:
                yield field.name, value

    def condition(self, behaviour: Behaviour) -> str:
        """The filters as SQL over the columns of `claims`.

        Raises:
            InputError: the published program aborts on a filter.
        """
        if behaviour is Behaviour.AS_SHIPPED and self.min_confidence is not None:
            raise aborts("D3", "a minimum confidence")
        parts = [f"{name} {'>=' if name.startswith('min') else '<='} {value}" for name, value in self.filters()]
        return " AND ".join(parts) or "true"
