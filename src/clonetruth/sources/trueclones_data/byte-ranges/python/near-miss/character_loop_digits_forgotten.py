def parse(ranges, size):
    result, left, right, dash = [], None, None, False
    for c in ranges + ",":
        if c == "-":
            dash = True
        elif c == ",":
            if left is None:
                left, right = max(size - right, 0), size - 1
            elif right is None or right >= size:
                right = size - 1
            if 0 <= left <= right:
                result.append([left, right])
            left, right, dash = None, None, False
        elif dash:
            right = int(c)
        else:
            left = (left or 0) * 10 + int(c)
    return result
