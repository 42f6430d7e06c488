from itertools import cycle, islice


def later(weekday, working_days):
    calendar = islice(cycle("wwwww--"), weekday, None)
    count = 0
    while working_days:
        working_days -= next(calendar) == "w"
        count += 1
    return count
