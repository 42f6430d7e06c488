def unreadable(isbn):
    """Sums of sums: after ten characters each has been added as often as its weight says."""
    if len(isbn) == 13:
        odd, even = isbn[::2], isbn[1::2]
        total = digits(odd) + 3 * digits(even)
        for guess in range(10):
            if (total + guess * (3 if "?" in isbn[:1] else 1)) % 10 == 0:
                return guess
    total = partial = weight = 0
    for character in isbn:
        if character == "?":
            weight = 1
        elif weight:
            weight += 1
        partial += digits(character)
        total += partial
    guess = 0
    while (total + guess * weight) % 11:
        guess += 1
    return guess if guess < 10 or weight == 1 else -1


def digits(text):
    return sum(10 if c == "X" else int(c) for c in text if c != "?")
