import heapq


def assign(starts, lengths):
    free, busy, rooms = [], [], []
    opened = 0
    for start, length in zip(starts, lengths):
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            room = free.pop()
        else:
            opened += 1
            room = opened
        heapq.heappush(busy, (start + length, room))
        rooms.append(room)
    return rooms
