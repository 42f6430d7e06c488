import re


def in_natural_order(items):
    decorated = []
    for position, item in enumerate(items):
        padded = re.sub("[0-9]+", lambda m: m.group().lstrip("0").rjust(8, "0") + "!", item)
        decorated.append((padded, position, item))
    decorated.sort()
    return [item for _, _, item in decorated]
