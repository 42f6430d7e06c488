def rooms(starts, lengths):
    ends = []
    result = []
    for start, length in zip(starts, lengths):
        for room, end in enumerate(ends):
            if end <= start:
                ends[room] = start
                break
        else:
            room = len(ends)
            ends.append(start + length)
        result.append(room + 1)
    return result
