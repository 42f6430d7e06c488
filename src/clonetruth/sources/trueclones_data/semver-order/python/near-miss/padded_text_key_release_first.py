def order(first, second):
    """Turns each version into a text whose ordinary order is the precedence."""
    try:
        x, y = sort_text(first), sort_text(second)
    except ValueError:
        return -2
    if x == y:
        return 0
    return 1 if x > y else -1


def sort_text(version):
    version, mark, build = version.partition("+")
    if mark:
        for name in build.split("."):
            check(name)
    core, mark, pre = version.partition("-")
    major, minor, patch = core.split(".")
    text = "".join(number(part) for part in (major, minor, patch))
    if not mark:
        return text + " "
    for name in pre.split("."):
        check(name)
        # identifiers end with a character below all others, numbers begin with one below all letters
        text += "!" + ("#" + number(name) if name.isdecimal() else "$" + name)
    return text + " "


def check(name):
    if not name.replace("-", "a").isalnum():
        raise ValueError(name)


def number(digits):
    if not digits.isdecimal() or str(int(digits)) != digits:
        raise ValueError(digits)
    return digits.rjust(10, "0")
