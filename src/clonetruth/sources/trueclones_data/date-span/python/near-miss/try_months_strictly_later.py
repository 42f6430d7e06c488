from datetime import date, timedelta


def between(*parts):
    start, end = date(*parts[:3]), date(*parts[3:])
    if end < start:
        start, end = end, start
    count = 0
    while moved(start, count + 1)[0] < (end.year, end.month) or (
        moved(start, count + 1)[0] == (end.year, end.month) and start.day < end.day
    ):
        count += 1
    (year, month), day = moved(start, count)
    return [*divmod(count, 12), (end - date(year, month, day)).days]


def moved(start, count):
    total = start.year * 12 + start.month - 1 + count
    year, month = total // 12, total % 12 + 1
    first_of_next = date(year + month // 12, month % 12 + 1, 1)
    return (year, month), min(start.day, (first_of_next - timedelta(days=1)).day)
