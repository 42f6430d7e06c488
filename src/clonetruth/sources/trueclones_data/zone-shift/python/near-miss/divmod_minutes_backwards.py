def shifted(time, from_offset, to_offset):
    hours, minutes = map(int, time.split(":"))
    days, minute = divmod(hours * 60 + minutes + from_offset - to_offset, 1440)
    text = "%02d:%02d" % divmod(minute, 60)
    return f"{text} {days:+d}" if days else text
