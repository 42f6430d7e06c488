import re


def positions(ranges, size):
    found = []
    for a, b, tail in re.findall(r"(\d+)-(\d*)|-(\d+)", ranges):
        if tail:
            count = min(int(tail), size)
            low, high = size - count, size - 1
        else:
            low, high = int(a), int(b or int(a) + 9)
        high = min(high, size - 1)
        if low <= high:
            found.append([low, high])
    return found
