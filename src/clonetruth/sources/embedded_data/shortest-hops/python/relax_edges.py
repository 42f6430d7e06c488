def hop_count(graph, source, target):
    """Bellman and Ford with all weights 1."""
    infinity = float("inf")
    cost = [infinity] * len(graph)
    cost[source] = 0
    changed = True
    while changed:
        changed = False
        for u, successors in enumerate(graph):
            for v in successors:
                if cost[u] + 1 < cost[v]:
                    cost[v] = cost[u] + 1
                    changed = True
    return -1 if cost[target] == infinity else cost[target]
