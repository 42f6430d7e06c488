def chunked(items, n):
    if n == 1:
        return [items]
    take = -(-len(items) // n)
    return [items[:take]] + chunked(items[take:], n - 1)
