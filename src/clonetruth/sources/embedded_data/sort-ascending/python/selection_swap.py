def selection_sort(values):
    values = list(values)
    for start in range(len(values)):
        smallest = start
        for k in range(start + 1, len(values)):
            if values[k] < values[smallest]:
                smallest = k
        values[start], values[smallest] = values[smallest], values[start]
    return values
