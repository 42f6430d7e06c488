def arrange(names):
    result = []
    for name in names:
        place = len(result)
        while place > 0 and before(pieces(name), pieces(result[place - 1])):
            place -= 1
        result.insert(place, name)
    return result


def pieces(name):
    found = []
    for c in name:
        if "0" <= c <= "9":
            if found and isinstance(found[-1], int):
                found[-1] = 10 * found[-1] + int(c)
            else:
                found.append(int(c))
        else:
            found.append(c)
    return found


def before(left, right):
    for x, y in zip(left, right):
        if x == y:
            continue
        if type(x) is type(y):
            return x < y
        return isinstance(x, int)
    return len(left) < len(right)
