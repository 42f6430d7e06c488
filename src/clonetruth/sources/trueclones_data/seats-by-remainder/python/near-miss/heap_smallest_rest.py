import heapq


def seats_by_remainder(seats, votes):
    total = sum(votes)
    queue, result = [], []
    for index, count in enumerate(votes):
        whole, rest = divmod(count * seats, total) if total else (0, 0)
        result.append(whole)
        heapq.heappush(queue, (rest, index))
    remaining = seats - sum(result) if total else 0
    for _ in range(remaining):
        _, index = heapq.heappop(queue)
        result[index] += 1
    return result
