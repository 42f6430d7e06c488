import heapq


def edits(first, second):
    """Dijkstra's search over pairs of positions."""
    goal = (len(first), len(second))
    heap = [(0, 0, 0)]
    settled = set()
    while heap:
        cost, i, j = heapq.heappop(heap)
        if (i, j) == goal:
            return cost
        if (i, j) in settled:
            continue
        settled.add((i, j))
        left, right = first[i:], second[j:]
        if left:
            heapq.heappush(heap, (cost + 1, i + 1, j))
        if right:
            heapq.heappush(heap, (cost + 1, i, j + 1))
        if left and right:
            heapq.heappush(heap, (cost + (left[0] != right[0]), i + 1, j + 1))
        if left[:2] == right[1::-1] and len(left) > 2 and len(right) > 1:
            heapq.heappush(heap, (cost + 1, i + 2, j + 2))
