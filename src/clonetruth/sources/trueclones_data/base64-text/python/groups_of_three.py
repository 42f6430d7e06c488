CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64_text(data, for_url):
    out = []
    for start in range(0, len(data), 3):
        group = data[start : start + 3]
        missing = 3 - len(group)
        a, b, c = group + [0] * missing
        whole = (a << 16) | (b << 8) | c
        four = [CHARACTERS[whole >> shift & 63] for shift in (18, 12, 6, 0)]
        if missing:
            four[-missing:] = "=" * missing
        out.extend(four)
    text = "".join(out)
    if for_url:
        text = text.translate({43: "-", 47: "_", 61: None})
    return text
