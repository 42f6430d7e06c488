import re


def align(rows):
    padded = []
    for column in zip(*rows):
        width = max(len(cell) for cell in column)
        numeric = all(re.match(r"-?\d+", cell) for cell in column)
        padded.append([cell.rjust(width) if numeric else cell.ljust(width) for cell in column])
    return [" | ".join(line).rstrip(" ") for line in zip(*padded)]
