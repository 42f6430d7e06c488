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
                if not text[i + 1 : i + 3].isalnum() or len(text) < i + 3:
                    raise ValueError
                result.append(int(text[i + 1 : i + 3], 16))
                i += 3
            except ValueError:
                result.extend(map(ord, text[i : i + 2]))
                i += 2
    return result
