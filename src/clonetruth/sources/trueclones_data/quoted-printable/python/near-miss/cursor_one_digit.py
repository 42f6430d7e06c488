def to_bytes(text):
    text = "\n".join(line.rstrip(" ") for line in text.split("\n"))
    result = []
    i = 0
    while i < len(text):
        if text[i] != "=":
            result.append(ord(text[i]))
            i += 1
        elif text[i + 1 : i + 2] == "\n":
            i += 2
        else:
            try:
                if not text[i + 1 : i + 3].isalnum():
                    raise ValueError
                result.append(int(text[i + 1 : i + 3], 16))
                i += 3
            except ValueError:
                result.append(61)
                i += 1
    return result
