def search(roads, start, goal, visited=()):
    """Tries all routes that visit no place twice."""
    if start == goal:
        return 0
    found = []
    for begin, end, price in roads:
        if begin != start or end in visited:
            continue
        rest = search(roads, end, goal, (*visited, start))
        if rest >= 0:
            found.append(price + rest)
    return min(found, default=-1)
