import bisect


def lower_bound(numbers, target):
    return bisect.bisect_left(numbers, target)
