def recover(isbn):
    at = isbn.index("?")
    known = {i: "0123456789X".index(c) for i, c in enumerate(isbn) if c != "?"}
    if len(isbn) == 10:
        remainder = sum(value * (10 - i) for i, value in known.items()) % 11
        answers = {(11 - d * (10 - at) % 11) % 11: d for d in range(10 if at < 9 else 11)}
    else:
        remainder = sum(value * (1 + i % 2 * 2) for i, value in known.items()) % 10
        answers = {-d * (1, 3)[at % 2] % 10: d for d in range(10)}
    return answers.get(remainder, -1)
