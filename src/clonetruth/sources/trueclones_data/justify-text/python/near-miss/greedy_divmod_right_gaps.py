def justify(text, width):
    lines, current = [], []
    for word in text.split():
        if current and len(" ".join(current + [word])) > width:
            lines.append(stretch(current, width))
            current = []
        current.append(word)
    return lines + [" ".join(current)] if current else lines


def stretch(words, width):
    gaps = len(words) - 1
    if gaps == 0:
        return words[0]
    each, extra = divmod(width - sum(map(len, words)), gaps)
    line = words[0]
    for i, word in enumerate(words[1:]):
        line += " " * (each + (i >= gaps - extra)) + word
    return line
