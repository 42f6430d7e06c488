def walk(rows):
    width = len(rows[0])
    text = "".join((row + "#" * width)[:width] for row in rows)
    far = len(text) + 1
    costs = [far] * len(text)
    if text[0] != "#":
        costs[0] = 0
    for _ in text:
        doors = {d: min((costs[i] for i in range(len(text)) if text[i] == d), default=far) for d in "123"}
        for i, c in enumerate(text):
            if c == "#":
                continue
            around = [doors.get(c, far)]
            if i % width > 0:
                around.append(costs[i - 1])
            if i % width < width - 1:
                around.append(costs[i + 1])
            around += costs[max(i - width, 0) : i - width + 1] if i >= width else []
            around += costs[i + width : i + width + 1]
            costs[i] = min(costs[i], min(around) + 1)
    return costs[-1] if costs[-1] < far else -1
