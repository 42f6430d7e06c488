from itertools import groupby


def compact(ranges):
    numbers = set()
    for a, b in ranges:
        numbers.update(range(min(a, b), max(a, b) + 1))
    result = []
    # value minus rank is constant within a run
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda entry: entry[1] - entry[0]):
        members = [number for _, number in run]
        result.append([members[0], members[-1]])
    return result
