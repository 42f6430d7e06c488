def route_cost(roads, start, goal):
    cost = [float("inf")] * 7
    cost[start] = 0
    changed = True
    while changed:
        changed = False
        for a, b, price in roads:
            if cost[a] + price < cost[b]:
                cost[b] = cost[a] + price
                changed = True
    return -1 if cost[goal] == float("inf") else cost[goal]
