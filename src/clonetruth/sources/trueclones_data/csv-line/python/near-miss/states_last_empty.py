def split_csv(row):
    cells = []
    cell = ""
    inside = False
    i = 0
    while i < len(row):
        ch = row[i]
        if inside:
            if ch == '"' and row[i + 1 : i + 2] == '"':
                cell += '"'
                i += 1
            elif ch == '"':
                inside = False
            else:
                cell += ch
        elif ch == '"':
            inside = True
        elif ch == ",":
            cells.append(cell)
            cell = ""
        else:
            cell += ch
        i += 1
    if cell:
        cells.append(cell)
    return cells
