from decimal import ROUND_HALF_EVEN, Decimal


def to_cents(amount):
    rounded = Decimal(amount).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
    return str(abs(rounded) if rounded > 0 else rounded)
