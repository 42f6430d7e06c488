def balances(amount, rate, payment):
    result = []
    while amount > 0 and len(result) < 11:
        amount += (amount * rate + 60000) // 120000
        amount -= min(amount, payment)
        result.append(amount)
    return result
