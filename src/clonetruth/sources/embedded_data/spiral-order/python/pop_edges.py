def spiral(matrix):
    rows = [list(row) for row in matrix]
    result = []
    while rows and rows[0]:
        result += rows.pop(0)
        for row in rows:
            if row:
                result.append(row.pop())
        if rows:
            result += reversed(rows.pop())
        for row in reversed(rows):
            if row:
                result.append(row.pop(0))
    return result
