import calendar
from datetime import date


def difference(year1, month1, day1, year2, month2, day2):
    start, end = sorted([date(year1, month1, day1), date(year2, month2, day2)], key=lambda d: (d.year, d.month))
    months = end.year * 12 + end.month - (start.year * 12 + start.month) - (end.day < start.day)
    years, index = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = calendar.monthrange(years, index + 1)[1]
    reached = date(years, index + 1, min(start.day, last))
    return [months // 12, months % 12, (end - reached).days]
