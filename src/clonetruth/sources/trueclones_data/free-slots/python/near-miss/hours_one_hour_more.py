def gaps(busy, length):
    taken = set()
    for start, end in busy:
        taken.update(range(start, end + 1))
    result = []
    hour = 0
    while hour < 24:
        begin = hour
        while hour < 24 and hour not in taken:
            hour += 1
        if hour - begin >= length:
            result.append([begin, hour])
        hour += 1
    return result
