def steps_to(adjacency, a, b):
    masks = [sum({1 << t for t in targets}) for targets in adjacency]
    reached = 1 << a
    for steps in range(len(adjacency)):
        if reached >> b & 1:
            return steps
        grown = reached
        for node, mask in enumerate(masks):
            if reached >> node & 1:
                grown |= mask
        reached = grown
    return -1
