import re


def read_numbers(values):
    raw = bytes(values)
    numbers, end = [], 0
    for match in re.finditer(rb"[\x80-\xff]{0,3}[\x00-\x7f]", raw, re.S):
        if match.start() != end:
            break
        end = match.end()
        numbers.append(int("".join(f"{b & 127:06b}" for b in reversed(match.group())), 2))
    return numbers if end == len(raw) else numbers + [-1]
