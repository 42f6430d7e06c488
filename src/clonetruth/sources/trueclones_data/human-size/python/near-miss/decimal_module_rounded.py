from decimal import ROUND_HALF_UP, Decimal, getcontext


def describe(number_of_bytes):
    getcontext().prec = 60
    scale = [("PiB", 50), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)]
    unit, bits = next(((u, b) for u, b in scale if number_of_bytes >> b), ("B", 0))
    value = (Decimal(number_of_bytes) / 2**bits).quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
    return str(value).removesuffix(".0") + " " + unit
