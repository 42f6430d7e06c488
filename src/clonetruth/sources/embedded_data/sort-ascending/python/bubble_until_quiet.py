def bubble(seq):
    a = seq[:]
    swapped = True
    while swapped:
        swapped = False
        for i in range(1, len(a)):
            if a[i - 1] > a[i]:
                a[i - 1], a[i] = a[i], a[i - 1]
                swapped = True
    return a
