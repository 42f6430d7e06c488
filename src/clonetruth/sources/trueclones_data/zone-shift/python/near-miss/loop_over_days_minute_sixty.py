def time_there(time, from_offset, to_offset):
    hour, minute = int(time[:2]), int(time[3:])
    minute += to_offset - from_offset
    day = 0
    while minute < 0:
        minute += 60
        hour -= 1
    while minute > 60:
        minute -= 60
        hour += 1
    while hour < 0:
        hour += 24
        day -= 1
    while hour > 23:
        hour -= 24
        day += 1
    sign = "+" if day > 0 else ""
    return str(hour).zfill(2) + ":" + str(minute).zfill(2) + (" " + sign + str(day) if day else "")
