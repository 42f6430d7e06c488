def clean(program):
    """A machine with six states that reads one character after the other."""
    state, out = "code", ""
    for c in program:
        if state == "code":
            if c == "/":
                state = "slash"
                continue
            out += c
            if c == '"':
                state = "string"
        elif state == "slash":
            if c == "/":
                state = "line"
            elif c == "*":
                state = "block"
                out += " "
            else:
                out += "/" + c
                state = "code"
        elif state == "line":
            if c == "\n":
                out += c
                state = "code"
        elif state in ("block", "star"):
            if state == "star" and c == "/":
                state = "code"
            else:
                state = "star" if c == "*" else "block"
        else:
            out += c
            if state == "escape":
                state = "string"
            elif c == "\\":
                state = "escape"
            elif c == '"':
                state = "code"
    return out + "/" if state == "slash" else out
