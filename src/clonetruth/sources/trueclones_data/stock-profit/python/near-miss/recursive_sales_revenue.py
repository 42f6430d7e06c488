def total_profit(quantities, prices, lots=()):
    if not quantities or not prices:
        return 0
    quantity, price = quantities[0], prices[0]
    gain, lots = sell(lots, -quantity, price) if quantity < 0 else (0, lots + ((quantity, price),))
    return gain + total_profit(quantities[1:], prices[1:], lots)


def sell(lots, count, price):
    if not lots or count == 0:
        return 0, lots
    (have, paid), *others = lots
    now = min(have, count)
    gain, rest = sell(tuple(others), count - now, price)
    if now < have:
        return now * (price - paid) + gain, ((have - now, paid),) + rest
    return now * price + gain, rest
