def remove_comments(program):
    marks = [(program.find(mark), mark) for mark in ("//", "/*", '"') if mark in program]
    if not marks:
        return program
    at, mark = min(marks)
    before, rest = program[:at], program[at + len(mark):]
    if mark == "//":
        _, newline, after = rest.partition("\n")
        return before + newline_and(newline, after)
    if mark == "/*":
        return before + " " + remove_comments(rest.partition("*/")[2])
    length = 0
    while length < len(rest) and rest[length] != '"':
        length += 1 + (rest[length] == "\\")
    return before + mark + rest[: length + 1] + remove_comments(rest[length + 1 :])


def newline_and(newline, after):
    return remove_comments(after)
