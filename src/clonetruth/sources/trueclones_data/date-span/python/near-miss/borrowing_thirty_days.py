def span(year1, month1, day1, year2, month2, day2):
    if (year1, month1, day1) > (year2, month2, day2):
        year1, month1, day1, year2, month2, day2 = year2, month2, day2, year1, month1, day1
    months = (year2 - year1) * 12 + month2 - month1
    if day2 >= day1:
        days = day2 - day1
    else:
        months -= 1
        before = month2 - 1 or 12
        length = 30
        days = length - min(day1, length) + day2
    return [months // 12, months % 12, days]


def month_length(year, month):
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31
