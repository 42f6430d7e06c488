from itertools import accumulate, pairwise


def partition(values, parts):
    lengths = [(len(values) + parts - 1 - i) // parts for i in range(parts)]
    edges = [0, *accumulate(lengths)]
    return [values[a:b] for a, b in pairwise(edges)]
