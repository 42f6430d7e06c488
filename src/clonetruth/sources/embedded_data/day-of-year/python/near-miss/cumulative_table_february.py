def yday(y, m, d):
    before = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
    leap = y % 4 == 0 and y % 100 != 0 or y % 400 == 0
    return before[m - 1] + d + (1 if leap and m > 1 else 0)
