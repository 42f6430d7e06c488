from collections import deque


def min_edges(neighbours, start, goal):
    todo = deque([(start, 0)])
    seen = {start}
    while todo:
        node, depth = todo.popleft()
        if node == goal:
            return depth
        for other in neighbours[node]:
            if other not in seen:
                seen.add(other)
                todo.append((other, depth + 1))
    return -1
