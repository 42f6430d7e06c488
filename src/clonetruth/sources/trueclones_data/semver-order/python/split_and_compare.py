def compare(a, b):
    left, right = parse(a), parse(b)
    if left is None or right is None:
        return -2
    if left[0] != right[0]:
        return -1 if left[0] < right[0] else 1
    pre_a, pre_b = left[1], right[1]
    if not pre_a or not pre_b:
        return bool(pre_b) - bool(pre_a)
    for x, y in zip(pre_a, pre_b):
        if x == y:
            continue
        if x.isdigit() and y.isdigit():
            return 1 if int(x) > int(y) else -1
        if x.isdigit() != y.isdigit():
            return -1 if x.isdigit() else 1
        return -1 if x < y else 1
    return (len(pre_a) > len(pre_b)) - (len(pre_a) < len(pre_b))


def parse(text):
    rest, plus, build = text.partition("+")
    core, hyphen, pre = rest.partition("-")
    numbers = core.split(".")
    tags = pre.split(".") if hyphen else []
    extras = build.split(".") if plus else []
    if len(numbers) != 3 or not all(plain_number(n) for n in numbers):
        return None
    for tag in tags + extras:
        if not tag or not all(c.isalnum() or c == "-" for c in tag):
            return None
    if any(tag.isdigit() and not plain_number(tag) for tag in tags):
        return None
    return [int(n) for n in numbers], tags


def plain_number(text):
    return text.isdigit() and (text == "0" or text[0] != "0")
