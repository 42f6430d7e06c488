def week_number(year, month, day):
    ordinal = sum(month_lengths(year)[: month - 1]) + day
    weekday = (day_count(year) + ordinal - 1) % 7
    week = (ordinal - weekday + 9) // 7
    if week < 1:
        return weeks_in(year - 1)
    return 1 if week > weeks_in(year) else week


def month_lengths(year):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def day_count(year):
    # days from Monday, 1 January of the year 1
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400


def weeks_in(year):
    starts_on = day_count(year) % 7
    ends_on = (day_count(year + 1) - 1) % 7
    return 53 if starts_on == 3 else 52
