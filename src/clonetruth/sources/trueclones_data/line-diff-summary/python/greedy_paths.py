def summary(old, new):
    """The greedy search for a shortest edit script along diagonals."""
    reach = {1: 0}
    for edits in range(len(old) + len(new) + 1):
        for k in range(-edits, edits + 1, 2):
            if k == -edits or (k != edits and reach[k - 1] < reach[k + 1]):
                x = reach[k + 1]
            else:
                x = reach[k - 1] + 1
            y = x - k
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x += 1
                y += 1
            reach[k] = x
            if x >= len(old) and y >= len(new):
                kept = (len(old) + len(new) - edits) // 2
                return [kept, len(old) - kept, len(new) - kept]
