"""What the metric models read from a fragment, and which pairs their filters let through."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clonetruth.code import Language, fragment_profile
from clonetruth.training.metric_models.call_links import CallLinks

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|\[\]")
NO_WORDS: tuple[str, ...] = ()
"""Metric models know no words."""


@dataclass(frozen=True, eq=False)
class MeasuredFragment:
    """The numbers of a fragment.

    Attributes:
        values: its metrics.
        tokens: its size.
        actions: what it calls and accesses, with counts.
    """

    values: tuple[float, ...]
    tokens: int
    actions: Mapping[str, int] = field(repr=False)


def measure(
    text: str, language: Language, metrics: Sequence[str], *, parts: bool = False, links: CallLinks | None = None
) -> MeasuredFragment | None:
    """Measure a fragment; None for one without a token.

    Args:
        text: its text.
        language: its language.
        metrics: the names of the metrics (`code.metrics.FragmentMetrics`).
        parts: compare calls by the parts of their names: `readLine` and `read_line` have the same.
        links: calls that count as the same, whatever their names.
    """
    profile = fragment_profile(text, language)
    if not profile.metrics.tokens:
        return None
    actions = [one.decode("utf-8", errors="replace") for one in profile.actions]
    known = [(links or {}).get((language.name, action)) for action in actions]
    linked = [one for one in known if one is not None]
    actions = [action for action, one in zip(actions, known, strict=True) if one is None]
    if parts:
        actions = [part.lower() for action in actions for part in _PARTS.findall(action)]
    actions += linked
    values = tuple(float(getattr(profile.metrics, name)) for name in metrics)
    return MeasuredFragment(values, profile.metrics.tokens, dict(sorted(Counter(actions).items())))


def passes(one: MeasuredFragment, other: MeasuredFragment, size: float, actions: float) -> bool:
    """Whether two fragments are near enough to be compared.

    Args:
        one: a fragment.
        other: another one.
        size: the least ratio of their numbers of tokens.
        actions: the least share of common actions, of the fragment with more.
    """
    small, large = sorted((one.tokens, other.tokens))
    if small < size * large:
        return False
    most = max(sum(one.actions.values()), sum(other.actions.values()))
    shared = sum(min(count, other.actions.get(action, 0)) for action, count in one.actions.items())
    return most == 0 or shared >= actions * most


def no_words(readings: Sequence[object], own: object) -> tuple[str, ...]:
    """See `NetworkLearner.words`."""
    return NO_WORDS
