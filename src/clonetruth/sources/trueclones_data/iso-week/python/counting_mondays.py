import calendar


def number_of_week(year, month, day):
    for candidate in (year + 1, year, year - 1):
        start = first_monday(candidate)
        here = day_number(year, month, day)
        if here >= start:
            week = 1
            while here >= start + 7:
                start += 7
                week += 1
            return week


def day_number(year, month, day):
    whole_years = sum(365 + calendar.isleap(past) for past in range(1980, year))
    return whole_years + sum(calendar.monthrange(year, m)[1] for m in range(1, month)) + day


def first_monday(year):
    """The Monday of the week that has 4 January in it."""
    return day_number(year, 1, 4) - calendar.weekday(year, 1, 4)
