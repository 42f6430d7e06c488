"""Counters in classes of Java that say something about coverage: those of the called method and of methods it calls."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clonetruth.code import language
from clonetruth.execution.harness.called_functions import called_functions, function_name
from clonetruth.execution.harness.harness import Observation


def reachable_points(text: str, entry: str, answer: Mapping[str, Any]) -> frozenset[int]:
    """The counters that a call of a method can reach, as far as names say; all of them if the method is not found.

    Args:
        text: what was compiled.
        entry: the name of the method.
        answer: of the compiling process, with the counters of each method.
    """
    root = language("java").parser.parse(text.encode("utf-8", "surrogateescape")).root_node
    names = {function_name(one) for one in called_functions(root, entry)}
    found = [range(int(first), int(end)) for name, first, end in answer["methods"] if name in names]
    return frozenset(itertools.chain.from_iterable(found or [range(int(answer["points"]))]))


def counted(seen: Sequence[Observation], points: frozenset[int], every: int) -> tuple[Observation, ...]:
    """Observations without counters that do not count.

    Args:
        seen: the observations.
        points: the counters that count.
        every: the number of all counters.
    """
    if len(points) == every:
        return tuple(seen)
    return tuple(
        replace(one, reached=tuple(point for point in one.reached if point in points)) if one.reached else one
        for one in seen
    )
