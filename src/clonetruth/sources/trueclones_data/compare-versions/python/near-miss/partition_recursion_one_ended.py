def older_or_newer(a: str, b: str) -> int:
    if not a or not b:
        return 0
    head_a, _, tail_a = a.partition(".")
    head_b, _, tail_b = b.partition(".")
    difference = int(head_a or 0) - int(head_b or 0)
    if difference == 0:
        return older_or_newer(tail_a, tail_b)
    return difference // abs(difference)
