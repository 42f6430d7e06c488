import re
import textwrap


def layout(text, width):
    lines = textwrap.wrap(" ".join(text.split()), width, break_long_words=True)
    for number, line in enumerate(lines[:-1]):
        spaces = 1
        while " " in line and len(line) < width:
            # widens the first gap that is not yet as wide as this round makes it
            wider = re.sub(r"(?<! ) {%d}(?! )" % spaces, " " * (spaces + 1), line, count=1)
            if wider == line:
                spaces += 1
            line = wider
        lines[number] = line
    return lines
