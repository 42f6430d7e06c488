from bisect import bisect_left


def changed_lines(a, b):
    # Longest increasing run of positions: the matches of each line are listed from the back.
    tails = []
    for line in a:
        for position in list([j for j, other in enumerate(b) if other == line]):
            pile = bisect_left(tails, position)
            tails[pile : pile + 1] = [position]
    same = len(tails)
    return [same, len(a) - same, len(b) - same]
