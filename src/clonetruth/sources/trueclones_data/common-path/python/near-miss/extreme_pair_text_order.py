from itertools import takewhile


def shared_path(paths):
    """The first and the last in the order of their components differ as early as any two."""
    if not paths:
        return ""
    lists = [path.split("/") for path in paths]
    low, high = lists[0], max(lists)
    same = [a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(low, high))]
    joined = "/".join(same)
    if joined == "" and same and min(map(len, paths)) > 0:
        return "/"
    return joined
