import re

ATOM = re.compile(r'"[^"]*"|(?<![0-9a-z])(?:0|[1-9][0-9]*|true|false|null)(?![0-9a-z])')
ARRAY = re.compile(r"\[(#\d+#(?:,#\d+#)*)?\]")
OBJECT = re.compile(r"\{(#\d+#:#\d+#(?:,#\d+#:#\d+#)*)?\}")


def compact(text):
    """Replaces values by marks such as #3#, from the inside out, until one mark is left."""
    known = []

    def store(value):
        known.append(value)
        return f"#{len(known) - 1}#"

    rest = ATOM.sub(lambda m: store(m.group()), text)
    # a number that stood in the text must not be joined with its neighbour
    rest = re.sub(r"\s+", " ", rest).strip()
    rest = re.sub(r" ?([\[\]{},:]) ?", r"\1", rest)
    bad_key = False
    before = None
    while rest != before:
        before = rest
        rest = ARRAY.sub(lambda m: store("[" + ",".join(values(m.group(1), known)) + "]"), rest)
        match = OBJECT.search(rest)
        if match:
            flat = values(match.group(1), known)
            keys = flat[0::2]
            bad_key = bad_key or any(not key.startswith('"') for key in keys)
            pairs = dict(zip(keys, flat[1::2]))
            ordered = sorted(pairs, key=lambda key: key[1:-1])
            mark = store("{" + ",".join(key + ":" + pairs[key] for key in ordered) + "}")
            rest = rest[: match.start()] + mark + rest[match.end() :]
    if bad_key or not re.fullmatch(r"#\d+#", rest):
        return "error"
    return known[int(rest[1:-1])]


def values(marks, known):
    return [known[int(number)] for number in re.findall(r"#(\d+)#", marks or "")]
