def damerau(s, t):
    before, last = [], list(range(len(t) + 1))
    for i, x in enumerate(s):
        row = [i + 1]
        for j, y in enumerate(t):
            best = min(last[j] + (x != y), last[j + 1] + 1, row[-1] + 1)
            if before and j and x == t[j - 1] and y == s[i - 1]:
                best = min(best, before[j - 1] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
