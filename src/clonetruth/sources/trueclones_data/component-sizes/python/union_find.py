from collections import Counter


def groups(adjacency):
    parent = list(range(len(adjacency)))

    def root(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, neighbours in enumerate(adjacency):
        for b in neighbours:
            parent[root(a)] = root(b)
    return [size for _, size in Counter(map(root, parent)).most_common()]
