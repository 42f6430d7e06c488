def in_range(version, wanted):
    def number(text):
        major, minor, patch = text.split(".")
        return int(major) * 10000 + int(minor) * 100 + int(patch)

    def bounds(condition):
        if condition.startswith("<"):
            return 0, number(condition[1:])
        if condition.startswith(">="):
            return number(condition[2:]), 10**6
        if condition[0] not in "~^":
            return number(condition), number(condition) + 1
        low = number(condition[1:])
        step = 100
        if condition[0] == "^":
            step = 10000 if low >= 10000 else 100 if low >= 100 else 1
        return low, (low // step + 1) * step

    value = number(version)
    one_is_enough = "||" in wanted
    fits = [low <= value <= high for low, high in map(bounds, wanted.replace("||", " ").split())]
    return any(fits) if one_is_enough else all(fits)
