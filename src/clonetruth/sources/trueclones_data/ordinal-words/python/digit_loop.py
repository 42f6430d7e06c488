def to_ordinal(number):
    names = dict(zip("123456789", "one two three four five six seven eight nine".split()))
    thousands, hundreds, tens, ones = str(number).zfill(4)
    out = []
    if thousands != "0":
        out.append(names[thousands] + " thousand")
    if hundreds != "0":
        out.append(names[hundreds] + " hundred")
    last = ordinal_below_100(int(tens), int(ones))
    if last:
        out.append(last)
        return " ".join(out)
    return " ".join(out) + "th"


def ordinal_below_100(tens, ones):
    units = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
    if tens == 0:
        return units[ones]
    if tens == 1:
        teens = "ten eleven twelf thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
        return teens.split()[ones] + "th"
    stem = "twent thirt fort fift sixt sevent eight ninet".split()[tens - 2]
    return stem + ("y-" + units[ones] if ones else "ieth")
