from collections import deque


def steps(rows):
    width, height = len(rows[0]), len(rows)
    field = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row[:width]) if c != "#"}
    goal = (width - 1, height - 1)
    if (0, 0) not in field or goal not in field:
        return -1
    distance = {(0, 0): 0}
    queue = deque([(0, 0)])
    while queue:
        x, y = here = queue.popleft()
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        if field[here] != ".":
            near += [place for place, c in field.items() if c.isdigit()]
        for place in near:
            if place in field and place not in distance:
                distance[place] = distance[here] + 1
                queue.append(place)
    return distance.get(goal, -1)
