def decode(numeral):
    order = "IVXLCDM"
    ranks = [order.index(c) for c in numeral]
    total, i, limit = 0, 0, 9
    while i < len(ranks):
        rank = ranks[i]
        run = 1
        while i + run < len(ranks) and ranks[i + run] == rank:
            run += 1
        size = 10 ** (rank // 2) * (5 if rank % 2 else 1)
        if rank >= limit or run > (1 if rank % 2 else 3):
            return -1
        after = ranks[i + run] if i + run < len(ranks) else -1
        if after > rank:
            # a subtraction: I before V or X, X before L or C, C before D or M
            if rank % 2 or run > 1 or after - rank > 2:
                return -1
            total += size * (4 if after == rank + 1 else 9)
            i += 2
            limit = rank
            continue
        total += run * size
        limit = rank
        i += run
    return total or -1
