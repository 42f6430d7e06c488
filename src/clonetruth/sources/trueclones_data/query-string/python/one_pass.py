def find(query, key):
    name, value, target = "", "", 0
    pos = 0
    query += "&"
    while pos < len(query):
        c = query[pos]
        pos += 1
        if c == "&":
            if name == key:
                return value
            name, value, target = "", "", 0
            continue
        if c == "=" and target == 0:
            target = 1
            continue
        if c == "+":
            c = " "
        elif c == "%":
            c = chr(16 * int(query[pos], 16) + int(query[pos + 1], 16))
            pos += 2
        if target:
            value += c
        else:
            name += c
    return "(none)"
