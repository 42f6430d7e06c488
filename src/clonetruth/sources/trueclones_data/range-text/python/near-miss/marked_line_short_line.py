import re


def summarise(numbers):
    line = "".join("x" if n in numbers else " " for n in range(40))
    found = []
    for match in re.finditer("xxx+|x", line):
        if match.end() - match.start() == 1:
            found.append(f"{match.start()}")
        else:
            found.append(f"{match.start()}-{match.end() - 1}")
    return ",".join(found)
