def first_order(after):
    """Backtracking: the first complete order in lexicographic order, or nothing."""
    n = len(after)

    def extend(chosen):
        if len(chosen) == n:
            return chosen
        for node in range(n):
            blocked = any(node in after[other] for other in range(n) if other not in chosen)
            if node not in chosen and not blocked:
                return extend(chosen + [node])
        return []

    return extend([])
