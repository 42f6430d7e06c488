def diff_summary(before, after):
    m, n = len(before), len(after)
    table = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            if before[i] == after[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i][j])
    kept = table[m][n]
    return [kept, m - kept, n - kept]
