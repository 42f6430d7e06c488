"""Java's output: doubles as `Double.toString` prints them, numbers in the order of a `HashSet`.

Scripts have parsed these texts for years, so they must stay the same to the digit and the line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

_FIRST_TABLE = 16
_LOAD_FACTOR = 0.75
_INT, _LONG = (1 << 32) - 1, (1 << 64) - 1


def java_double(number: float) -> str:
    """A number as Java's `Double.toString` writes it: 0.001, 9.99E-4, 1.0E7, NaN.

    The digits are the fewest that distinguish the number from its neighbours, as Java prints them since JDK 19.
    Earlier versions sometimes print more (9.999999999999999E22 for 1.0E23), which reads back as the same number.
    """
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    if number == 0:
        return f"{sign}0.0"
    _, digits, exponent = Decimal(repr(abs(number))).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if 1e-3 <= abs(number) < 1e7:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{text}"
        whole, fraction = text[:point].ljust(point, "0"), text[point:]
        return f"{sign}{whole}.{fraction or '0'}"
    return f"{sign}{text[0]}.{text[1:] or '0'}E{point - 1}"


def java_hash_order(numbers: Sequence[int]) -> list[int]:
    """Distinct integers in the iteration order of a `HashSet<Long>` to which they were added one by one.

    The table has 16 slots and doubles whenever it is more than three quarters full; numbers in the same slot keep
    their insertion order. (Java turns slots of eight or more into a tree; this is not modelled.)
    """
    slots = _FIRST_TABLE
    while len(numbers) > _LOAD_FACTOR * slots:
        slots *= 2
    return sorted(numbers, key=lambda number: _hash(number) & (slots - 1))


def _hash(number: int) -> int:
    """`Long.hashCode` after the bit spreading of `HashMap`."""
    bits = number & _LONG
    folded = (bits ^ (bits >> 32)) & _INT
    return folded ^ (folded >> 16)
