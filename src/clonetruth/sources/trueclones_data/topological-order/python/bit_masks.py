def sequence(adjacency):
    n = len(adjacency)
    needs = [0] * n
    for v in range(n):
        for w in adjacency[v]:
            needs[w] |= 1 << v
    taken = 0
    out = []
    while taken != (1 << n) - 1:
        for v in range(n):
            if not taken >> v & 1 and needs[v] & ~taken == 0:
                taken |= 1 << v
                out.append(v)
                break
        else:
            return []
    return out
