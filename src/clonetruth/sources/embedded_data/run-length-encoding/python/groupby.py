import itertools


def encode(text):
    parts = []
    for letter, run in itertools.groupby(text):
        parts.append(f"{letter}{len(list(run))}")
    return "".join(parts)
