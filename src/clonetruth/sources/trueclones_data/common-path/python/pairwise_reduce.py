from functools import reduce


def longest(paths):
    def meet(left, right):
        count = 0
        while count < min(len(left), len(right)) and left[count] == right[count]:
            count += 1
        return left[:count]

    if not paths:
        return ""
    parts = reduce(meet, [path.split("/") for path in paths])
    text = "/".join(parts)
    return text or "/" * all(paths) * len(parts)
