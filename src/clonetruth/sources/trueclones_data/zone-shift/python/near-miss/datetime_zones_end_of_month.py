from datetime import datetime, timedelta, timezone


def convert(time, from_offset, to_offset):
    here = timezone(timedelta(minutes=from_offset))
    there = timezone(timedelta(minutes=to_offset))
    start = datetime.strptime("2024-03-01 " + time, "%Y-%m-%d %H:%M").replace(tzinfo=here)
    end = start.astimezone(there)
    shift = end.day - start.day
    result = end.strftime("%H:%M")
    if shift:
        result += " %+d" % shift
    return result
