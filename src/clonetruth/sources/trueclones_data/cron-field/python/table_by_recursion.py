def numbers_for(field, low, high):
    flags = [False] * 100
    mark(field, low, high, flags)
    return [n for n, flag in enumerate(flags) if flag and n >= low and n <= high]


def mark(field, low, high, flags):
    head, comma, tail = field.partition(",")
    if comma:
        mark(tail, low, high, flags)
    if "/" in head:
        head, step = head.split("/")
        step = int(step)
    else:
        step = 1
    if head == "*":
        flags[low : high + 1 : step] = [True] * len(flags[low : high + 1 : step])
    elif "-" in head:
        dash = head.index("-")
        start, end = int(head[:dash]), int(head[dash + 1 :])
        for n in range(start, end + 1, step):
            flags[n] = True
    else:
        flags[int(head)] = True
