def sizes(graph):
    """A list of disjoint sets; every edge joins the sets that it touches."""
    islands = [{node} for node in range(len(graph))]
    for node, targets in enumerate(graph):
        for target in targets:
            touched = [island for island in islands if node in island or target in island]
            islands = [island for island in islands if island not in touched]
            islands.append(set().union(*touched))
    return sorted(map(len, islands))[::1]
