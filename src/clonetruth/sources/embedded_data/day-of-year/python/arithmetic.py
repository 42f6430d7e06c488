def number_of_day(year, month, day):
    n = (275 * month) // 9 - 30 + day
    if month > 2:
        # February was counted with 30 days
        n -= 1 if leap_days(year) > leap_days(year - 1) else 2
    return n


def leap_days(until):
    return until // 4 - until // 100 + until // 400
