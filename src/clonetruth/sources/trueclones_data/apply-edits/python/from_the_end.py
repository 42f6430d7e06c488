def edited(lines, edits):
    """Works from the last line to the first, so that the numbers before it stay right."""
    result = list(lines)
    for number in range(len(lines), -1, -1):
        own = [edit for edit in edits if int(edit[0]) == number]
        result[number:number] = [edit[2:] for edit in own if edit[1] == "+"]
        changes = [edit for edit in own if edit[1] != "+"]
        if number == 0 or not changes:
            continue
        if changes[-1][1] == "-":
            del result[number - 1]
        else:
            result[number - 1] = changes[-1][2:]
    return result
