def gains(quantities, prices):
    stock, result = [], 0
    for count, price in zip(quantities, prices):
        stock += [price] * count
        gone, stock = (stock[:-count], stock[-count:]) if count < 0 else ([], stock)
        result += sum(price - paid for paid in gone)
    return result
