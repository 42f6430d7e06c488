"""How each judge did on attention checks, and on pairs that they judged twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from clonetruth.store.study import Study
from clonetruth.store.study_tables import CheckKind
from clonetruth.store.votes.study_votes import has_votes, open_vote_store
from clonetruth.store.votes.vote import ItemKey, ItemKind
from clonetruth.store.votes.vote_store import VoteStore


@dataclass(frozen=True)
class JudgeChecks:
    """The checks of one judge.

    Attributes:
        judge: the judge's pseudonym.
        checks: attention checks answered.
        failed: those of them with another answer than the known one.
        repeats: pairs judged a second time.
        changed: those of them with another answer than the first time.
    """

    judge: str
    checks: int
    failed: int
    repeats: int
    changed: int

    @property
    def answered(self) -> int:
        """The number of checks and repeats."""
        return self.checks + self.repeats

    @property
    def passed(self) -> int:
        """Those of them that were passed."""
        return self.answered - self.failed - self.changed

    def is_below(self, threshold: float | None) -> bool:
        """Whether the share of passed checks is below a threshold; not so without a threshold or checks."""
        return threshold is not None and self.answered > 0 and self.passed < threshold * self.answered


def count_checks(study: Study, store: VoteStore) -> tuple[JudgeChecks, ...]:
    """The results of all judges who have answered a check, by pseudonym."""
    attention = [
        (ItemKey(ItemKind.CHECK, number), expected)
        for number, kind, expected in zip(
            *(study.checks[name].to_pylist() for name in ("check", "kind", "expected")), strict=True
        )
        if kind == CheckKind.ATTENTION
    ]
    votes = store.current_votes()
    counts: dict[str, Counter[str]] = {}

    def count(judge: str, what: str, problem: str, happened: bool) -> None:
        counts.setdefault(judge, Counter()).update({what: 1, problem: int(happened)})

    for item, expected in attention:
        for judge, cast in votes.get(item, {}).items():
            count(judge, "checks", "failed", cast.vote.value != expected)
    for item, by_judge in votes.items():
        if item.kind is not ItemKind.REPEAT:
            continue
        first = votes.get(ItemKey(ItemKind.PAIR, item.number), {})
        for judge, cast in by_judge.items():
            # A first answer that was taken back cannot be compared.
            if judge in first:
                count(judge, "repeats", "changed", cast.vote.value != first[judge].vote.value)
    return tuple(
        JudgeChecks(judge, *(found[name] for name in ("checks", "failed", "repeats", "changed")))
        for judge, found in sorted(counts.items())
    )


def read_checks(study: Study, url: str | None = None) -> tuple[JudgeChecks, ...]:
    """The same, from the votes of a study: in its folder, or at a URL.

    Raises:
        InputError, UnavailableError: as for `open_vote_store`.
    """
    if not has_votes(study.path, url):
        return ()
    with open_vote_store(study.path, url) as store:
        return count_checks(study, store)


def judges_below(checks: Iterable[JudgeChecks], threshold: float | None) -> tuple[str, ...]:
    """The judges who passed a smaller share of their checks than a threshold."""
    return tuple(one.judge for one in checks if one.is_below(threshold))
