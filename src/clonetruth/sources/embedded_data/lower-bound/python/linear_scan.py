def first_at_least(items, threshold):
    for index, item in enumerate(items):
        if item >= threshold:
            return index
    return len(items)
