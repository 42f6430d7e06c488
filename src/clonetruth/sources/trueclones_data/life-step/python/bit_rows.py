def evolve(grid):
    """Rows are numbers; neighbours are added up with shifted rows."""
    width = len(grid[0])
    mask = (1 << width) - 1
    rows = [0] + [int("".join(map(str, row)), 2) for row in grid] + [0]
    out = []
    for y in range(1, len(rows) - 1):
        ones = twos = fours = 0
        for row, centre in ((rows[y - 1], True), (rows[y], False), (rows[y + 1], True)):
            shifted = [row << 1 & mask, row >> 1] + ([row] if centre else [])
            for bits in shifted:
                carry = ones & bits
                ones ^= bits
                fours |= twos & carry
                twos ^= carry
        alive = twos & ~fours & (ones | rows[y])
        out.append([alive >> x & 1 for x in range(width - 1, -1, -1)])
    return out
