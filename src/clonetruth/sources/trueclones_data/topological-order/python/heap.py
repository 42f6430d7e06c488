import heapq


def order(successors):
    indegree = [0] * len(successors)
    for targets in successors:
        for target in targets:
            indegree[target] += 1
    ready = [node for node, count in enumerate(indegree) if count == 0]
    result = []
    while ready:
        node = heapq.heappop(ready)
        result.append(node)
        for target in successors[node]:
            indegree[target] -= 1
            if indegree[target] == 0:
                heapq.heappush(ready, target)
    return result if len(result) == len(successors) else []
