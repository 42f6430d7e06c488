def expand(field, low, high):
    chosen = set()
    for item in field.split(","):
        span, _, step = item.partition("/")
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = map(int, span.split("-"))
        else:
            first = last = int(span)
        chosen.update(range(first, last + 1, int(step or 1)))
    return sorted(n for n in chosen if low <= n <= high)
