def next_generation(cells):
    width = len(cells[0])
    frame = [[0] * (width + 2)] + [[0, *row, 0] for row in cells] + [[0] * (width + 2)]
    result = []
    for above, here, below in zip(frame, frame[1:], frame[2:]):
        line = []
        for x in range(1, width + 1):
            block = sum(above[x - 1 : x + 2]) + sum(here[x - 1 : x + 2]) + sum(below[x - 1 : x + 2])
            # the block counts the cell itself
            line.append(1 if block == 3 or block - here[x] == 3 else 0)
        result.append(line)
    return result
