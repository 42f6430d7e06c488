def check(code):
    def walk(rest, factor, total, length):
        if not rest:
            return length >= 2 and total % 10 == 0
        head, last = rest[:-1], rest[-1]
        if last == " ":
            return walk(head, factor, total, length)
        if last not in "0123456789":
            return False
        product = int(last) * factor
        return walk(head, 3 - factor, total + product // 10 + product % 10, length + 1)

    return walk(code, 1, 0, 0)
