def unpack(data):
    out = []
    i = 0
    while i < len(data):
        header = data[i]
        i += 1
        if header < 128:
            end = i + header + 1
            if end > len(data) + 1:
                return [-1]
            out += data[i:end]
            i = end
        elif header > 128:
            if i == len(data):
                return [-1]
            out += [data[i]] * (257 - header)
            i += 1
    return out
