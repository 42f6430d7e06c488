def spiral_order(m):
    """First row, then the spiral of what is left, turned by a quarter."""
    if not m:
        return []
    first, *rest = m
    return list(first) + spiral_order(list(zip(*rest))[::-1])
