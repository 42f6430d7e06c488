def payments(cents, count):
    marks = [cents * k // count for k in range(count + 1)]
    found = []
    for before, after in zip(marks, marks[1:]):
        found.append(after - before)
    return found
