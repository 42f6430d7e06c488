def find_value(lines, section, key):
    """Reads from the end: the last matching line below the right heading wins."""
    candidates = []
    for line in map(str.strip, reversed(lines)):
        if line[:1] == "[" and line[-1:] == "]":
            if line[1:-1].strip() == section and candidates:
                return candidates[-1]
            candidates = []
        elif line[:1] not in (";", "#") and "=" in line:
            left, _, right = line.partition("=")
            if left.rstrip() == key:
                candidates.append(right.lstrip())
    return "(missing)"
