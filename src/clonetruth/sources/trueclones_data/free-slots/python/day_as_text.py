import re


def slots(meetings, minimum):
    day = "." * 24
    for start, end in meetings:
        if start < end:
            day = day[:start] + "#" * (end - start) + day[end:]
    return [list(m.span()) for m in re.finditer(r"\.{%d,}" % minimum, day)]
