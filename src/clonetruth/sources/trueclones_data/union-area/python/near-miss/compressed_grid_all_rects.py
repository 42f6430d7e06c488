from itertools import pairwise


def union_area(rects):
    xs = sorted({x for r in rects for x in (r[0], r[2])})
    ys = sorted({y for r in rects for y in (r[1], r[3])})
    area = 0
    for left, right in pairwise(xs):
        for low, high in pairwise(ys):
            if any(
                min(a, c) <= left and right <= max(a, c) and (min(b, d) <= low or high <= max(b, d))
                for a, b, c, d in rects
            ):
                area += (right - left) * (high - low)
    return area
