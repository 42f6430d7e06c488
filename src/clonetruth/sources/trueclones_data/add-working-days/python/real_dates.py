from datetime import date, timedelta


def distance(weekday, working_days):
    start = date(2024, 1, 1) + timedelta(days=weekday)
    end = start
    for _ in range(working_days):
        end += timedelta(days={4: 3, 5: 2}.get(end.weekday(), 1))
    return (end - start).days
