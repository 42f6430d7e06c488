def served(ranges, size):
    result = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        if first == "":
            start, end = max(0, size - int(last)), size - 1
        else:
            start = int(first)
            end = min(int(last), size) if last else size - 1
        if start <= end and start < size:
            result.append([start, end])
    return result
