def decode(data):
    numbers = []
    value = shift = 0
    for byte in data:
        if shift == 28:
            break
        value |= (byte & 127) << shift
        if byte < 128:
            numbers.append(value)
            value = shift = 0
        else:
            shift += 7
    if shift:
        numbers.append(-1)
    return numbers
