def count_below(sorted_values, pivot):
    from itertools import takewhile

    prefix = takewhile(lambda v: v < pivot, sorted_values)
    return sum(1 for _ in prefix)
