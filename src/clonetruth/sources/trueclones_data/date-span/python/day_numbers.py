def span_of(y1, m1, d1, y2, m2, d2):
    first, second = (y1, m1, d1), (y2, m2, d2)
    if second < first:
        first, second = second, first
    (y, m, d), (end_year, end_month, end_day) = first, second
    years, months = end_year - y, end_month - m
    if end_day < d:
        months -= 1
    if months < 0:
        months += 12
        years -= 1
    year, month = y + years, m + months
    if month > 12:
        year, month = year + 1, month - 12
    day = d
    while day > 28 and number(year, month, day) >= number(year + month // 12, month % 12 + 1, 1):
        day -= 1
    return [years, months, number(*second) - number(year, month, day)]


def number(year, month, day):
    """Days since a day long ago; the year begins in March."""
    shifted = (month + 9) % 12
    year -= month < 3
    return year * 365 + year // 4 - year // 100 + year // 400 + (shifted * 306 + 5) // 10 + day
