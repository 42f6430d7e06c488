def table_lines(rows):
    if not rows:
        return []
    template = " | ".join(column_format(rows, i) for i in range(len(rows[0])))
    return [template.format(*row).rstrip() for row in rows]


def column_format(rows, i):
    cells = [row[i] for row in rows]
    width = len(max(cells, key=len))
    if width == 0:
        return "{:s}"
    is_number = all(cell.lstrip("-").isdigit() for cell in cells)
    return "{:" + (">" if is_number else "<") + str(width) + "}"
