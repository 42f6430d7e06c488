def slices(ranges, size):
    """A range is a slice of all positions, which cuts it by itself."""
    everything = range(size)
    answer = []
    for one in ranges.split(","):
        if one[0] == "-":
            wanted = int(one[1:])
            part = everything[-wanted:] if size else range(0)
        else:
            start, end = one.split("-")
            part = everything[int(start) : int(end) + 1] if end else everything[int(start) :]
        if part:
            answer.append([part[0], part[-1]])
    return answer
