def days_into_year(year, month, day):
    if month == 1:
        return day
    if month == 3:
        try_29 = not year % 4 and (year % 100 or not year % 400)
        before = 29 if try_29 else 28
    elif month in (5, 7, 10, 12):
        before = 30
    else:
        before = 31
    return before + days_into_year(year, month - 1, day)
