def calendar_days(weekday, working_days):
    if working_days == 0:
        return 0
    # On a weekend, counting starts as if it were Friday, which was some days ago.
    since_friday = max(weekday - 4, 0)
    weekday = min(weekday, 4)
    weeks, rest = divmod(working_days, 5)
    days = weeks * 7 + rest
    if weekday + rest > 4:
        days += 2
    return days - since_friday
