def distance(source, target):
    rows, columns = len(source) + 1, len(target) + 1
    d = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        d[i][0] = i
    for j in range(columns):
        d[0][j] = j
    for i in range(1, rows):
        for j in range(1, columns):
            cost = 0 if source[i - 1] == target[j - 1] else 1
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and source[i - 1] == target[j - 2] and source[i - 2] == target[j - 1]:
                d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1)
    return d[-1][-1]
