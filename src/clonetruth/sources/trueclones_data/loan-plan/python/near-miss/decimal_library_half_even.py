from decimal import Decimal, ROUND_HALF_UP


def plan(amount, rate, payment):
    balance = Decimal(amount)
    monthly = Decimal(rate) / Decimal(10000)
    months = []
    for _ in range(12):
        interest = (balance * monthly / 12).quantize(Decimal(1), rounding="ROUND_HALF_EVEN")
        balance = max(Decimal(0), balance + interest - payment)
        months.append(int(balance))
        if balance == 0:
            break
    return months
