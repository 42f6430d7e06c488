from datetime import date, timedelta


def find_day(year, month, weekday, n):
    if not n:
        return 0
    step = timedelta(days=1 if n > 0 else -1)
    if n > 0:
        day = date(year, month, 1)
    else:
        day = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    seen = 0
    while day.month == month:
        seen += day.weekday() == weekday
        if seen == abs(n):
            return day.day
        day += step
    return 0
