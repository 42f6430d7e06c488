def group_by_sound(names):
    def tail(letters, before, room):
        if not letters or room == 0:
            return "0" * room
        head, rest = letters[0], letters[1:]
        if head in "HW":
            return tail(rest, before, room)
        number = "AEIOUY BFPV CGJKQSXZ DT L MN R".split(" ")
        own = next(i for i, group in enumerate(number) if head in group)
        if own == before or own == 0:
            return tail(rest, own, room)
        return str(own) + tail(rest, own, room - 1)

    def sound(name):
        name = name.upper()
        start = tail(name[0], None, 1)
        return name[0] + tail(name[1:], int(start), 3)

    sounds = [sound(name) for name in names]
    answer = []
    for one in sounds:
        answer.append(sounds.index(one))
    return answer
