def connected(rows):
    label = list(range(len(rows)))
    changed = True
    while changed:
        changed = False
        for i, row in enumerate(rows):
            for j in row:
                low = min(label[i], label[j])
                if label[i] != low or label[j] != low:
                    label[i] = label[j] = low
                    changed = True
    counts = [label.count(name) for name in set(label)]
    counts.sort(key=lambda c: -c)
    return counts
