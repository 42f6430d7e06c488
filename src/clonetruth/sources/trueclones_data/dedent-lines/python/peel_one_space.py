def flush_left(lines):
    """Takes one space off all lines as long as none of them refuses."""
    rows = [line if line.strip() else "" for line in lines]
    while rows and rows[0] == "":
        rows = rows[1:]
    while rows and rows[-1] == "":
        rows = rows[:-1]
    while rows and all(row == "" or row.startswith(" ") for row in rows):
        rows = [row[1:] for row in rows]
    return rows
