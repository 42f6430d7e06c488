ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
ONES += [word + "teen" for word in "fif six seven eigh nine".split()]
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth",
    "eight": "eighth", "twelve": "twelfth",
}


def ordinal(number):
    words = []
    if number >= 1000:
        words += [ONES[number // 1000], "thousand"]
    if number % 1000 >= 100:
        words += [ONES[number // 100 % 10], "hundred"]
    rest = number % 100
    if 0 < rest < 20:
        words.append(ONES[rest])
    elif rest:
        words.append(TENS[rest // 10] + ("-" + ONES[rest % 10] if rest % 10 else ""))
    head, hyphen, last = " ".join(words).rpartition("-" if rest > 20 and rest % 10 else " ")
    if last in IRREGULAR:
        last = IRREGULAR[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return head + hyphen + last
