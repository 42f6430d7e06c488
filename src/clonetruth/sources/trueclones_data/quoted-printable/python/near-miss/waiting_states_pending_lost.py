def read(text):
    out, spaces, pending = bytearray(), "", ""

    def put(c):
        nonlocal pending
        if pending:
            if pending == "=" and c == "\n":
                pending = ""
                return
            pending += c
            if len(pending) == 3 and all("0" <= d <= "9" or "A" <= d.upper() <= "F" for d in pending[1:]):
                out.append(int(pending[1:], 16))
                pending = ""
            elif len(pending) == 3 or c not in "0123456789abcdefABCDEF":
                again, pending = pending[1:], ""
                out.append(61)
                for one in again:
                    put(one)
        elif c == "=":
            pending = c
        else:
            out.append(ord(c))

    for c in text:
        if c == " ":
            spaces += c
            continue
        if c != "\n":
            for space in spaces:
                put(space)
        spaces = ""
        put(c)
    return list(out)
