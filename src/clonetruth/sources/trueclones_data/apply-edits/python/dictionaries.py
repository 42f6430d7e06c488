from collections import defaultdict


def patch(lines, edits):
    change, added = {}, defaultdict(list)
    for edit in edits:
        where = int(edit[0])
        if edit[1] == "+":
            added[where].append(edit[2:])
        elif edit[1] == "=":
            change[where] = [edit[2:]]
        else:
            change[where] = []
    result = added[0]
    for number, line in enumerate(lines, start=1):
        result += change.get(number, [line])
        result += added[number]
    return result
