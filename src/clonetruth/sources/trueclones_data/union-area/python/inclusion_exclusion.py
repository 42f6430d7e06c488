def total_area(boxes):
    """Adds single areas, subtracts those of pairs, adds those of triples, and so on."""

    def signed(start, box, sign):
        result = 0
        for i in range(start, len(boxes)):
            common = intersect(box, boxes[i])
            size = (common[2] - common[0]) * (common[3] - common[1])
            if size:
                result += sign * size + signed(i + 1, common, -sign)
        return result

    return signed(0, [-20, -20, 20, 20], 1)


def intersect(a, b):
    left, right = max(a[0], min(b[0], b[2])), min(a[2], max(b[0], b[2]))
    low, high = max(a[1], min(b[1], b[3])), min(a[3], max(b[1], b[3]))
    return [left, low, max(left, right), max(low, high)]
