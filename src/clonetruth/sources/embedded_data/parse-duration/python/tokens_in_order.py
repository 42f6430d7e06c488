def duration_seconds(source):
    import re

    parts = re.findall(r"([0-9]+)([hms])", source)
    units = [unit for _, unit in parts]
    if not parts or units != sorted(set(units)):
        return -1
    if "".join(number + unit for number, unit in parts) != source:
        return -1
    weights = dict(h=3600, m=60, s=1)
    return sum(int(number) * weights[unit] for number, unit in parts)
