def from_gray(g):
    # each step doubles the number of places over which the bits are combined
    for distance in (1, 2, 4, 8, 16):
        g ^= g >> distance
    return g
