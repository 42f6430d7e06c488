def apply_edits(lines, edits):
    slots = [[None]] + [[line] for line in lines]
    for edit in edits:
        number, sign, text = int(edit[0]), edit[1], edit[2:]
        if number >= len(slots):
            continue
        if sign == "+":
            slots[number].append(text)
        elif number > 0:
            slots[number][0] = text if sign == "=" else None
    return [line for slot in slots for line in slot if line is not None]
