def convert(text):
    out = []
    pending = False  # a separator stands before the next letter, if there is something before it
    for current, following in zip(text, text[1:] + " "):
        if current in " -_":
            pending = True
            continue
        kind = "A" if "A" <= current <= "Z" else "a"
        if kind == "A" and out and not pending:
            pending = last == "a" or "a" <= following <= "z"
        if pending and out:
            out.append("_")
        out.append(current.lower())
        pending, last = False, kind
    return "".join(out)
