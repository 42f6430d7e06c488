import heapq


def shortest(rows):
    """Each digit is a place of its own: half a step into it and half a step out of it."""
    wide = len(rows[0])
    cells = {}
    for r, row in enumerate(rows):
        for c in range(min(wide, len(row))):
            cells[r, c] = row[c]
    heap, best = [(0, (0, 0))], {}
    while heap:
        cost, place = heapq.heappop(heap)
        if place in best or cells.get(place, "#") == "#" and not isinstance(place, str):
            continue
        best[place] = cost
        if isinstance(place, str):
            for cell, letter in cells.items():
                if letter == place:
                    heapq.heappush(heap, (cost + 1, cell))
            continue
        r, c = place
        for one in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
            heapq.heappush(heap, (cost + 2, one))
        if cells[place] != "." and cells[place] not in best:
            heapq.heappush(heap, (cost, cells[place]))
    end = best.get((len(rows) - 1, wide - 1))
    return -1 if end is None else end // 2
