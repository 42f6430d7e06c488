def collapse(n, base):
    # The sum of the digits is n - (base - 1) * (n // base + n // base^2 + ...).
    history = [n]
    while history[-1] >= base:
        current = history[-1]
        quotients = 0
        power = base
        while power <= current:
            quotients += current // power
            power *= power
        history.append(current - (base - 1) * quotients)
    return [history[-1], len(history) - 1]
