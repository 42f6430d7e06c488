def day_of(year, month, weekday, n):
    """Sakamoto's rule gives the weekday of the first day; the rest is arithmetic modulo 7."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = 29 if month == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    y = year - (month < 3)
    offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    first = (y + y // 4 - y // 100 + y // 400 + offsets[month - 1] + 1 - 1) % 7
    if n > 0:
        day = 1 + (weekday - first) % 7 + 7 * (n - 1)
    else:
        last = (first + length - 1) % 7
        day = length - (last - weekday) % 7 + 7 * (n + 1)
    return day if n and 1 <= day <= length else 0
