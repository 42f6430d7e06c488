import calendar


def nth_weekday(year, month, weekday, n):
    days = [week[weekday] for week in calendar.monthcalendar(year, month) if week[weekday]]
    if n == 0 or abs(n) > len(days):
        return 0
    return days[n - 1] if n > 0 else days[n]
