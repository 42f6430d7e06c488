def layout(table):
    """Adds one column after the other to all lines."""
    lines = [""] * len(table)
    columns = len(table[0]) if table else 0
    for c in range(columns):
        widest = 0
        right = True
        for row in table:
            widest = max(widest, len(row[c]))
            digits = row[c][1:] if row[c].startswith("-") else row[c]
            if digits == "" or digits.strip("0123456789") != "":
                right = False
        for r, row in enumerate(table):
            fill = " " * (widest - len(row[c]))
            separator = " | " if c > 0 else ""
            lines[r] += separator + (fill + row[c] if right else row[c] + fill)
    for r, line in enumerate(lines):
        while line.endswith(" "):
            line = line[:-1]
        lines[r] = line
    return lines
