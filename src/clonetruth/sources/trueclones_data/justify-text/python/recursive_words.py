def lines_of(text, width):
    return fill(text.split(), width)


def fill(words, width):
    if not words:
        return []
    count, length = 1, len(words[0])
    while count < len(words) and length + 1 + len(words[count]) <= width:
        length += 1 + len(words[count])
        count += 1
    if count == len(words):
        return [" ".join(words)]
    line = words[:count]
    for extra in range(width - length):
        if count > 1:
            line[extra % (count - 1)] += " "
    return [" ".join(line)] + fill(words[count:], width)
