from calendar import monthrange


def pick(year, month, weekday, n):
    first, length = monthrange(year, month)
    matching = list(filter(lambda day: (first + day - 1) % 7 == weekday, range(1, length + 1)))
    if n < 0:
        matching.reverse()
    chosen = matching[abs(n) - 1 : abs(n)] if n else []
    return sum(chosen)
