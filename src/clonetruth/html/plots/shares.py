"""What things have in common, two by two: a triangle of squares, the area of each by the amount."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from clonetruth.html.plots.canvas import WIDTH, Canvas, Labels, Svg, no_data, shorten_start

_LARGEST_CELL = 34.0
_TOLD = 5
"""How many of the largest amounts the description names."""


def share_map(names: Sequence[str], amounts: Mapping[tuple[int, int], float], labels: Labels) -> Svg:
    """A square for each two things that share something, and for a thing that shares with itself on the diagonal.

    Args:
        names: the things, for instance paths.
        amounts: what the things at two places of `names` have in common, each two once, the smaller place first.
        labels: the words of the picture; `labels.x` is the unit of the amounts.
    """
    known = {places: amount for places, amount in amounts.items() if amount > 0}
    if not known:
        return no_data(labels)
    left = 200.0
    cell = min(_LARGEST_CELL, (WIDTH - left) / len(names))
    canvas = Canvas(len(names) * cell + 26)
    most = max(known.values())
    for row, name in enumerate(names):
        middle = row * cell + cell / 2
        canvas.text(left - 8, middle + 4.5, f"{shorten_start(name, left - 40)} {row + 1}", "tick end")
        canvas.text(left + middle, len(names) * cell + 18, str(row + 1), "tick middle")
        canvas.line(left, middle, left + middle, middle, "grid")
        canvas.line(left + middle, middle, left + middle, len(names) * cell, "grid")
    for (first, second), amount in sorted(known.items()):
        side = max(2.0, (cell - 2) * math.sqrt(amount / most))
        x, y = left + first * cell + (cell - side) / 2, second * cell + (cell - side) / 2
        canvas.rect((x, y), (side, side), "s1", _in_words(names, first, second, amount, labels.x))
    largest = sorted(known.items(), key=lambda item: (-item[1], item[0]))[:_TOLD]
    told = "; ".join(_in_words(names, *places, amount, labels.x) for places, amount in largest)
    return canvas.svg(labels.title, labels.description, f"The largest: {told}.")


def _in_words(names: Sequence[str], first: int, second: int, amount: float, unit: str) -> str:
    where = f"within {names[first]}" if first == second else f"{names[first]} and {names[second]}"
    return f"{where}: {amount:,.0f} {unit}".rstrip()
