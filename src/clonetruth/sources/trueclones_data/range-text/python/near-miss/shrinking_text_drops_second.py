def compress(numbers):
    left = set(numbers)
    result = ""
    while left:
        low = high = min(left)
        while high + 1 in left:
            high += 1
        if result:
            result += ","
        if high < low + 2:
            result += str(low)
        else:
            result += "%d-%d" % (low, high)
        left -= set(range(low, high + 1))
    return result
