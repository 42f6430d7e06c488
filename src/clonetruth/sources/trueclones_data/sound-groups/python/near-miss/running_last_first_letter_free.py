GROUPS = {"BFPV": 1, "CGJKQSXZ": 2, "DT": 3, "L": 4, "MN": 5, "R": 6}


def first_alike(names):
    seen = {}
    result = []
    for index, name in enumerate(names):
        result.append(seen.setdefault(soundex(name), index))
    return result


def soundex(name):
    found = [name[0].upper()]
    last = 0
    for letter in name[1:]:
        if letter in "hwHW":
            continue
        now = digit(letter)
        if now and now != last:
            found.append(now)
        last = now
    return tuple(found[:4])


def digit(letter):
    for letters, number in GROUPS.items():
        if letter.upper() in letters:
            return number
    return 0
