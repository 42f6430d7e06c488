def distance(links, here, there, visited=()):
    if here == there:
        return 0
    lengths = []
    for neighbour in links[here]:
        if neighbour not in visited:
            rest = distance(links, neighbour, there, (*visited, here))
            if rest >= 0:
                lengths.append(rest + 1)
    return min(lengths, default=-1)
