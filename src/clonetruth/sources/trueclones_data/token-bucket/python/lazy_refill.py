def remaining(capacity, interval, times):
    tokens, last = capacity, 0
    result = []
    for now in times:
        # multiples of the interval since the last request
        tokens = min(capacity, tokens + now // interval - last // interval)
        last = now
        if tokens:
            tokens -= 1
            result.append(tokens)
        else:
            result.append(-1)
    return result
