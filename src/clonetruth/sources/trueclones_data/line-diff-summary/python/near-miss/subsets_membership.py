from itertools import combinations


def count_changes(first, second):
    for size in range(min(len(first), len(second)), -1, -1):
        for chosen in combinations(first, size):
            remaining = list(second)
            if all(line in remaining for line in chosen):
                return [size, len(first) - size, len(second) - size]
