from itertools import islice


def remaining(amount, rate, payment):
    return list(islice(months(amount, rate, payment), 12))


def months(balance, rate, payment):
    while balance:
        whole, rest = divmod(balance * rate, 120000)
        if 2 * rest >= 120000:
            whole += 1
        balance = balance + whole
        if balance > payment:
            balance -= payment
        else:
            return
        yield balance
