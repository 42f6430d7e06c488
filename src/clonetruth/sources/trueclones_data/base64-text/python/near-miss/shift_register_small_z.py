def encode_bytes(data, for_url):
    register = count = 0
    result = ""
    for byte in data:
        register = register * 256 + byte
        count += 8
        while count >= 6:
            count -= 6
            result += character(register >> count, for_url)
            register &= (1 << count) - 1
    if count:
        result += character(register << (6 - count), for_url)
        if not for_url:
            result += "==" if count == 2 else "="
    return result


def character(value, for_url):
    if value < 26:
        return chr(ord("A") + value)
    if value < 51:
        return chr(ord("a") + value - 26)
    if value < 62:
        return chr(ord("0") + value - 52)
    if value == 62:
        return "-" if for_url else "+"
    return "_" if for_url else "/"
