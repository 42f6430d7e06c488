import heapq


def cheapest(roads, start, goal):
    settled = set()
    heap = [(0, start)]
    while heap:
        cost, place = heapq.heappop(heap)
        if place == goal:
            return cost
        if place in settled:
            continue
        settled.add(place)
        for begin, end, price in roads:
            if begin == place and price:
                heapq.heappush(heap, (cost + price, end))
    return -1
