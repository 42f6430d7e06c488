def typeset(text, width):
    done, row, used = [], [], 0
    for word in filter(None, text.split(" ")):
        if row and used + len(row) + len(word) > width:
            free = width - used
            done.append(spread(row, free))
            row, used = [], 0
        row.append(word)
        used += len(word)
    if row:
        done.append(" ".join(row))
    return done


def spread(row, free):
    out = ""
    for position, word in enumerate(row):
        gaps_left = len(row) - 1 - position
        pad = free // gaps_left if gaps_left else 0
        free -= pad
        out += word + " " * pad
    return out
