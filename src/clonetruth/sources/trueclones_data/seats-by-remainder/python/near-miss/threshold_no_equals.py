def divide(seats, votes):
    """Finds the rest from which on a party gets one seat more."""
    total = sum(votes)
    if not total:
        return [0 for _ in votes]
    rests = [v * seats % total for v in votes]
    extra = sum(rests) // total
    limit = sorted(rests)[-extra] if extra else total
    above = sum(1 for r in rests if r > limit)
    result = []
    for v, rest in zip(votes, rests):
        got = v * seats // total
        if rest > limit:
            got += 1
        elif rest == limit and above < extra - 1:
            got += 1
            above += 1
        result.append(got)
    return result
