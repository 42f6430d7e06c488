def union(spans):
    events = []
    for span in spans:
        events.append((min(span), 0))
        events.append((max(span) + 1, 1))
    events.sort()
    depth, out, opened = 0, [], None
    for place, kind in events:
        if kind == 0:
            if depth == 0:
                opened = place
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                out.append([opened, place - 1])
    return out
