def apportion(seats, votes):
    total = sum(votes)
    if total == 0:
        return [0] * len(votes)
    result = [v * seats // total for v in votes]
    order = sorted(range(len(votes)), key=lambda i: votes[i] * seats, reverse=True)
    for i in order[: seats - sum(result)]:
        result[i] += 1
    return result
