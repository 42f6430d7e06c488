def compress(numbers):
    left = set(numbers)
    result = ""
    while left:
        low = high = min(left)
        while high + 1 in left:
            high += 1
        if high < low + 2:
            high = low
            result += str(low)
        else:
            result += "%d-%d" % (low, high)
        result += ","
        left -= set(range(low, high + 1))
    return result
