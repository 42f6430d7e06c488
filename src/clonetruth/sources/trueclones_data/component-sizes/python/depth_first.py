def component_sizes(links):
    both = [set(row) for row in links]
    for node, row in enumerate(links):
        for other in row:
            both[other].add(node)
    seen = set()

    def visit(node):
        seen.add(node)
        return 1 + sum(visit(other) for other in both[node] if other not in seen)

    sizes = [visit(node) for node in range(len(links)) if node not in seen]
    return sorted(sizes, reverse=True)
