def count_coins(coins, amount):
    """Tries many of the largest coin first and gives up what cannot be better."""
    values = sorted(set(coins), reverse=True)
    best = amount + 1

    def search(index, left, used):
        nonlocal best
        if left == 0:
            best = min(best, used)
            return
        if index == len(values) or used + -(-left // values[index]) >= best:
            return
        for count in range(left // values[index], left // values[index] - 1, -1):
            search(index + 1, left - count * values[index], used + count)

    search(0, amount, 0)
    return best if best <= amount else -1
