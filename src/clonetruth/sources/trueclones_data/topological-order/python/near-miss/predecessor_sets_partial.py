def topological(graph):
    waiting = {node: set() for node in range(len(graph))}
    for node, following in enumerate(graph):
        for other in following:
            waiting[other].add(node)
    done = []
    while waiting:
        free = min((node for node, needs in waiting.items() if not needs), default=None)
        if free is None:
            return done
        done.append(free)
        del waiting[free]
        for needs in waiting.values():
            needs.discard(free)
    return done
