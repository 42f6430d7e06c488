# (credit, alarms) -> what a coin and a push lead to; a blocked turnstile has no entry
def count_passes(events):
    state, total = (0, 0), 0
    moves = table()
    for letter in events:
        state, passes = moves.get((state, letter), (state, 0))
        total += passes
    return total


def table():
    moves = {}
    for alarms in range(4):
        for credit in range(4):
            here = (credit, alarms)
            moves[here, "r"] = ((0, 0), 0)
            if alarms < 3:
                moves[here, "c"] = ((min(3, credit + 1), alarms), 0)
                moves[here, "p"] = ((credit - 1, 0), 1) if credit else ((0, alarms + 1), 0)
    return moves
